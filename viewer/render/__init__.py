"""What is drawn: passes in order, and the matrices of the camera."""
