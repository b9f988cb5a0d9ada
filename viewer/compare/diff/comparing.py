"""Compares two documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from msgspec.structs import replace

from viewer.arrays import damaged_numbers
from viewer.compare.axes_change import likely_change
from viewer.compare.diff.animations import animation_differences
from viewer.compare.diff.bones import bone_differences
from viewer.compare.diff.compiled import compiled_differences
from viewer.compare.diff.deviation import rounded
from viewer.compare.diff.effects import collision_difference, part_differences
from viewer.compare.diff.geometries import geometry_differences
from viewer.compare.diff.materials import material_differences, texture_differences
from viewer.compare.diff.morphs import morph_differences
from viewer.compare.diff.packages import package_differences
from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.pictures import image_difference
from viewer.compare.diff.spans import span_differences, unequal_bytes
from viewer.compare.diff.values import value_text
from viewer.errors import counted
from viewer.scene import items
from viewer.scene.animation import Animation
from viewer.scene.difference import Change, Difference, DifferenceGroup, Differences, in_order
from viewer.scene.document import Content, Document
from viewer.scene.files import ANIMATION, kind_of
from viewer.scene.material import Image
from viewer.scene.maths import lengths
from viewer.scene.model import Model
from viewer.scene.names import path_key
from viewer.scene.package import Package
from viewer.scene.parts import PART_KINDS
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton


@damaged_numbers()
def compare(
    one: Document, other: Document, tolerance: float | None = None, beside: bool = False
) -> Differences:
    """Find the differences between two documents by meaning, not by bytes.

    `tolerance` is the largest distance of equal positions, in units of the first document (None: a fraction
    of its size; 0: every number must be the same). `beside` adds the animations of files beside the
    documents.
    """
    pair = DocumentPair(one, other, tolerance, beside)
    count = unequal_bytes(one.data, other.data)
    unequal = count or beside or not _is_one_file(one, other)
    found = [_with_name(each) for each in _differences(pair)] if unequal else []
    tolerance_used = pair.tolerance.distance
    if count and not found:
        pair.notes += _unexplained(one, other)
    notes = [f"{pair.axes.text} in the second file"] if pair.axes.text else []
    notes += [*dict.fromkeys(pair.notes), *_unfound(pair), *_likely_change(pair, found)]
    return Differences(in_order(found), tuple(notes), count, tolerance_used)


def _is_one_file(one: Document, other: Document) -> bool:
    """Whether both documents are the same file, with the same attached files."""
    return path_key(one.path) == path_key(other.path)


def _unfound(pair: DocumentPair) -> Iterator[str]:
    """Yield a note for each kind of part, such as materials, that has missing files."""
    for kind, names in pair.unfound.items():
        listed = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        yield f"{counted(len(names), kind)} not compared, because one of the files lacks them: {listed}"


def _unexplained(one: Document, other: Document) -> Iterator[str]:
    """Yield a note if bytes of unknown meaning differ."""
    parts = sum(not each.explained for each in span_differences(one, other))
    if parts:
        yield counted(parts, "part of unknown meaning differs", "parts of unknown meaning differ")


def _likely_change(pair: DocumentPair, differences: list[Difference]) -> Iterator[str]:
    """Yield a note if a mirrored axis or another unit explains the moved vertices."""
    if pair.related and any(
        each.group is DifferenceGroup.VERTICES and each.unit == "units" for each in differences
    ):
        text = likely_change(pair.first, pair.second).text
        if text:
            yield f"vertices nearly match apart from a change of axes or unit: in the second file {text}"


def _with_name(each: Difference) -> Difference:
    """Return the difference. If it is about a part without a name, the part gets the name `unnamed`."""
    return each if each.name.strip() else replace(each, name="unnamed")


def _differences(pair: DocumentPair) -> Iterator[Difference]:
    """All differences, unsorted."""
    kinds = _kind(pair.one.content), _kind(pair.other.content)
    if kinds[0] != kinds[1] and not _has_bones_only(pair):
        yield _plain(DifferenceGroup.CONTENT, "content", f"{kinds[0]} → {kinds[1]}")
        return
    if (pair.one.format, pair.one.version) != (pair.other.format, pair.other.version):
        names = [f"{each.format} {each.version}" for each in (pair.one, pair.other)]
        yield _plain(DifferenceGroup.VERSION, "version", f"{names[0]} → {names[1]}", True)
    if isinstance(pair.one.content, Package):
        yield from package_differences(pair.one, pair.other)
    elif isinstance(pair.one.content, Image) and isinstance(pair.other.content, Image):
        text = image_difference(pair.one.content, pair.other.content)
        if text:
            yield _plain(DifferenceGroup.TEXTURES, "picture", text)
    elif kinds[0] != kinds[1]:
        pair.notes.append("only bones and animations are compared, because one of the files has nothing else")
        yield from _bones(pair)
        yield from animation_differences(pair)
    elif isinstance(pair.one.content, Model | Skeleton | Animation):
        for kind, differences in PART_DIFFERENCES.items():
            yield from differences(pair) if differences else part_differences(pair, PART_KINDS[kind])
        yield from collision_difference(pair)
        yield from _bounds(pair)
    elif isinstance(pair.one.content, CompiledShader | CompiledScript):
        found = list(compiled_differences(pair))
        yield from found or _fields(pair)
    else:
        yield from _fields(pair)


def _kind(content: Content) -> str:
    """The kind of a content with its article."""
    name = kind_of(content)
    return f"{'an' if name == ANIMATION.name else 'a'} {name}" if name else "nothing that can be read"


def _has_bones_only(pair: DocumentPair) -> bool:
    """Whether a skeleton is compared with a model that has bones."""
    kinds = type(pair.one.content), type(pair.other.content)
    return set(kinds) == {Model, Skeleton} and pair.skeletons is not None


def _plain(group: DifferenceGroup, name: str, text: str, minor: bool = False) -> Difference:
    return Difference(group, Change.CHANGED, name, text, minor=minor)


def _bones(pair: DocumentPair) -> Iterator[Difference]:
    first, second = pair.first.skeleton, pair.second.skeleton
    if pair.skeletons is not None:
        yield from bone_differences(*pair.skeletons, pair.bones, pair.axes, pair.tolerance)
    elif first is not second:
        missing = pair.lacks("skeleton", ".skel")
        if missing:
            pair.notes.append(f"bones are not compared: {missing} was not found")
        else:
            texts = ["none" if each is None else f"{len(each)} bones" for each in (first, second)]
            yield _plain(DifferenceGroup.BONES, "skeleton", " → ".join(texts))


def _bounds(pair: DocumentPair) -> Iterator[Difference]:
    one, other = pair.first.bounds, pair.second.bounds
    if one is None or other is None:
        if one is not other:
            texts = ["none" if each is None else value_text(each.ravel().tolist()) for each in (one, other)]
            yield _plain(DifferenceGroup.BOUNDS, "bounds", " → ".join(texts), True)
        return
    corners = np.sort(pair.axes.points(other.astype(np.float64)), axis=0)
    most = float(lengths(corners - one).max())
    if most > pair.tolerance.distance:
        text = f"a corner moved by {rounded(most)}"
        yield Difference(DifferenceGroup.BOUNDS, Change.CHANGED, "bounds", text, most, "units", minor=True)


PART_DIFFERENCES: dict[type[items.Item], Callable[[DocumentPair], Iterator[Difference]] | None] = {
    items.BoneItem: _bones,
    items.GeometryItem: geometry_differences,
    items.MaterialItem: material_differences,
    items.TextureItem: texture_differences,
    items.MorphItem: morph_differences,
    items.AnimationItem: animation_differences,
    items.CameraItem: None,
    items.LightItem: None,
    items.AttachmentItem: None,
    items.EventItem: None,
    items.EmitterItem: None,
    items.RibbonItem: None,
    items.ModelItem: lambda pair: iter(()),  # the values of an emitter include its models
}
"""The comparison of each kind of part; None: the values of the parts are compared."""


def _fields(pair: DocumentPair) -> Iterator[Difference]:
    """Yield the fields that differ, for a document whose content has no comparison of its own."""
    for each in span_differences(pair.one, pair.other):
        if each.offset is None or each.other_offset is None:
            change, value = (
                (Change.ADDED, each.other_value) if each.offset is None else (Change.REMOVED, each.value)
            )
            yield Difference(DifferenceGroup.FIELDS, change, each.path, value_text(value))
        else:
            yield _plain(
                DifferenceGroup.FIELDS,
                each.path,
                f"{value_text(each.value)} → {value_text(each.other_value)}",
            )
