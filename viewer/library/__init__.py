"""Work on many files: listing, index, thumbnails, galleries, and batches in worker processes."""
