"""The options of an export."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

ExportStep = Callable[[float], None]
"""Receives the finished share 0..1 of an export; raises CancelledError to end the export."""


class ExportOptions(Struct, frozen=True):
    """The options of a glTF export.

    All tracks are sampled `fps` times a second; with None they keep their keys. `lod` is the exported level
    of detail. `textures` is `embed` (in the glTF file), `files` (beside the glTF file) or `none`. `keep_axes`
    keeps the axes of the file. Without `materials` the surfaces have no materials. `hidden` are the numbers
    of geometries that are left out; with `force` an OBJ replaces existing files beside it; `morphs` are pairs
    of morph number and initial weight.
    """

    fps: float | None = None
    lod: int = 0
    textures: str = "embed"
    keep_axes: bool = False
    materials: bool = True
    hidden: frozenset[int] = frozenset()
    force: bool = True
    morphs: tuple[tuple[int, float], ...] = ()
