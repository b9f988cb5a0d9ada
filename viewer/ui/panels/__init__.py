"""The panels for animations and morphs."""
