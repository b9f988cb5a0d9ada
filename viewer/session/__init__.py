"""What the user sees and may do, without a window: state, playback, selection, undo, preferences."""
