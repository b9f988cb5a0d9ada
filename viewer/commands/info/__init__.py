"""The facts of a file for `rigscope info`, and their text."""
