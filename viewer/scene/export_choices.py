"""What a user chooses for the export of a model."""

from __future__ import annotations

from msgspec import Struct

TEXTURES = ("embed", "files", "none")
AXES = ("gltf", "file")
CLIPS = ("all", "playing", "none")
SCENES, MESHES = (".glb", ".gltf"), (".obj", ".ply")
"""The suffixes of the formats that hold a skeleton, clips and materials, and of those of a mesh alone."""


class ExportChoices(Struct, frozen=True):
    """`fps`: sample all tracks at this rate (None: keep their keys). `textures` is one of TEXTURES, `axes`
    one of AXES. `bake_pose`: the posed mesh, without its skeleton. Without `materials` surfaces have none.
    """

    fps: float | None = None
    textures: str = TEXTURES[0]
    axes: str = AXES[0]
    bake_pose: bool = False
    materials: bool = True

    def is_posed(self, output: str) -> bool:
        """Whether the posed mesh is written to `output`, without its skeleton."""
        return self.bake_pose or output.lower().endswith(MESHES)
