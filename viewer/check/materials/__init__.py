"""Rules for materials, textures and shaders."""
