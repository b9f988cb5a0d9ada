"""What the window writes: pictures, films, models, the clipboard."""
