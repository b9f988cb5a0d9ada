"""The output of the program: frames, pictures and films."""
