"""The pages of compiled shaders and scripts, which replace the picture."""
