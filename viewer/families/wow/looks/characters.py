"""Reads the looks of characters from the game's tables: the choices of a race and sex, the rows of a look,
and the looks of NPCs.

Source: measured on tables of the clients 1.12.1 and 3.3.5a and on composed textures of NPCs;
re-implementations of the client (whoa, OpenWow); wowdev.wiki CharSections, CharacterFacialHairStyles.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.families.wow.looks.files import GameFiles, picture_path
from viewer.families.wow.looks.look import SEXES, SLOTS, SkinChoice, WowChoices, WowLook
from viewer.families.wow.looks.tables import TableLog, TablePlace, places
from viewer.scene.model import GROUP
from viewer.scene.table import Table

RACES, SECTIONS, HAIR, FACIAL = "ChrRaces", "CharSections", "CharHairGeosets", "CharacterFacialHairStyles"
EXTRAS, ITEMS, HELMETS = "CreatureDisplayInfoExtra", "ItemDisplayInfo", "HelmetGeosetVisData"
SKIN, FACE, FACIAL_HAIR, HAIR_STYLE, UNDERWEAR = range(5)
"""The sections of CharSections."""
DEATH_KNIGHT, NPC_SKIN, OLD_NPC_SKIN = 4, 8, 1
"""Flags of CharSections: colours and faces of death knights, skins with a painted face and underwear, and the
same skins in clients before 3.3.5a.
"""
NEWEST = "3.3.5a"
EXTRA_SLOTS = (
    "head",
    "shoulder",
    "shirt",
    "chest",
    "waist",
    "legs",
    "feet",
    "wrist",
    "hands",
    "tabard",
    "back",
)
"""The slots of the item columns of an NPC, in file order."""
BAKED_FOLDER = "Textures\\BakedNpcTextures\\"
"""The folder of the composed body textures of NPCs."""
FACIAL_GROUPS = (1, 3, 2, 16, 17)
"""The geoset groups of the parts of a facial hair style, in the order of the columns."""
BALD = 1
"""The hair geoset of a style without a row or with geoset 0."""


class SectionRow(NamedTuple):
    """A row of CharSections: its id, flags, and the names of its three textures."""

    id: int
    flags: int
    textures: tuple[str, str, str]

    @property
    def source(self) -> str:
        """The row as users see it."""
        return f"{SECTIONS} {self.id}"


class Race(NamedTuple):
    """A race and sex. `name` is the name that players see. `prefix` is the race's abbreviation in names of
    helmet files, `file` its name in names of model files.
    """

    id: int
    sex: int
    name: str
    prefix: str
    flags: int


class CharacterTables:
    """The rows of the tables that belong to a race and sex. A missing table counts as an empty table."""

    def __init__(self, place: TablePlace, race: Race, sections: Table) -> None:
        self.place, self.race = place, race
        self._sections = sections

    @cached_property
    def _by_key(self) -> dict[tuple[int, int, int], int]:
        """The row numbers of CharSections by section, variation and colour. Of several rows with the same
        key, the last row counts. Before 3.3.5a, rows for players count before rows for NPCs.
        """
        records = self._sections.records
        rows = self._of_race(self._sections)
        if not self._newest:
            rows = rows[np.argsort(records["flags"][rows] == 0, kind="stable")]
        keys = (records[name][rows].tolist() for name in ("section", "variation", "color"))
        return dict(zip(zip(*keys, strict=True), rows.tolist(), strict=True))

    @property
    def _newest(self) -> bool:
        return NEWEST in self._sections.clients

    def _of_race(self, table: Table) -> Array:
        records = table.records
        return np.flatnonzero((records["race"] == self.race.id) & (records["sex"] == self.race.sex))

    def section(self, section: int, variation: int, color: int) -> SectionRow | None:
        """The row of a key; None without one, which is normal."""
        row = self._by_key.get((section, variation, color))
        if row is None:
            return None
        table = self._sections
        names = [str(table.value(row, table.column(f"texture_{n}") or 0)) for n in (1, 2, 3)]
        first, second, third = map(picture_path, names)
        return SectionRow(
            int(table.records["id"][row]), int(table.records["flags"][row]), (first, second, third)
        )

    def is_npc(self, row: SectionRow) -> bool:
        """Whether the face and the underwear are painted into a skin."""
        return bool(row.flags & (NPC_SKIN if self._newest else OLD_NPC_SKIN))

    def is_death_knight(self, row: SectionRow) -> bool:
        """Whether a skin or face belongs to death knights."""
        return self._newest and bool(row.flags & DEATH_KNIGHT)

    @cached_property
    def hair_geosets(self) -> dict[int, int]:
        """The hair geosets by style. Of several rows of a style the first counts."""
        table = self.place.table(HAIR, "race", "sex", "style", "geoset")
        rows = self._of_race(table)[::-1] if table is not None else ()
        return {} if table is None else _pairs(table, rows, "style", "geoset")

    @cached_property
    def _facial(self) -> tuple[Table, dict[int, int]] | None:
        table = self.place.table(FACIAL, "race", "sex", "style", "geoset_1", "geoset_2", "geoset_3")
        if table is None:
            return None
        rows = self._of_race(table)
        return table, dict(zip(table.records["style"][rows].tolist(), rows.tolist(), strict=True))

    def facial_parts(self, style: int) -> tuple[int, ...] | None:
        """The parts of a facial hair style, for the groups 100, 300, 200, 1600, 1700; None without a row."""
        found = self._facial
        row = found[1].get(style) if found is not None else None
        if found is None or row is None:
            return None
        names = (f"geoset_{number}" for number in range(1, 6))
        return tuple(int(found[0].records[n][row]) for n in names if found[0].column(n) is not None)

    def pictures(self) -> list[str]:
        """The names of all pictures that the rows of CharSections name for the race and sex, each once."""
        rows, table = self._of_race(self._sections), self._sections
        named = (table.values(table.column(f"texture_{n}") or 0, rows) for n in (1, 2, 3))
        return list(
            dict.fromkeys(filter(None, (picture_path(str(name)) for names in named for name in names)))
        )

    def repeated(self) -> list[tuple[int, ...]]:
        """The ids of the rows of CharSections that share a key: section, variation and colour."""
        records, rows = self._sections.records, self._of_race(self._sections)
        columns = [records[name][rows] for name in ("section", "variation", "color")]
        _, groups, counts = np.unique(np.stack(columns), axis=1, return_inverse=True, return_counts=True)
        ids = records["id"][rows]
        return [tuple(ids[groups.ravel() == group].tolist()) for group in np.flatnonzero(counts > 1)]

    def style_geosets(self) -> dict[int, str]:
        """The geosets that hair styles and facial hair choose, each with the row that chooses it first. Bald
        heads and bare faces are left out.
        """
        found: dict[int, str] = {}
        for style, geoset in self.hair_geosets.items():
            if geoset > BALD:
                found.setdefault(geoset, f"hair {style}")
        for style in sorted(self._facial[1]) if self._facial is not None else ():
            for group, part in zip(FACIAL_GROUPS, self.facial_parts(style) or (), strict=False):
                if part > 1:
                    found.setdefault(GROUP * group + part, f"facial hair {style}")
        return found

    def choices(self, files: GameFiles) -> WowChoices:
        """Read all choices of the race and sex, and the choices whose files exist."""
        keys = sorted(self._by_key)
        skins = [color for section, variation, color in keys if section == SKIN and not variation]
        faces: dict[int, list[int]] = {}
        colors: dict[int, list[int]] = {style: [] for style in self.hair_geosets}
        for section, variation, color in keys:
            if section == FACE:
                faces.setdefault(color, []).append(variation)
            elif section == HAIR_STYLE:
                colors.setdefault(variation, []).append(color)
        facial = sorted(self._facial[1]) if self._facial is not None else []
        kinds = {skin: self._kind(skin) for skin in skins}
        ordered = sorted(skins, key=lambda skin: (kinds[skin] != "", kinds[skin], skin))
        return WowChoices(
            tuple(SkinChoice(skin, kinds[skin]) for skin in skins),
            {skin: tuple(found) for skin, found in faces.items()},
            tuple(sorted(colors)),
            {style: tuple(found) for style, found in colors.items()},
            tuple(facial),
            tuple(self._bodies(ordered, faces, files)),
            tuple(self._heads(colors, files)),
        )

    def _kind(self, skin: int) -> str:
        row = self.section(SKIN, 0, skin)
        if row is None or self.is_npc(row):
            return "NPC" if row is not None else ""
        return "death knight" if self.is_death_knight(row) else ""

    def _bodies(
        self, skins: Iterable[int], faces: dict[int, list[int]], files: GameFiles
    ) -> Iterator[tuple[int, int]]:
        """Yield the pairs of a skin and a face whose files all exist."""
        for skin in skins:
            row = self.section(SKIN, 0, skin)
            below = self.section(UNDERWEAR, 0, skin)
            if row is None or not row.textures[0] or not _exist(row.textures[:2], files):
                continue
            if self.is_npc(row):
                yield skin, next(iter(faces.get(skin, (0,))))
            elif below is None or _exist(below.textures[:2], files):
                for face in faces.get(skin, (0,)):
                    found = self.section(FACE, face, skin)
                    if found is None or _exist(found.textures[:2], files):
                        yield skin, face

    def _heads(self, colors: dict[int, list[int]], files: GameFiles) -> Iterator[tuple[int, int]]:
        """Yield the pairs of a hair style and a colour whose files all exist."""
        for style in sorted(colors):
            for color in colors[style]:
                row = self.section(HAIR_STYLE, style, color)
                if row is not None and _exist(row.textures, files):
                    yield style, color


def _exist(names: Iterable[str], files: GameFiles) -> bool:
    """Whether the file of each name exists; empty names are left out."""
    return all(files.find(name) is not None for name in names if name)


def _pairs(table: Table, rows: Iterable[int], key: str, value: str) -> dict[int, int]:
    numbers = np.fromiter(rows, np.intp)
    return dict(
        zip(table.records[key][numbers].tolist(), table.records[value][numbers].tolist(), strict=True)
    )


def find_character(path: str, log: TableLog) -> CharacterTables | None:
    """Find the race and sex of a character's model by its file name, such as `GoblinMale.m2`, in the nearest
    tables that have both. None if no race has such a model, or its tables are missing.
    """
    stem = os.path.splitext(os.path.basename(path.replace("\\", "/")))[0].casefold()
    if not stem.endswith(SEXES):
        return None
    sex = 1 if stem.endswith(SEXES[1]) else 0
    for place in places(path, RACES, log):
        race = _race(place, stem.removesuffix(SEXES[sex]), sex)
        sections = place.table(SECTIONS, "id", "race", "sex", "section", "variation", "color", "texture_1")
        if race is None or sections is None:
            continue
        tables = CharacterTables(place, race, sections)
        if len(tables._of_race(sections)):
            return tables
    return None


def _race(place: TablePlace, file: str, sex: int) -> Race | None:
    """The race with models of this name."""
    table = place.table(RACES, "id", "file", "prefix", "flags")
    if table is None:
        return None
    names = [str(each).casefold() for each in table.values(table.column("file") or 0)]
    if file not in names:
        return None
    row = names.index(file)
    named = table.column("name_enUS")
    files = str(table.value(row, table.column("file") or 0))
    return Race(
        int(table.records["id"][row]),
        sex,
        (str(table.value(row, named)) if named is not None else "") or files,
        str(table.value(row, table.column("prefix") or 0)),
        int(table.records["flags"][row]),
    )


def look_of_extra(place: TablePlace, id: int) -> WowLook | None:
    """The look of an NPC, a row of CreatureDisplayInfoExtra; None without such a row."""
    table = place.table(EXTRAS, "id", "race", "sex", "skin", "face", "hair_style", "item_1", "baked_texture")
    row = table.row_of(id) if table is not None else None
    if table is None or row is None:
        return None

    def number(name: str) -> int:
        """The number in a column; 0 if the table of this client has no such column."""
        return int(table.records[name][row]) if table.column(name) is not None else 0

    columns = (*(f"item_{n}" for n in range(1, len(EXTRA_SLOTS))), "cape")
    worn = {slot: number(column) for slot, column in zip(EXTRA_SLOTS, columns, strict=True)}
    return WowLook(
        number("race"),
        min(max(number("sex"), 0), 1),
        number("skin"),
        number("face"),
        number("hair_style"),
        number("hair_color"),
        number("facial_hair"),
        items=tuple((slot, worn[slot]) for slot in SLOTS if worn.get(slot, 0) > 0),
        baked=str(table.value(row, table.column("baked_texture") or 0)).strip(),
    )


def baked_row(place: TablePlace, baked: str) -> str:
    """The row of CreatureDisplayInfoExtra that names a composed body texture, as users see it."""
    table = place.table(EXTRAS, "id", "baked_texture")
    at = table.strings.find(b"\0" + baked.encode(errors="replace") + b"\0") + 1 if table is not None else 0
    if table is None or not at:
        return EXTRAS
    rows = np.flatnonzero(table.records["baked_texture"] == at)
    return f"{EXTRAS} {int(table.records['id'][rows[0]])}" if len(rows) else EXTRAS


def complete_extras(ids: Iterable[int], tables: CharacterTables, files: GameFiles) -> set[int]:
    """The rows of CreatureDisplayInfoExtra among `ids` whose skin exists, or whose composed body texture lies
    beside the other files of the game.
    """
    table = tables.place.table(EXTRAS, "id", "race", "sex", "skin", "baked_texture")
    if table is None:
        return set()
    rows = np.flatnonzero(np.isin(table.records["id"], np.array([*ids], np.int64)))
    named = table.values(table.column("baked_texture") or 0, rows)
    found = set()
    for id, skin, baked in zip(
        table.records["id"][rows].tolist(), table.records["skin"][rows].tolist(), named, strict=True
    ):
        row = tables.section(SKIN, 0, skin)
        if (row and files.find(row.textures[0])) or (baked and files.beside(f"{BAKED_FOLDER}{baked}")):
            found.add(id)
    return found
