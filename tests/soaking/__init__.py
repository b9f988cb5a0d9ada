"""`python3 dev.py soak`: the program at random for a long time."""
