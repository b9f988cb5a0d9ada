"""The verbs of the command line, and the options that headless commands and the window share."""
