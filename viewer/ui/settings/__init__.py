"""The settings window: search, rows of settings, keys of actions."""
