"""The neutral scene: frozen dataclasses of arrays, in the file's own numbers and axes."""
