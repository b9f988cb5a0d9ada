"""The State behind the window and the headless commands: playback, selection, undo, preferences."""
