"""The one gate for what a format's loader returns: shapes, types, numbers of parts, parents of bones.

The program indexes arrays with what a document says. A document that passed the gate cannot make it read
outside an array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from viewer.arrays import Array
from viewer.binary.span import Span
from viewer.errors import FormatError, Report
from viewer.scene.animation import Animation, LazyAnimation, LazyTracks
from viewer.scene.document import Document
from viewer.scene.material import ALPHA_FUNCTIONS, BLENDS, FACTORS
from viewer.scene.model import Geometry, Lod, Model, VertexBuffer
from viewer.scene.skeleton import Skeleton, refuse_cycles

TYPES = ("u8", "u16", "u32", "i8", "i16", "i32", "f16", "f32", "f64")
"""The component types of vertex elements. Elements of f64 are kept beside others, and are not drawn."""
WIDTHS = {"position": 3, "rotation": 4, "scale": 3}
"""The numbers in a key, by the path of the track."""
CHOICES = {
    "blend": BLENDS,
    "alpha_function": ALPHA_FUNCTIONS,
    "cull": ("back", "front", "none"),
    "fill": ("solid", "wireframe", "point"),
}
"""The possible values of fields of materials."""


def pass_gate(document: Document, strict: bool = False) -> None:
    """Check a document. FormatError with the path of the first part that is wrong. With `strict`, the indices
    of vertices, clips, and the numbers of positions and bones are examined too; readers of built-in families
    do that themselves, and keep what can be kept.
    """
    if not isinstance(document.root, Span) or not isinstance(document.report, Report):
        raise FormatError("a document needs a tree of spans and a report", "document")
    content = document.content
    if isinstance(content, Model):
        _model(content, strict)
    elif isinstance(content, Skeleton):
        _skeleton(content, strict)
    for number, clip in enumerate(document.animations if strict else ()):
        _animation(clip, f"animations[{number}]")


def _refuse(path: str, why: str) -> FormatError:
    return FormatError(why, path)


def _model(model: Model, strict: bool) -> None:
    for number, buffer in enumerate(model.vertex_buffers):
        _vertices(buffer, f"vertex_buffers[{number}]")
    for number, indices in enumerate(model.index_buffers):
        if indices.data.ndim != 1 or indices.data.dtype.kind != "u":
            raise _refuse(f"index_buffers[{number}]", f"has {_kind(indices.data)} instead of u16 or u32 [I]")
    if model.skeleton is not None:
        _skeleton(model.skeleton, strict)
    for number, geometry in enumerate(model.geometries):
        for path, why in _geometry_faults(model, geometry, strict):
            raise _refuse(f"geometries[{number}]{path}", why)
    for number, material in enumerate(model.materials):
        for unit, texture in material.units.items():
            if not 0 <= texture < len(model.textures):
                raise _refuse(
                    f"materials[{number}]/units/{unit}", _outside("texture", texture, model.textures)
                )
        for name, known in CHOICES.items() if strict else ():
            if getattr(material, name) not in known and not (name == "blend" and _is_factors(material.blend)):
                raise _refuse(
                    f"materials[{number}]/{name}",
                    f"is {getattr(material, name)!r}, not one of {', '.join(known)}",
                )
    for number, morph in enumerate(model.morphs):
        for target in morph.targets:
            if not 0 <= target.buffer < len(model.vertex_buffers):
                raise _refuse(
                    f"morphs[{number}]", _outside("vertex buffer", target.buffer, model.vertex_buffers)
                )
            for delta in (target.positions, target.normals, target.tangents):
                if delta is not None and delta.shape != (len(target.vertices), 3):
                    raise _refuse(f"morphs[{number}]", f"has deltas of shape {list(delta.shape)}")
    if model.to_world.shape != (4, 4) or not np.isfinite(model.to_world).all():
        raise _refuse("to_world", "is no finite matrix [4, 4]")
    if not 0 < model.metres < np.inf:
        raise _refuse("metres", f"is {model.metres}")


def _is_factors(blend: str) -> bool:
    factors = blend.split(" ")
    return len(factors) == 2 and {*factors} <= {*FACTORS}


def _vertices(buffer: VertexBuffer, path: str) -> None:
    data = buffer.data
    if data.dtype != np.uint8 or not data.flags.c_contiguous:
        raise _refuse(path, f"has {_kind(data)} instead of contiguous bytes")
    if not 0 <= buffer.count * buffer.stride <= data.size:
        raise _refuse(path, f"has {data.size} bytes for {buffer.count} vertices of {buffer.stride} bytes")
    for element in buffer.elements:
        if element.type not in TYPES or not 1 <= element.components <= 4:
            raise _refuse(f"{path}/{element.semantic}", f"is of {element.components} × {element.type}")
        if not 0 <= element.offset <= buffer.stride - element.dtype.itemsize:
            raise _refuse(f"{path}/{element.semantic}", f"lies outside the {buffer.stride} bytes of a vertex")


def _geometry_faults(model: Model, geometry: Geometry, strict: bool) -> Iterator[tuple[str, str]]:
    """Yield the path and the reason of each fault of a geometry."""
    used = (*([geometry.material] if geometry.material is not None else []), *geometry.layers)
    for material in used:
        if not 0 <= material < len(model.materials):
            yield "/material", _outside("material", material, model.materials)
    bones = geometry.bone_map
    if bones is not None and (bones.ndim != 1 or bones.dtype.kind not in "ui"):
        yield "/bone_map", f"has {_kind(bones)} instead of whole numbers [P]"
    for number, lod in enumerate(geometry.lods):
        why = _level_fault(model, lod, strict)
        if why:
            yield f"/lods[{number}]", why


def _level_fault(model: Model, lod: Lod, strict: bool) -> str:
    """What is wrong with a level of detail; empty if nothing is."""
    for stream in lod.streams:
        if not 0 <= stream < len(model.vertex_buffers):
            return _outside("vertex buffer", stream, model.vertex_buffers)
    vertices = model.vertex_buffers[lod.streams[0]].count if lod.streams else 0
    if lod.indices is None:
        end = vertices
    elif not 0 <= lod.indices < len(model.index_buffers):
        return _outside("index buffer", lod.indices, model.index_buffers)
    else:
        end = len(model.index_buffers[lod.indices].data)
    if lod.start < 0 or lod.count < 0 or lod.start + lod.count > end:
        return f"draws {lod.count} from {lod.start} on, of {end}"
    if strict and lod.indices is not None and lod.count:
        last = int(model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count].max())
        if last >= vertices:
            return f"draws vertex {last} of {vertices}"
    if strict:
        for stream in lod.streams:
            column = model.vertex_buffers[stream].column("position")
            if column is not None and not np.isfinite(column).all():
                return "has positions that are not finite"
    return ""


def _skeleton(skeleton: Skeleton, strict: bool) -> None:
    count = len(skeleton.names)
    shapes: tuple[tuple[str, Array | None, tuple[int, ...]], ...] = (
        ("parents", skeleton.parents, (count,)),
        ("positions", skeleton.positions, (count, 3)),
        ("rotations", skeleton.rotations, (count, 4)),
        ("scales", skeleton.scales, (count, 3)),
        ("inverse_bind", skeleton.inverse_bind, (count, 3, 4)),
        ("pivots", skeleton.pivots, (count, 3)),
    )
    for name, array, shape in shapes:
        if array is not None and array.shape != shape:
            raise _refuse(f"skeleton/{name}", f"has the shape {list(array.shape)} instead of {list(shape)}")
        if strict and array is not None and not np.isfinite(array).all():
            raise _refuse(f"skeleton/{name}", "has numbers that are not finite")
    parents = skeleton.parents
    if parents.dtype.kind != "i" or (count and not -1 <= int(parents.min()) <= int(parents.max()) < count):
        raise _refuse("skeleton/parents", f"are no numbers of {count} bones, or -1 for roots")
    refuse_cycles(skeleton.names, parents)


def _animation(clip: Animation, path: str) -> None:
    """Check a clip. Keys that are read on demand are not read here."""
    if not 0 <= clip.duration < np.inf:
        raise _refuse(path, f"has the duration {clip.duration}")
    if isinstance(clip, LazyAnimation) or isinstance(clip.tracks, LazyTracks):
        return
    for number, track in enumerate(clip.tracks):
        if track.path not in WIDTHS:
            why = f"has the path {track.path!r}, not one of {', '.join(WIDTHS)}"
            raise _refuse(f"{path}/tracks[{number}]", why)
        wide = WIDTHS[track.path]
        if track.values.shape != (len(track.times), wide):
            shape = list(track.values.shape)
            raise _refuse(f"{path}/tracks[{number}]", f"{len(track.times)} times and values of shape {shape}")


def _outside(noun: str, number: int, parts: Sequence[object]) -> str:
    return f"{noun} {number} does not exist: there are {len(parts)}"


def _kind(array: Array) -> str:
    return f"{array.dtype} {list(array.shape)}"
