"""The listed files: their index, and their thumbnails on the wall."""
