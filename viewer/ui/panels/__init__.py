"""The panels around the picture: each is called with the state and a `Post`."""
