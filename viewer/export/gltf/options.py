"""The options of an export."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

Step = Callable[[float], None]
"""Receives the share of an export that is done, 0 to 1; it raises CancelledError to end the export."""


class ExportOptions(Struct, frozen=True):
    """`fps`: sample all tracks at this rate (None: keep their keys). `lod` is the exported level of detail.

    `textures`: `embed` in the file, `files` beside it, or `none`. `keep_axes`: the file's own axes. Without
    `materials` surfaces have none. `hidden` are the numbers of geometries that are left out, `morphs` the
    initial weights by morph number.
    """

    fps: float | None = None
    lod: int = 0
    textures: str = "embed"
    keep_axes: bool = False
    materials: bool = True
    hidden: frozenset[int] = frozenset()
    morphs: tuple[tuple[int, float], ...] = ()
