"""Claims of speed, each a ratio of two things measured in the same run."""
