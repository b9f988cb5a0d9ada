"""Rules for skeletons and for skinning."""
