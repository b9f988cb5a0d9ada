"""Compares materials and textures."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.pictures import PictureBudget, picture_difference
from viewer.compare.diff.values import changed_values
from viewer.errors import FormatError, ViewerError
from viewer.scene.difference import Change, Difference, DifferenceGroup, one_sided
from viewer.scene.items import MaterialItem, TextureItem
from viewer.scene.material import Material, Texture
from viewer.scene.model import Model
from viewer.scene.names import paired, path_key

UNSEEN = ("name", "units", "flipbook", "cube", "shader_known")
"""The fields of a material that are not compared by value: paths and numbers of textures, and a field that
follows from other fields.
"""
SAMPLING = ("address", "border", "filter", "anisotropy", "mipmaps", "srgb", "kind")
MATERIALS, TEXTURES = DifferenceGroup.MATERIALS, DifferenceGroup.TEXTURES


def material_differences(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences of materials in files of one engine. A material whose file is missing is not
    compared. If one document has no materials, no material counts as added or removed.
    """
    first, second = pair.first.materials, pair.second.materials
    if not first or not second or not pair.related:
        if first or second:
            pair.notes.append(f"materials are not compared: {_reason(pair)}")
        return
    names = [[each.name for each in side] for side in (first, second)]
    pairs = paired(*names)
    yield from one_sided(MATERIALS, MaterialItem, names, pairs)
    for number, partner in pairs.items():
        for text in _changes(pair, first[number], second[partner]):
            items = (MaterialItem(number),), (MaterialItem(partner),)
            yield Difference(MATERIALS, Change.CHANGED, first[number].name, text, 0.0, "", (), *items)


def _reason(pair: DocumentPair) -> str:
    """The reason why materials cannot be compared."""
    if pair.first.materials and pair.second.materials:
        return "the files are of two engines"
    return f"none were found for the {'second' if pair.first.materials else 'first'} file"


def _changes(pair: DocumentPair, one: Material, other: Material) -> Iterator[str]:
    """Describe the differences of a material that both documents have."""
    if (one.found is None or other.found is None) and (one.missing or other.missing):
        if one.missing != other.missing:
            pair.unfound.setdefault("material", []).append(one.name)
        return
    units = _units(pair.first, one), _units(pair.second, other)
    yield from changed_values(*units, pair.tolerance, "texture")
    clips = tuple((first[1], second[1]) for first, second in pair.clip_pairs[:4])
    given = (None, None), *clips
    yield from changed_values(one, other, pair.tolerance, without=UNSEEN, clips=given)


def _units(model: Model, material: Material) -> dict[str, str]:
    """The names of a material's textures by texture unit."""
    units = {unit: model.textures[number].name for unit, number in material.units.items()}
    if material.flipbook is not None:
        names = [model.textures[number].name for number in material.flipbook.textures]
        units["flipbook"] = f"{' '.join(names)} in {material.flipbook.duration:g} s"
    if material.cube:
        units["cube"] = " ".join(model.textures[number].name for number in material.cube)
    return units


def texture_differences(pair: DocumentPair) -> Iterator[Difference]:
    """Find textures with the same name whose pictures or sampling differ. Missing textures are not
    compared.
    """
    first, second = pair.first.textures, pair.second.textures
    pairs = paired([each.name for each in first], [each.name for each in second])
    budget = PictureBudget()
    for number, partner in pairs.items():
        items = (TextureItem(number),), (TextureItem(partner),)
        for text in _texture_changes(pair, first[number], second[partner], budget):
            yield Difference(TEXTURES, Change.CHANGED, first[number].name, text, 0.0, "", (), *items)


def _texture_changes(
    pair: DocumentPair, one: Texture, other: Texture, budget: PictureBudget
) -> Iterator[str]:
    if pair.related:
        yield from changed_values(one, other, pair.tolerance, only=SAMPLING)
    if one.path is None or other.path is None:
        if one.path is not other.path:
            pair.unfound.setdefault("texture", []).append(one.name)
        return
    if path_key(one.path) == path_key(other.path) or _same_bytes(one, other):
        return
    try:
        text = picture_difference(one, other, budget)
    except (FormatError, OSError) as error:
        pair.notes.append(f"texture {one.name} is not compared: {error}")
        return
    if text:
        yield text


def _same_bytes(one: Texture, other: Texture) -> bool:
    try:
        return one.read is not None and other.read is not None and one.read() == other.read()
    except (ViewerError, OSError):
        return False
