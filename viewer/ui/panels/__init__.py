"""What the window shows around the picture: each panel is called with the state and a `Post`."""
