"""The texture unit of each sampler and the binding of each uniform block, by name. Units and bindings are the
same in all shaders. The module also has the bindings of a draw.

The composer sets units and bindings when it links a program, because GLSL 3.30 cannot set them in the shader
(`layout(binding = …)` came with 4.20).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import moderngl
from msgspec import Struct

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
    "roughness_map": 10,
    "metalness_map": 11,
    "detail0_map": 12,
    "detail1_map": 13,
    "detail_weight_map": 14,
    "first_picture": 4,
    "second_picture": 5,
    "surfaces": 4,
    "occlusion": 4,
    "layers": 4,
    "blurred_layers": 5,
    "shape_vertices": 8,
    "mask": 10,
    "emitter_table": 11,
    "ribbon_table": 13,
    "carried_births": 14,
    "asked_ages": 15,
    "environment_map": 15,
    "occlusion_map": 16,
}
"""The texture unit of each sampler. Two samplers may share a unit if no program uses both."""

BLOCKS = {"Frame": 0, "Material": 1, "Emitter": 2, "Environment": 3}
"""The binding of each uniform block."""

Bindings = Mapping[str, moderngl.Texture | moderngl.Buffer]
"""The bindings of a draw: textures by sampler name and buffers by uniform block name. Unused entries are
allowed.
"""
NO_BINDINGS: Bindings = MappingProxyType({})


class Slots(Struct, frozen=True):
    """The slots of a linked program: the texture units of its samplers, and the bindings of its uniform
    blocks.
    """

    textures: tuple[tuple[str, int], ...]
    blocks: tuple[tuple[str, int], ...]

    def bind(self, bindings: Bindings) -> None:
        """Bind a texture to every sampler and a buffer to every block; KeyError if a texture or buffer is
        missing.
        """
        for name, unit in self.textures:
            bindings[name].use(unit)  # type: ignore[union-attr]
        for name, binding in self.blocks:
            bindings[name].bind_to_uniform_block(binding)  # type: ignore[union-attr]


def slots(names: Iterable[str]) -> Slots:
    """Find the slots of a program by the names of its uniforms and blocks."""
    found = set(names)
    return Slots(
        tuple((name, unit) for name, unit in UNITS.items() if name in found),
        tuple((name, binding) for name, binding in BLOCKS.items() if name in found),
    )
