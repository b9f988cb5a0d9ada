"""Describes a file in lines of text for `git diff`. The lines change only with the file's content.

The lines contain no file names, because git compares copies in a temporary folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np

from viewer.animation.key_times import keys
from viewer.arrays import Array, damaged_numbers
from viewer.binary.span import Rows, Span, VariableRows
from viewer.compare.diff.comparing import PART_DIFFERENCES
from viewer.compare.diff.values import value_text
from viewer.errors import ViewerError
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.material import Image
from viewer.scene.model import LOD_UNITS, Lod, Model, VertexBuffer
from viewer.scene.names import path_key
from viewer.scene.package import Package
from viewer.scene.parts import PART_KINDS, PartOwner
from viewer.scene.skeleton import Skeleton

OTHER_FILES = "WoW"
"""The format family that stores some keys, and all vertex buffers except the first one, outside the model
file.
"""
UNNAMED = "Urho3D"
"""The format family whose model files do not name materials, because other files assign them."""
TREE_LINES = 100_000
"""The largest number of lines of a span tree. A span tree describes files that have no special description.
"""


def description(document: Document) -> Iterator[str]:
    """Yield the lines that describe a document. Bulk data are described by their range and checksum, all
    other fields by their value.
    """
    yield f"{document.format} {document.version}"
    yield f"{len(document.data)} bytes, checksum {crc32(document.data):08x}"
    yield from (f"error: {error.why}" for error in document.report.errors)
    content = document.content
    with damaged_numbers():
        if isinstance(content, Model):
            yield from _model(content, document)
        elif isinstance(content, Package):
            yield from _package(content)
        elif isinstance(content, Image):
            yield f"picture {content.size[0]} × {content.size[1]} {content.encoding}"
            yield from (f"level {number}: {_range(level)}" for number, level in enumerate(content.levels))
        elif isinstance(content, Skeleton):
            yield from _bones(content)
        elif not isinstance(content, Animation):
            yield from _tree(document.root)
        yield from _clips(document)


def _model(model: Model, document: Document) -> Iterator[str]:
    if model.bounds is not None:
        yield f"bounds {_numbers(model.bounds.ravel())}"
    own = slice(1 if document.format.startswith(OTHER_FILES) else None)
    for number, buffer in enumerate(model.vertex_buffers[own]):
        yield from _buffer(number, buffer)
    if not any(each.path.lower().endswith(".skin") for each in document.attached):
        yield from _geometries(model, with_materials=not document.format.startswith(UNNAMED))
        for material in model.materials if path_key(document.path) in _material_files(model) else ():
            yield f"material {material.name}: {material.blend}"
    for morph in model.morphs:
        yield f"morph {morph.name}: weight {morph.weight:g}"
        for target in morph.targets:
            count = f"{len(target.vertices)} vertices {_checksum(target.vertices)}"
            deltas = "" if target.positions is None else f", {_range(target.positions)}"
            yield f"  buffer {target.buffer}: {count}{deltas}"
    skeleton = model.skeleton
    if skeleton is not None and all(each.content is not skeleton for each in document.attached):
        yield from _bones(skeleton)
    for kind in (PART_KINDS[item] for item, differences in PART_DIFFERENCES.items() if differences is None):
        for number, part in enumerate(kind.parts(PartOwner(model))):
            yield f"{kind.noun} {number} {kind.name(part)}".rstrip()


def _material_files(model: Model) -> set[str]:
    return {path_key(material.found) for material in model.materials if material.found}


def _buffer(number: int, buffer: VertexBuffer) -> Iterator[str]:
    yield f"vertex buffer {number}: {buffer.count} vertices"
    for element in buffer.elements:
        column = buffer.column(element.semantic)
        assert column is not None, "a buffer has a column for each element"
        yield f"  {element.semantic} {element.type}×{element.components}: {_range(column)}"


def _geometries(model: Model, with_materials: bool) -> Iterator[str]:
    """Yield the lines of the geometries; with `with_materials`, also of their materials."""
    for geometry in model.geometries:
        used = geometry.material if with_materials else None
        material = f" material {model.materials[used].name}" if used is not None else ""
        yield f"{geometry.name or 'geometry'}:{material}"
        for number, lod in enumerate(geometry.lods):
            yield f"  level {number}: {lod.count} indices, {lod.primitive.value}{_drawn(model, lod)}"


def _drawn(model: Model, lod: Lod) -> str:
    """Describe the value at which a level of detail starts, and the checksum of its indices."""
    begins = f", {LOD_UNITS[model.lod_strategy]} {value_text(lod.distance)}"
    if lod.indices is None:
        return begins
    indices = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count]
    return f"{begins}, checksum {_checksum(indices.astype(np.uint32))}"


def _bones(skeleton: Skeleton) -> Iterator[str]:
    for bone, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[bone])
        under = skeleton.names[parent] if parent >= 0 else "none"
        rest = skeleton.positions[bone], skeleton.rotations[bone], skeleton.scales[bone]
        yield f"bone {name}: under {under}, " + ", ".join(map(_numbers, rest))
        if skeleton.inverse_bind is not None:
            yield f"  inverse bind {_numbers(skeleton.inverse_bind[bone].ravel())}"
        if skeleton.hitboxes and skeleton.hitboxes[bone] is not None:
            hitbox = skeleton.hitboxes[bone]
            assert hitbox is not None, "the bone has a hitbox"
            box = "" if hitbox.box is None else f" box {_numbers(hitbox.box.ravel())}"
            yield f"  hitbox {value_text(hitbox.radius)}{box}"


def _clips(document: Document) -> Iterator[str]:
    """Yield the lines of the animations in the file itself. Animations of files beside it are left out."""
    own = path_key(document.path)
    for clip in document.animations:
        if clip.source and path_key(clip.source) != own:
            continue
        yield f"animation {clip.name}: {clip.duration:g} s"
        if document.format.startswith(OTHER_FILES) or clip.missing_file is not None:
            continue
        try:
            yield from _tracks(clip)
        except ViewerError as error:
            yield f"  not readable: {error}"


def _tracks(clip: Animation) -> Iterator[str]:
    for event in clip.events:
        yield f"  event {event.time:g} s {event.name}"
    for track in clip.tracks:
        times = f"{len(track.times)} keys, times {_range(track.times)}" if len(track.times) else "no keys"
        yield f"  {track.target} {track.path}: {times}, {_range(track.values)}"
    for name, row in zip(keys(clip).targets, range(len(keys(clip).targets)), strict=True):
        if name not in clip.targets:
            yield f"  {name}: {len(keys(clip).row(row))} keys"


def _package(package: Package) -> Iterator[str]:
    for number, name in enumerate(package.names):
        checksum = package.checksum_text(number).lower() or "none"
        yield f"{name}: {int(package.sizes[number])} bytes, checksum {checksum}"


def _tree(root: Span) -> Iterator[str]:
    """Yield a line for each span of a file, without bulk data. Offsets are left out, because one changed size
    would change all later offsets.
    """
    waiting, lines = [(0, iter(root.passing_children))], 0
    while waiting and lines < TREE_LINES:
        depth, spans = waiting[-1]
        span = next(spans, None)
        if span is None:
            waiting.pop()
            continue
        lines += 1
        value = value_text(span.value) if span.value is not None else ""
        yield f"{'  ' * min(depth, 24)}{span.name} {value}".rstrip()
        children: Sequence[Span] = span.passing_children
        if isinstance(children, VariableRows) or not isinstance(children, Rows):
            waiting.append((depth + 1, iter(children)))


def _numbers(values: Array) -> str:
    return " ".join(f"{float(value):.6g}" for value in values)


def _range(values: Array) -> str:
    """Describe an array by the smallest and the largest number of each column, and a checksum."""
    if not values.size or values.ndim > 2:
        return f"checksum {_checksum(values)}"
    table = values if values.ndim == 2 else values.reshape(-1, 1)
    low, high = table.min(axis=0), table.max(axis=0)
    return f"{_numbers(low)} to {_numbers(high)}, checksum {_checksum(values)}"


def _checksum(values: Array) -> str:
    return f"{crc32(np.ascontiguousarray(values).data):08x}"
