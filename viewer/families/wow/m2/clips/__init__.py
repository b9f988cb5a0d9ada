"""The sequences of WoW models: keys of tracks, events, `.anim` files."""
