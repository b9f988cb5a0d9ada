"""Makes and releases moderngl objects: programs, buffers, textures and render targets. Its functions take
arrays, no files.
"""
