"""The neutral scene: frozen records of arrays, in the file's own numbers and axes."""
