"""Composes the body texture of a character from the textures of its skin, face, hair, underwear and items.

Source: regions and order of the layers from re-implementations of the client (whoa, OpenWow), compared with
composed textures of NPCs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.errors import FormatError
from viewer.families.wow.looks.characters import (
    BAKED_FOLDER,
    FACE,
    FACIAL_HAIR,
    HAIR_STYLE,
    SKIN,
    UNDERWEAR,
    CharacterTables,
    SectionRow,
)
from viewer.families.wow.looks.files import GameFiles
from viewer.families.wow.looks.items import COVERS_TROUSERS, Items, item_layers
from viewer.families.wow.looks.look import ATLAS, REGIONS, WHOLE, WowLook, area_of
from viewer.scene.characters import WornFile
from viewer.scene.material import Image
from viewer.scene.reading_context import ReadingContext
from viewer.storage.image import FILE_LIMIT, decode_image, resized
from viewer.storage.package_path import read_path
from viewer.storage.versions import KeptAnswers

HAIR, EXTRA_SKIN, CAPE, BAKED = "hair", "extra skin", "cape", "composed body"
"""The parts of a look that are not regions of the body texture."""
HIDES_TORSO, HIDES_PELVIS = ("shirt", "chest"), ("legs", "chest")
"""The slots whose textures cover the underwear, if their files exist."""
BEARD_RACE = 8
"""A flag of races whose bald males have a beard in the texture of hair style 1."""
COMPOSED = "composed from layers"
LAYER_BYTES, BODY_BYTES = 32 << 20, 32 << 20
"""How many bytes of decoded layers and of body textures are cached."""
_LAYERS: KeptAnswers[tuple[str, ReadingContext, int, int], Image] = KeptAnswers(LAYER_BYTES)
_BODIES: KeptAnswers[tuple[tuple[WornFile, ...], ReadingContext], Image] = KeptAnswers(BODY_BYTES)


class BodyRows(NamedTuple):
    """The rows of CharSections of a look; None for a row that the table lacks."""

    skin: SectionRow | None
    face: SectionRow | None
    facial_hair: SectionRow | None
    hair: SectionRow | None
    underwear: SectionRow | None

    @property
    def ids(self) -> dict[str, int]:
        """The id of each row that the look has, by the name of its section."""
        named = zip(self._fields, self, strict=True)
        return {name: each.id for name, each in named if each is not None}


def rows_of(look: WowLook, tables: CharacterTables) -> BodyRows:
    """Find the rows of a look. An NPC skin has no face and no underwear, because both are painted into it."""
    skin = tables.section(SKIN, 0, look.skin)
    painted = skin is not None and tables.is_npc(skin)
    return BodyRows(
        skin,
        None if painted else tables.section(FACE, look.face, look.skin),
        tables.section(FACIAL_HAIR, look.facial_hair, look.hair_color),
        tables.section(HAIR_STYLE, look.hair, look.hair_color),
        None if painted else tables.section(UNDERWEAR, 0, look.skin),
    )


def body_layers(rows: BodyRows, items: Items, tables: CharacterTables, files: GameFiles) -> list[WornFile]:
    """The layers of the body texture from the lowest to the highest. Names without files have no path."""
    worn = item_layers(items, tables, files)
    named = (
        (WHOLE, rows.skin, 0),
        ("FL", rows.face, 0),
        ("FU", rows.face, 1),
        ("FL", rows.facial_hair, 0),
        ("FU", rows.facial_hair, 1),
        ("FL", rows.hair, 1),
        ("FU", rows.hair, 2),
        *((region, rows.underwear, n) for n, region in enumerate(("LU", "TU"))),
    )
    below = [_file(part, row, number, files) for part, row, number in named]
    covered = _covered(worn, items)
    kept = (
        each
        for each, (part, row, _) in zip(below, named, strict=True)
        if each is not None and not (row is rows.underwear and part in covered)
    )
    return [*kept, *worn]


def _file(part: str, row: SectionRow | None, number: int, files: GameFiles) -> WornFile | None:
    name = row.textures[number] if row is not None else ""
    return (
        None if row is None or not name else WornFile(part, name, files.path(name), row.source, area_of(part))
    )


def _covered(worn: Iterable[WornFile], items: Items) -> set[str]:
    """The regions of underwear that items cover. A texture whose file is missing covers nothing."""
    covered = set()
    for region, slots in (("TU", HIDES_TORSO), ("LU", HIDES_PELVIS)):
        sources = {items[slot].source for slot in slots if slot in items}
        chest = items.get("chest")
        if region == "LU" and chest is not None and chest.flags & COVERS_TROUSERS:
            continue
        if any(each.part == region and each.path and each.row in sources for each in worn):
            covered.add(region)
    return covered


def other_textures(
    look: WowLook, rows: BodyRows, items: Items, tables: CharacterTables, files: GameFiles
) -> list[WornFile]:
    """The textures of hair, extra skin and cape, as far as the rows name them."""
    hair = rows.hair
    if (hair is None or not hair.textures[0]) and tables.race.flags & BEARD_RACE and not tables.race.sex:
        hair = tables.section(HAIR_STYLE, 1, look.hair_color) if look.hair == 0 else hair
    found = [_file(HAIR, hair, 0, files), _file(EXTRA_SKIN, rows.skin, 1, files)]
    cape = items.get("back")
    if cape is not None and cape.skins[0]:
        name = f"Item\\ObjectComponents\\Cape\\{cape.skins[0]}.blp"
        found.append(WornFile(CAPE, name, files.path(name), cape.source))
    return [each for each in found if each is not None]


def baked_texture(look: WowLook, row: str, files: GameFiles) -> WornFile | None:
    """The composed body texture of an NPC, named by `row` of the table. None if its file is missing, or if
    its name states a folder.
    """
    name = f"{BAKED_FOLDER}{look.baked}"
    path = None if "/" in look.baked or "\\" in look.baked else files.path(name)
    return None if path is None else WornFile(BAKED, name, path, row)


def compose(layers: tuple[WornFile, ...], context: ReadingContext) -> Image:
    """Compose the body texture [height, width, 4] u8 in the size of its first layer. The result is opaque and
    cached. A layer whose file is missing is left out; an unreadable layer is left out with a warning.

    FormatError if the first layer is unreadable or missing.
    """
    shown = tuple(each for each in layers if each.path is not None)
    key = shown, context.of_archives
    return _BODIES.get(key, lambda: _composed(*key), lambda image: image.levels[0].nbytes)


def _composed(layers: tuple[WornFile, ...], context: ReadingContext) -> Image:
    if not layers or layers[0].path is None:
        raise FormatError("the skin of the body texture is missing")
    skin = _level(layers[0].path, context, 0, 0)
    canvas = skin.levels[0].copy()
    canvas[..., 3] = 255
    warnings = [f"the skin {layers[0].name}: {text}" for text in skin.warnings]
    for layer in layers[1:]:
        try:
            faults = _paste(canvas, layer, context)
        except (FormatError, OSError) as error:
            warnings.append(f"the layer {layer.name} of {layer.part} is left out: {error}")
        else:
            warnings.extend(f"the layer {layer.name} of {layer.part}: {text}" for text in faults)
    return Image((canvas,), COMPOSED, tuple(warnings))


def _paste(canvas: Array, layer: WornFile, context: ReadingContext) -> tuple[str, ...]:
    """Blend a layer into its region by its alpha; return the faults of its file."""
    height, width = canvas.shape[:2]
    left, top, across, down = REGIONS[layer.part]
    x0, x1 = left * width // ATLAS, (left + across) * width // ATLAS
    y0, y1 = top * height // ATLAS, (top + down) * height // ATLAS
    if x1 <= x0 or y1 <= y0 or layer.path is None:
        return (f"the skin of {width} × {height} pixels has no room for it",)
    image = _level(layer.path, context, x1 - x0, y1 - y0)
    source = image.levels[0].astype(np.uint16)
    below = canvas[y0:y1, x0:x1, :3]
    alpha = source[..., 3:]
    below[:] = (source[..., :3] * alpha + below * (255 - alpha) + 127) // 255
    return image.warnings


def _level(path: str, context: ReadingContext, width: int, height: int) -> Image:
    """The picture of a layer, scaled to a size in pixels (0: its own size). Decoded layers are cached."""
    return _LAYERS.get(
        (path, context, width, height),
        lambda: _scaled(decode_image(read_path(path, context, FILE_LIMIT)[1], path), width, height),
        lambda image: image.levels[0].nbytes,
    )


def _scaled(image: Image, width: int, height: int) -> Image:
    """The image at a size: the stored level of this size if there is one, else the nearest level, scaled with
    a filter. Sides that are no powers of two are a warning.
    """
    warnings = image.warnings
    if any(side & (side - 1) for side in image.size):
        across, down = image.size
        warnings = (*warnings, f"it has {across} × {down} pixels; the client needs powers of two")
    if not width:
        return Image(image.levels[:1], warnings=warnings)
    large = [each for each in image.levels if each.shape[1] >= width and each.shape[0] >= height]
    nearest = large[-1] if large else image.levels[0]
    if nearest.shape[:2] == (height, width):
        return Image((np.ascontiguousarray(nearest),), warnings=warnings)
    return Image((resized(nearest, width, height),), warnings=warnings)
