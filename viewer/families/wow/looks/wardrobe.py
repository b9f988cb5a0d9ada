"""Finds the textures, geosets and rows for the choices and items of a character's look."""

from __future__ import annotations

import re
from functools import partial
from types import MappingProxyType

from msgspec.structs import replace

from viewer.families.wow.looks.body import (
    BAKED,
    CAPE,
    EXTRA_SKIN,
    HAIR,
    baked_texture,
    body_layers,
    compose,
    other_textures,
    rows_of,
)
from viewer.families.wow.looks.characters import BAKED_FOLDER, CharacterTables, baked_row, find_character
from viewer.families.wow.looks.files import GameFiles
from viewer.families.wow.looks.items import LAST_GEOSET, NAKED, Items, find_items, geosets_of, items_of
from viewer.families.wow.looks.look import SEXES, WHOLE, WowLook
from viewer.families.wow.looks.tables import TableLog
from viewer.families.wow.m2.mesh.textures import picture
from viewer.scene.characters import Character, Choices
from viewer.scene.document import Document
from viewer.scene.looks import Look
from viewer.scene.material import Texture
from viewer.scene.model import GROUP, Model
from viewer.scene.names import file_name
from viewer.storage.search import FoundResource, SearchPath

BODY_KIND = 1
PART_KINDS = {CAPE: 2, HAIR: 6, EXTRA_SKIN: 8}
"""The texture types of the parts of a look besides the body."""
LOOK_KINDS = (BODY_KIND, *PART_KINDS.values(), 15, 16, 17, 18)
"""The texture types for which the user need not choose a file: a look has the file, or no look shows the
texture.
"""
OWN_GROUPS = range(4)
"""The geoset groups of the head. A character without tables shows the lowest geoset of each group."""
PLAIN_SKIN = re.compile(r".*skin00_([0-9]{1,4})\.blp", re.IGNORECASE)
"""Matches the file names of skins, which end in the number of the skin in the table."""


def character_tables(document: Document, log: TableLog) -> CharacterTables | None:
    """Find the tables of a character's model; None for any other model."""
    return find_character(document.path, log) if is_character(document.model) else None


def is_character(model: Model | None) -> bool:
    """Whether a model has a body whose texture the game composes."""
    return model is not None and any(each.kind == BODY_KIND for each in model.textures)


def look_without_tables(model: Model, document: Document) -> Look:
    """The look of a character that no table knows: the geosets without items, the lowest hair and facial hair
    of the model, and the skin with the lowest number beside the model.
    """
    chosen = {group: GROUP * group + variant for group, variant in NAKED.items()}
    known = {each.geoset for each in model.geometries if each.geoset}
    for group in OWN_GROUPS:
        own = [each for each in known if each // GROUP == group]
        if own:
            chosen[group] = min(own)
    textures = {}
    for number, texture in enumerate(model.textures):
        skins = {
            int(found[1]): name
            for name in map(file_name, texture.choices)
            if texture.kind == BODY_KIND and (found := PLAIN_SKIN.fullmatch(name))
        }
        file = SearchPath.around(document.path, document.context).find(skins[min(skins)]) if skins else None
        if isinstance(file, FoundResource):
            textures[number] = replace(picture(texture.name, file, texture), by="name", how="name")
    return Look(textures, (0, *sorted(chosen.values())), last=LAST_GEOSET)


def first_look(tables: CharacterTables, choices: Choices) -> WowLook:
    """The first look of a race and sex whose files all exist."""
    return choices.first(WowLook(tables.race.id, tables.race.sex))


def dress_character(
    looks: tuple[WowLook, WowLook],
    tables: CharacterTables,
    files: GameFiles,
    choices: Choices,
) -> tuple[Character, Items, list[str]]:
    """Return the character in the first of `looks`, the worn items, and a line for each fault of the look.
    The second of `looks` is the look in which the model opens.
    """
    look, plain = looks
    rows = rows_of(look, tables)
    items, lines = items_of(look, tables)
    baked = baked_texture(look, baked_row(tables.place, look.baked), files) if look.baked else None
    layers = (baked,) if baked is not None else tuple(body_layers(rows, items, tables, files))
    if look.baked and baked is None:
        lines.append(f"{BAKED_FOLDER}{look.baked} is missing, so the body is composed from its layers")
    if rows.skin is None:
        lines.append(f"no row has skin {look.skin}")
    character = Character(
        look=look,
        plain=plain,
        choices=choices,
        title=f"{tables.race.name} {SEXES[look.sex]}",
        geosets=geosets_of(look, items, tables),
        rows=MappingProxyType(rows.ids),
        layers=layers,
        textures=tuple(other_textures(look, rows, items, tables, files)),
        titles=MappingProxyType({slot: each.title for slot, each in items.items()}),
        find_items=lambda slot, text: find_items(slot, text, tables, files),
    )
    return character, items, lines


def character_textures(model: Model, character: Character, files: GameFiles) -> dict[int, Texture]:
    """The textures that a character wears, by the number of the model's texture."""
    parts = {PART_KINDS[each.part]: each.name for each in character.textures}
    layers = tuple(n for n in character.layers if n.part == WHOLE or n.key not in character.look.hidden)
    if character.layers[:1] and character.layers[0].part == BAKED:
        parts[BODY_KIND], layers = character.layers[0].name, ()
    found = {}
    for number, texture in enumerate(model.textures):
        file = files.find(parts[texture.kind]) if texture.kind in parts else None
        if file is not None:
            found[number] = picture(file_name(file.name), file, texture)
        elif texture.kind == BODY_KIND and layers and layers[0].path is not None:
            found[number] = replace(
                texture,
                path=layers[0].path,
                by="game",
                decode=partial(compose, layers, files.search.context),
                searched=(),
            )
    return found
