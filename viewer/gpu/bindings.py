"""The texture unit of each sampler name and the binding of each uniform block name, equal in all shaders.

GLSL 3.30 cannot state them in the shader (`layout(binding = …)` came with 4.20), so the composer sets them
when it links a program.
"""

from __future__ import annotations

UNITS = {
    "skin_matrices": 0,
    "bone_maps": 1,
    "morph_records": 2,
    "morph_weights": 3,
    "diffuse_map": 4,
    "normal_map": 5,
    "specular_map": 6,
    "emissive_map": 7,
    "second_map": 9,
    "shape_vertices": 8,
    "mask": 10,
    "emitter_table": 11,
    "particle_order": 12,
    "ribbon_table": 13,
    "carried_births": 14,
    "asked_ages": 15,
}
"""Sampler name to texture unit."""

BLOCKS = {"Frame": 0, "Material": 1, "Emitter": 2}
"""Uniform block name to binding."""
