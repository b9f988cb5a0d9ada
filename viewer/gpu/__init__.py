"""Makes and releases moderngl objects: programs, buffers, textures and render targets. This room knows
arrays, not files.
"""
