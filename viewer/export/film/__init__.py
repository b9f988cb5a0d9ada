"""Films: frames as one file of moving pictures, or as numbered pictures."""
