"""The view of a document: cameras, framing, visibility, the first view, playlist and selection."""
