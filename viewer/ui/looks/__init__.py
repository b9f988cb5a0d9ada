"""The Look panel: the choices, items and layers of a character."""
