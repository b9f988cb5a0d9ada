"""The bytes of a file: chunk tree, hex view, data inspector, search."""
