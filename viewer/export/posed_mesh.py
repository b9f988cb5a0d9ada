"""The posed mesh of a model as one Wavefront OBJ or PLY file.

Source: Wavefront Advanced Visualizer, appendix B1 (OBJ).
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array, damaged_numbers
from viewer.errors import counted
from viewer.export.gltf.axes import Axes
from viewer.export.gltf.container import PictureFiles
from viewer.export.gltf.model import UV_SETS, ExportSource, exported_parts
from viewer.export.gltf.numbers import finite
from viewer.export.gltf.options import ExportOptions, ExportStep
from viewer.export.gltf.surface import MODES, ExportPart, normals, positions
from viewer.export.mtl import NO_MATERIAL, MaterialLibrary
from viewer.export.ply import ply_bytes, vertex_type
from viewer.scene.material import Material
from viewer.scene.maths import transform
from viewer.scene.mesh.vertices import column_of, values
from viewer.scene.model import Primitive
from viewer.storage.writing import replaced, write_together

ROWS = 4096
"""Number of lines of text that are formatted together."""


class PosedPart(NamedTuple):
    """A posed geometry.

    `points` [V, 3] f32, `normals` [V, 3] f32 or None, `coordinates` [V, 2] f32 or None, as the material
    places its texture, `triangles` [T, 3] are vertex numbers. `flat` is true for lines and points, which have
    no triangles. `colors` [V, 4] u8 or None. `material` is a number of the model; `further` says whether
    there are more texture coordinates.
    """

    name: str
    points: Array
    normals: Array | None
    coordinates: Array | None
    triangles: Array
    flat: bool
    colors: Array | None = None
    material: int | None = None
    further: bool = False


@damaged_numbers()
def write_mesh(
    source: ExportSource, options: ExportOptions, output: str, step: ExportStep = lambda share: None
) -> list[str]:
    """Write `output`, an `.obj` with its materials and pictures, or a `.ply`; return messages about what was
    left out.

    Raises OSError if a file cannot be written, FileExistsError without the option `force` if a file beside
    the OBJ exists. If `step` raises an exception, the export writes no file and lets the exception pass.
    """
    found = posed_parts(source, options, step)
    if output.lower().endswith(".ply"):
        lines = _lost(source, found, "PLY", options.materials)
        kind = vertex_type(
            any(part.coordinates is not None for part in found),
            any(part.colors is not None for part in found),
        )
        with replaced(output) as file:
            file.write(ply_bytes([(_vertices(part, kind), part.triangles) for part in found]))
    else:
        lines = _write_obj(source, found, options, output)
    left_out = sum(part.flat for part in found)
    if left_out:
        many = counted(left_out, "geometry", "geometries")
        lines.append(f"wrote {many} of lines or points as vertices without faces")
    return lines


def _lost(source: ExportSource, parts: list[PosedPart], name: str, materials: bool) -> list[str]:
    """The line about what the format called `name` cannot hold."""
    used = [source.model.materials[part.material] for part in parts if part.material is not None]
    kept = [each for each in used if each.found is not None or each.units]
    lost = [
        ("materials", name == "PLY" and materials and bool(kept)),
        ("textures", name == "PLY" and materials and any(each.units for each in kept)),
        ("vertex colours", name == "OBJ" and any(part.colors is not None for part in parts)),
        ("more than one set of texture coordinates", any(part.further for part in parts)),
    ]
    named = [text for text, is_lost in lost if is_lost]
    return [f"{name} cannot hold {', '.join(named)}"] if named else []


def _write_obj(
    source: ExportSource, parts: list[PosedPart], options: ExportOptions, output: str
) -> list[str]:
    """Write an OBJ, its materials and their pictures; return messages about what was left out."""
    lines = _lost(source, parts, "OBJ", options.materials)
    paths = (*source.paths.values(), *(each.path for each in source.model.textures))
    pictures = PictureFiles(output, filter(None, paths))
    library = MaterialLibrary(source, pictures if options.textures == "files" else None)
    used = [part.material for part in parts if part.material is not None and options.materials]
    names = {number: library.name(number) for number in used}
    folder, name = os.path.split(output)
    beside = f"{os.path.splitext(name)[0]}.mtl"
    files: dict[str, Iterable[bytes]] = {}
    if names:
        text = "".join(library.lines()).encode("utf-8", "replace")
        found = {each: picture.data for each, picture in pictures.pictures.items()} | {beside: text}
        files = {os.path.join(folder, each): (data,) for each, data in found.items()}
    existing = next(filter(os.path.lexists, files), None)
    if existing is not None and not options.force:
        raise FileExistsError(errno.EEXIST, "exists already", existing)
    obj = (line.encode("utf-8", "replace") for line in _obj(parts, names, beside))
    write_together(output, files | {output: obj})
    if options.textures == "embed" and any(source.model.materials[number].units for number in names):
        lines.append("OBJ cannot hold textures: they can be written as files beside it")
    return lines + library.messages + pictures.messages


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
    number = part.geometry.material
    material = None if number is None else model.materials[number]
    sets = {name for name in UV_SETS if column_of(model, part.lod, name) is not None}
    chosen = f"uv{material.uv_set}" if material is not None and f"uv{material.uv_set}" in sets else "uv0"
    stored = values(model, part.lod, chosen, part.rows)
    coordinates = None if stored is None else finite(stored)[:, :2]
    if coordinates is not None and material is not None:
        coordinates = _placed(coordinates, material)
    dyed = values(model, part.lod, "color0", part.rows)
    colors = None if dyed is None else np.full((len(part.rows), 4), 255, np.uint8)
    if dyed is not None and colors is not None:
        colors[:, : dyed.shape[1]] = np.rint(np.clip(finite(dyed), 0, 1) * 255)
    flat = part.mode != MODES[Primitive.TRIANGLES]
    triangles = np.empty((0, 3), np.int64) if flat else part.corners.reshape(-1, 3).astype(np.int64)
    name = part.geometry.name or f"geometry {part.number}"
    further = len(sets) > 1
    return PosedPart(name, placed, turned, coordinates, triangles, flat, colors, number, further)


def _placed(coordinates: Array, material: Material) -> Array:
    """The coordinates at which the material samples its texture."""
    u, v = np.array(material.u_offset), np.array(material.v_offset)
    if not np.isfinite((u, v)).all():
        return coordinates
    return np.stack((coordinates @ u[:2] + u[3], coordinates @ v[:2] + v[3]), axis=1)


def _vertices(part: PosedPart, kind: np.dtype[np.void]) -> Array:
    """The vertices of a PLY. Vertices without colour are white."""
    out = np.zeros(len(part.points), kind)
    if "coordinates" in (kind.names or ()) and part.coordinates is not None:
        out["coordinates"] = part.coordinates * (1, -1) + (0, 1)
    if "color" in (kind.names or ()):
        out["color"] = 255 if part.colors is None else part.colors
    out["position"] = part.points
    if part.normals is not None:
        out["normal"] = part.normals
    return out


def _obj(parts: list[PosedPart], materials: Mapping[int, str], library: str) -> Iterator[str]:
    """Yield the lines of an OBJ file. In an OBJ file V is 0 at the lower edge of the texture. `materials` are
    the names of materials in the file `library` beside it.
    """
    first = np.ones(3, np.int64)
    if materials:
        yield f"mtllib {library}\n"
    for part in parts:
        yield f"o {' '.join(part.name.split()) or 'geometry'}\n"
        if materials:
            yield f"usemtl {NO_MATERIAL if part.material is None else materials[part.material]}\n"
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
