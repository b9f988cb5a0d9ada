"""The index of files: what is in them, kept between runs, listed and searched."""
