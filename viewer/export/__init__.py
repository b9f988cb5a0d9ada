"""Export of pictures, films and model files."""
