"""The index of files: stores the facts of files between runs, lists and searches them."""
