"""The pages of compiled shaders and scripts, which take the place of the picture that there is none of."""
