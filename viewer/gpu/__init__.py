"""Makes and releases moderngl objects: programs, buffers, textures and render targets. It gets arrays, and no
files.
"""
