"""The sequences of WoW models: keys of tracks, events, files of keys."""
