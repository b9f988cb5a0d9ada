"""The program between its files and a screen."""
