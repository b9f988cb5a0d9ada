"""Looks of creatures and characters, from the tables of the game."""
