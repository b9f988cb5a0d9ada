"""What leaves the program: frames, pictures and films."""
