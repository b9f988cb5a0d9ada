"""The posed mesh of a model as one Wavefront OBJ or PLY file.

Source: Wavefront Advanced Visualizer, appendix B1 (OBJ).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array, damaged_numbers
from viewer.errors import counted
from viewer.export.gltf.axes import Axes
from viewer.export.gltf.model import ExportSource, exported_parts
from viewer.export.gltf.numbers import finite
from viewer.export.gltf.options import ExportOptions, ExportStep
from viewer.export.gltf.surface import MODES, ExportPart, normals, positions
from viewer.export.ply import VERTEX, ply_bytes
from viewer.scene.maths import transform
from viewer.scene.mesh.vertices import values
from viewer.scene.model import Primitive
from viewer.storage.writing import replaced

ROWS = 4096
"""Number of lines of text that are formatted together."""


class PosedPart(NamedTuple):
    """A posed geometry.

    `points` [V, 3] f32, `normals` [V, 3] f32 or None, `coordinates` [V, 2] f32 or None, `triangles` [T, 3]
    are vertex numbers. `flat` is true for lines and points, which have no triangles.
    """

    name: str
    points: Array
    normals: Array | None
    coordinates: Array | None
    triangles: Array
    flat: bool


@damaged_numbers()
def write_mesh(
    source: ExportSource, options: ExportOptions, output: str, step: ExportStep = lambda share: None
) -> list[str]:
    """Write `output`, an `.obj` or a `.ply`; return messages about parts that were left out.

    Raises OSError if the file cannot be written. If `step` raises an exception, the export writes no file and
    lets the exception pass.
    """
    found = posed_parts(source, options, step)
    with replaced(output) as file:
        if output.lower().endswith(".ply"):
            file.write(ply_bytes([(_vertices(part), part.triangles) for part in found]))
        else:
            file.writelines(line.encode("utf-8", "replace") for line in _obj(found))
    left_out = sum(part.flat for part in found)
    lines = (
        f"wrote {counted(left_out, 'geometry', 'geometries')} of lines or points as vertices without faces"
    )
    return [lines] if left_out else []


def posed_parts(source: ExportSource, options: ExportOptions, step: ExportStep) -> list[PosedPart]:
    """Return the posed geometries in the axes of the output. `step` may raise an exception to end
    the work.
    """
    axes = Axes.of(source.model.to_world if source.to_world is None else source.to_world, options.keep_axes)
    parts = exported_parts(source.model, options, axes)
    found = []
    for number, part in enumerate(parts):
        step(number / len(parts))
        found.append(_posed(source, part, axes))
    return found


def _posed(source: ExportSource, part: ExportPart, axes: Axes) -> PosedPart:
    model = source.model
    points = finite(positions(model, part, source.motion))
    turned = normals(model, part, points, Counter(), source.motion)
    if turned is not None:
        root = axes.root[:, :3] / np.cbrt(max(abs(float(np.linalg.det(axes.root[:, :3]))), 1e-30))
        turned = finite(axes.vectors(turned) @ root.T)
    placed = finite(transform(axes.root, axes.vectors(points).astype(np.float64)))
    stored = values(model, part.lod, "uv0", part.rows)
    coordinates = None if stored is None else finite(stored)[:, :2]
    flat = part.mode != MODES[Primitive.TRIANGLES]
    triangles = np.empty((0, 3), np.int64) if flat else part.corners.reshape(-1, 3).astype(np.int64)
    name = part.geometry.name or f"geometry {part.number}"
    return PosedPart(name, placed, turned, coordinates, triangles, flat)


def _vertices(part: PosedPart) -> Array:
    out = np.zeros(len(part.points), VERTEX)
    out["position"] = part.points
    if part.normals is not None:
        out["normal"] = part.normals
    return out


def _obj(parts: list[PosedPart]) -> Iterator[str]:
    """Yield the lines of an OBJ file. In an OBJ file V is 0 at the lower edge of the texture."""
    first = np.ones(3, np.int64)
    for part in parts:
        yield f"o {' '.join(part.name.split()) or 'geometry'}\n"
        yield from _lines("v %.9g %.9g %.9g\n", part.points)
        if part.coordinates is not None:
            yield from _lines("vt %.9g %.9g\n", part.coordinates * (1, -1) + (0, 1))
        if part.normals is not None:
            yield from _lines("vn %.9g %.9g %.9g\n", part.normals)
        corner = (
            "%d",
            "%d" if part.coordinates is not None else "",
            "%d" if part.normals is not None else "",
        )
        text = "/".join(corner).rstrip("/")
        used = np.array([bool(each) for each in corner])
        numbers = (part.triangles[..., None] + first)[..., used]
        yield from _lines(f"f {text} {text} {text}\n", numbers.reshape(len(numbers), 3 * int(used.sum())))
        first += np.where(used, len(part.points), 0)


def _lines(line: str, rows: Array) -> Iterator[str]:
    """Yield the text of the rows, one line each."""
    for begin in range(0, len(rows), ROWS):
        some = rows[begin : begin + ROWS]
        yield line * len(some) % tuple(some.ravel().tolist())
