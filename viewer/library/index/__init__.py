"""The index of files: their facts, kept between runs, listed and searched."""
