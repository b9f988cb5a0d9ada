"""The running program: loading files, the frame loop, and the 3D view."""
