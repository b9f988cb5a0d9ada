"""Reads worn items from the game's table of item displays: their textures in the regions of the body, and the
geosets that a look shows.

Source: re-implementations of the client (whoa, OpenWow); measured on tables of 1.12.1 and 3.3.5a; wowdev.wiki
ItemDisplayInfo, HelmetGeosetVisData.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.families.wow.looks.characters import BALD, FACE, FACIAL_GROUPS, HELMETS, ITEMS, CharacterTables
from viewer.families.wow.looks.files import GameFiles
from viewer.families.wow.looks.look import SLOTS, WowLook, area_of
from viewer.scene.characters import ItemEntry, WornFile
from viewer.scene.model import GROUP
from viewer.scene.table import Table

REGIONS = {
    "AU": "ArmUpperTexture",
    "AL": "ArmLowerTexture",
    "HA": "HandTexture",
    "TU": "TorsoUpperTexture",
    "TL": "TorsoLowerTexture",
    "LU": "LegUpperTexture",
    "LL": "LegLowerTexture",
    "FO": "FootTexture",
}
"""The folders of the textures by region, in the order of the columns."""
PRIORITIES: Mapping[str, Mapping[str, int]] = {
    "shirt": {"AU": 0, "AL": 0, "TU": 0, "TL": 0},
    "chest": {"AU": 1, "AL": 1, "TU": 1, "TL": 1, "LU": 1, "LL": 1},
    "legs": {"LU": 0, "LL": 0},
    "waist": {"TL": 5, "LU": 2},
    "feet": {"LL": 2, "FO": 0},
    "wrist": {"AL": 2},
    "hands": {"AL": 3, "HA": 0},
    "tabard": {"TU": 4, "TL": 4},
}
"""The priority of a slot's texture by region; textures with higher priorities are drawn later. A slot has no
texture in a region that is not listed.
"""
RAISED: Mapping[tuple[str, str], tuple[int, int]] = {
    ("chest", "AL"): (0, 5),
    ("chest", "LL"): (2, 4),
    ("legs", "LL"): (2, 4),
    ("feet", "LL"): (0, 3),
    ("hands", "AL"): (0, 6),
}
"""Two numbers by slot and region: the index of one of the item's geoset numbers, and the priority of the
texture if this geoset number is not 0.
"""
UNDER_ROBE = 3
"""The priority of the lower legs of trousers while a robe is worn over the trousers. It applies to trousers
with a skirt.
"""
COVERS_TROUSERS = 4
"""A flag of chest items that hide the trousers."""
BARE_FEET = 2
"""A flag of races that wear nothing on their feet."""
LAST_GEOSET = 2000
"""The largest id of the geosets that a look chooses."""
NAKED = dict.fromkeys(range(1, 19), 1) | {7: 2}
"""The variant of each group that is shown without items."""
HELMET_GROUPS = (0, 1, 2, 3, 7, 16, 17)
"""The groups that a helmet can hide, in the order of the columns."""
EYE_GLOW, DEATH_KNIGHT_EYES = 17, 3
MOST_RACES = 32
NAMES = (
    *("model_1", "model_2", "model_texture_1", "model_texture_2"),
    *(f"texture_{number}" for number in range(1, len(REGIONS) + 1)),
)
"""The columns with names of models and textures."""
MODEL_NAMES = NAMES[:2]
OBJECT_FOLDERS = {
    "head": ("Head",),
    "shoulder": ("Shoulder",),
    "back": ("Cape",),
    "off-hand": ("Shield", "Weapon"),
    "quiver": ("Quiver",),
}
"""The folders of the models and capes of a slot."""
NAMED_SLOTS = ("shoulder", "quiver")
"""Slots whose names are in the file names of their models, such as `quiver` in `Quiver_A_01.m2`."""
SLOT_WORDS: Mapping[str, Sequence[str]] = {
    "shirt": ("shirt", "chest", "sleeve"),
    "chest": ("chest", "sleeve", "robe"),
    "legs": ("pant",),
    "waist": ("belt",),
    "feet": ("boot",),
    "wrist": ("bracer",),
    "hands": ("glove",),
    "tabard": ("tabard",),
}
"""Words in the names of the textures of a body slot, such as `pant` in `Cloth_A_01Brown_Pant_LU`. The
textures of tabards also have the word `chest`.
"""
TYPICAL: Mapping[str, str] = {
    "shirt": "TU",
    "chest": "TU",
    "legs": "LU",
    "waist": "TL",
    "feet": "FO",
    "wrist": "AL",
    "hands": "HA",
    "tabard": "TU",
}
"""The region that items of a body slot cover."""
LISTED, MOST_HITS, LARGEST_ID = 200, 100_000, 2**31 - 1
"""Three limits: the number of listed items, the number of compared names, and the largest id."""


class WornItem(NamedTuple):
    """A worn item. `parts` are the numbers by which the item chooses geosets. `textures` are its texture
    names by region. `models` are the names of two models, and `skins` are the names of the textures of these
    models. `helmets` are rows of hidden geosets by sex.
    """

    slot: str
    id: int
    parts: tuple[int, int, int]
    flags: int
    textures: Mapping[str, str]
    models: tuple[str, str]
    skins: tuple[str, str]
    helmets: tuple[int, int]
    visual: int

    @property
    def source(self) -> str:
        """The row as users see it."""
        return f"{ITEMS} {self.id} ({self.slot})"

    @property
    def title(self) -> str:
        """The first name of its models and textures, and its id."""
        return ItemEntry(
            self.id, (*filter(None, (*self.models, *self.skins, *self.textures.values())),)
        ).title


Items = Mapping[str, WornItem]
"""Worn items by slot."""


def items_of(look: WowLook, tables: CharacterTables) -> tuple[Items, list[str]]:
    """Read the items of a look. The second value has a line for each item that no table has."""
    if not look.items:
        return {}, []
    table = tables.place.table(ITEMS, "id", "model_1", "geoset_1", "flags", "helmet_male", "texture_1")
    if table is None:
        fault = "does not fit" if tables.place.has(ITEMS) else "is missing"
        return {}, [f"{ITEMS} {fault}, so no items are shown"]
    found: dict[str, WornItem] = {}
    lines: list[str] = []
    for slot, id in look.items:
        row = table.row_of(id)
        if slot not in SLOTS or row is None:
            lines.append(f"item {id} ({slot}) is not in {ITEMS}")
            continue

        def text(name: str, row: int = row) -> str:
            return str(table.value(row, table.column(name) or 0)).strip()

        def number(name: str, row: int = row) -> int:
            return int(table.records[name][row])

        found[slot] = WornItem(
            slot,
            id,
            (number("geoset_1"), number("geoset_2"), number("geoset_3")),
            number("flags"),
            {region: name for n, region in enumerate(REGIONS, 1) if (name := text(f"texture_{n}"))},
            (text("model_1"), text("model_2")),
            (text("model_texture_1"), text("model_texture_2")),
            (number("helmet_male"), number("helmet_female")),
            number("item_visual"),
        )
    helmet, race = found.get("head"), tables.race
    if helmet is not None and helmet.helmets[race.sex] and not 0 <= race.id < MOST_RACES:
        lines.append(f"item {helmet.id} (head) hides no geosets: {HELMETS} has no bit for race {race.id}")
    return found, lines


def item_layers(items: Items, tables: CharacterTables, files: GameFiles) -> list[WornFile]:
    """The layers of the items from the lowest to the highest. A layer whose file is missing has no path."""
    chest = items.get("chest")
    found: list[tuple[int, WornFile]] = []
    for slot, priorities in PRIORITIES.items():
        item = items.get(slot)
        for region, priority in priorities.items() if item is not None else ():
            if item is None or region not in item.textures:
                continue
            if slot == "legs" and chest is not None and chest.flags & COVERS_TROUSERS:
                continue
            if region == "FO" and tables.race.flags & BARE_FEET:
                continue
            part, raised = RAISED.get((slot, region), (0, priority))
            if item.parts[part]:
                priority = UNDER_ROBE if slot == "legs" and region == "LL" and _is_robe(chest) else raised
            name, path = _region_file(item.textures[region], region, tables.race.sex, files)
            found.append((priority, WornFile(region, name, path, item.source, area_of(region))))
    return [layer for _, layer in sorted(found, key=lambda each: each[0])]


def _is_robe(chest: WornItem | None) -> bool:
    return chest is not None and chest.parts[2] != 0


def _region_file(name: str, region: str, sex: int, files: GameFiles) -> tuple[str, str | None]:
    """The name and the path of an item's texture: the file for both sexes if it exists, else the file for
    this sex.
    """
    bases = [f"Item\\TextureComponents\\{REGIONS[region]}\\{name}_{end}.blp" for end in ("U", "MF"[sex])]
    return next(((each, path) for each in bases if (path := files.path(each))), (bases[0], None))


def geosets_of(look: WowLook, items: Items, tables: CharacterTables) -> tuple[int, ...]:
    """The geosets that a look shows: 0, the hair, and one geoset of each further group. An id that the model
    lacks shows nothing.
    """
    chosen = {group: GROUP * group + variant for group, variant in NAKED.items()}
    chosen[0] = tables.hair_geosets.get(look.hair, BALD) or BALD
    parts = tables.facial_parts(look.facial_hair)
    if parts is not None:
        chosen.update(
            (group, GROUP * group + part) for group, part in zip(FACIAL_GROUPS, parts, strict=False)
        )
    if _glows(look, tables):
        chosen[EYE_GLOW] = GROUP * EYE_GLOW + DEATH_KNIGHT_EYES
    for group, variant in _worn_variants(items):
        chosen[group] = GROUP * group + variant
    for group in _hidden_groups(items.get("head"), tables):
        chosen[group] = BALD if group == 0 else GROUP * group + 1
    hidden = set(_covered(items))
    return (0, *(chosen[group] for group in sorted(chosen) if group not in hidden))


def _glows(look: WowLook, tables: CharacterTables) -> bool:
    """Whether the eyes glow like those of a death knight."""
    face = tables.section(FACE, look.face, look.skin)
    return face is not None and tables.is_death_knight(face)


def _worn_variants(items: Items) -> Iterator[tuple[int, int]]:
    """Yield the variants that items choose: a group, and the variant in it."""
    shirt, chest, legs, feet = (items.get(slot) for slot in ("shirt", "chest", "legs", "feet"))
    if feet is not None:
        yield 5, 1 + feet.parts[0]
    if shirt is not None:
        above = (items[slot] for slot in ("wrist", "hands") if slot in items)
        if chest is None and not any("AL" in each.textures for each in above):
            yield 8, 1 + shirt.parts[0]
        yield 10, 1 + shirt.parts[1]
    if chest is not None:
        yield 8, 1 + chest.parts[0]
        yield 10, 1 + chest.parts[1]
    if legs is not None:
        yield 11, 1 + legs.parts[0]
        yield 9, 1 + legs.parts[1]
        yield 13, 1 + legs.parts[2]
    if chest is not None and (chest.parts[2] or legs is None):
        yield 13, 1 + chest.parts[2]
    for slot, group in (("hands", 4), ("tabard", 12), ("back", 15), ("waist", 18)):
        if slot in items:
            yield group, 1 + items[slot].parts[0]
    if "tabard" in items:
        yield 10, 1
        if legs is not None and legs.parts[0] in (1, 2):
            yield 11, 1


def _covered(items: Items) -> Iterator[int]:
    """Yield the groups that items cover, which show nothing."""
    robe = any(items[slot].parts[2] for slot in ("chest", "legs") if slot in items)
    if robe:
        yield from (5, 9, 11)
    if "hands" in items and items["hands"].parts[0]:
        yield 8
    if not robe and "legs" in items and items["legs"].parts[0] == 3:
        yield 13  # wide trousers cover the geosets of the hips


def _hidden_groups(helmet: WornItem | None, tables: CharacterTables) -> Iterator[int]:
    """Yield the groups that a helmet hides on the race."""
    row_id = helmet.helmets[tables.race.sex] if helmet is not None else 0
    table = tables.place.table(HELMETS, "id", "hides_1") if row_id else None
    row = table.row_of(row_id) if table is not None else None
    if table is None or row is None or not 0 <= tables.race.id < MOST_RACES:
        return
    for number, group in enumerate(HELMET_GROUPS, 1):
        name = f"hides_{number}"
        if table.column(name) is not None and int(table.records[name][row]) >> tables.race.id & 1:
            yield group


def find_items(slot: str, text: str, tables: CharacterTables, files: GameFiles) -> Iterator[ItemEntry]:
    """Yield the first items that fit a slot and whose id or names contain all words of a text, by id. The
    files of an item are searched when it is yielded.
    """
    table = tables.place.table(ITEMS, "id", "model_1", "texture_1")
    if table is None:
        return
    rows = np.flatnonzero(_fits(table, slot))
    for word in text.split():
        found = _named(table, rows, word)
        if word.isdecimal():
            found |= table.records["id"][rows] == min(int(word), LARGEST_ID)
        rows = rows[found]
    rows = rows[np.argsort(table.records["id"][rows], kind="stable")][:LISTED]
    yield from (_entry(table, slot, int(row), tables, files) for row in rows)


def _fits(table: Table, slot: str) -> Array:
    """Whether each row [R] may be an item of a slot, by the columns that it fills and the names in them.

    An item of a body slot covers only regions of this slot. Its textures have a word of this slot in their
    names; if no name has a word of any slot, the item covers the region that is typical of the slot.
    """
    records, every = table.records, np.arange(len(table))
    own = PRIORITIES.get(slot, {})
    if own:
        filled = {region: records[f"texture_{number}"] != 0 for number, region in enumerate(REGIONS, 1)}
        inside = ~np.any([filled[region] for region in REGIONS if region not in own], axis=0)
        words = {word for each in SLOT_WORDS.values() for word in each}
        named = {word: _named(table, every, word, NAMES[4:]) for word in words}
        fits = np.any([named[word] for word in SLOT_WORDS[slot]], axis=0)
        fits |= ~np.any([*named.values()], axis=0) & filled[TYPICAL[slot]]
        if slot != "tabard":
            fits &= ~named["tabard"]
        return np.asarray(inside & fits & np.any([filled[region] for region in own], axis=0))
    if slot == "back":
        return np.asarray((records["model_1"] == 0) & (records["model_texture_1"] != 0))
    has_model = records["model_1"] != 0
    if slot in NAMED_SLOTS:
        return np.asarray(has_model & _named(table, every, slot, MODEL_NAMES))
    head = (records["helmet_male"] != 0) | (records["helmet_female"] != 0)
    head |= _named(table, every, "helm", MODEL_NAMES)
    if slot == "head":
        return np.asarray(has_model & head)
    others = [head, *(_named(table, every, each, MODEL_NAMES) for each in NAMED_SLOTS)]
    return np.asarray(has_model & ~np.any(others, axis=0))


def _named(table: Table, rows: Array, word: str, columns: Sequence[str] = NAMES) -> Array:
    """Whether a name of each row contains a word, in any case."""
    block, wanted = table.strings.lower(), word.lower().encode()
    hits: list[int] = []
    at = block.find(wanted)
    while at >= 0 and len(hits) < MOST_HITS:
        hits.append(block.rfind(b"\0", 0, at) + 1)
        at = block.find(wanted, max(block.find(b"\0", at), at) + 1)
    starts = np.array(hits, np.int64)
    found = np.zeros(len(rows), bool)
    for name in columns:
        found |= np.isin(table.records[name][rows], starts)
    return found


def _entry(table: Table, slot: str, row: int, tables: CharacterTables, files: GameFiles) -> ItemEntry:
    names = {name: str(table.value(row, table.column(name) or 0)).strip() for name in NAMES}
    regions = list(zip(REGIONS, (names[f"texture_{n}"] for n in range(1, len(REGIONS) + 1)), strict=True))
    exists = any(
        _region_file(name, region, tables.race.sex, files)[1] is not None for region, name in regions if name
    )
    listed = tuple(dict.fromkeys(filter(None, names.values())))
    if not exists and (names["model_1"] or names["model_texture_1"]):
        exists = any(files.find(each) is not None for each in _objects(slot, names, tables))
    return ItemEntry(int(table.records["id"][row]), listed, exists)


def _objects(slot: str, names: Mapping[str, str], tables: CharacterTables) -> Iterator[str]:
    """Yield the paths at which a model or cape of an item may lie."""
    stem = names["model_1"].rpartition(".")[0]
    for folder in OBJECT_FOLDERS.get(slot, ("Weapon",)):
        end = f"_{tables.race.prefix}{'MF'[tables.race.sex]}" if folder == "Head" else ""
        if stem:
            yield f"Item\\ObjectComponents\\{folder}\\{stem}{end}.m2"
        elif names["model_texture_1"]:
            yield f"Item\\ObjectComponents\\{folder}\\{names['model_texture_1']}.blp"
