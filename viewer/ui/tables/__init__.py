"""The page of a game's table."""
