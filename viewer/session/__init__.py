"""The State of the window and of the headless commands: open documents, playback, selection, undo,
preferences.
"""
