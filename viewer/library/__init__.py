"""Many files: listing, index, thumbnails, and batches in worker processes."""
