"""Meshes on the GPU: buffers, programs, materials, deformation."""
