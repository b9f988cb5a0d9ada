"""Rules for skeletons, and for the bones of vertices."""
