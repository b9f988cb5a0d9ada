"""Finds names for the files of an archive without a list of names: in its tables, and in its models.

An archive stores only hashes of names, so each name that a table or a model contains is hashed and looked up.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath

import numpy as np

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.families.wow.dbc.columns import known_tables
from viewer.families.wow.dbc.load import read_table
from viewer.families.wow.mpq.names import NameTable
from viewer.scene.table import Table

FOLDER = "DBFilesClient"
MODELS = (".m2", ".mdx", ".mdl")
"""The suffixes that tables give to models. The file of a model always has the first of these suffixes."""
PICTURE = ".blp"
VIEWS = 4
"""Number of views that a model may have."""
PATH = re.compile(rb"[\w .'()&+\\/-]{2,255}\.(?:blp|mdx|mdl|m2)", re.IGNORECASE)
"""Matches the paths of textures and models in the bytes of a model."""
SEQUENCES = 0x1C
"""The offset in a model's header of two numbers: the count of sequences, and their offset."""
SHORT, SHORT_SINCE, LONG = 64, 264, 68
"""The size of a sequence in bytes: `SHORT` in models of version `SHORT_SINCE` or later, `LONG` in models of
earlier versions. Source: wowdev.wiki M2.
"""
COMPONENTS = (
    *("ArmUpperTexture", "ArmLowerTexture", "HandTexture", "TorsoUpperTexture"),
    *("TorsoLowerTexture", "LegUpperTexture", "LegLowerTexture", "FootTexture"),
)
"""The folders of the textures of items, in the order of their columns."""
OBJECTS = ("Head", "Shoulder", "Weapon", "Shield", "Cape", "Quiver", "Ammo")
NamesByBlock = dict[int, tuple[bytes, int]]
"""The names and the locales of files, by the numbers of their blocks."""


def find_names(
    lookup: NameTable, unnamed: set[int], known_names: Iterable[bytes], read: Callable[[int], bytes]
) -> NamesByBlock:
    """Find names for the blocks `unnamed`. `known_names` are the names of other blocks. `read` returns the
    bytes of a block, or no bytes if the block cannot be read.
    """
    found: NamesByBlock = {}

    def test(names: Iterable[bytes]) -> list[bytes]:
        """Find blocks without a name to which these names belong; return the names that were found."""
        hits = lookup.name_blocks(names)
        new = {block: hits[block] for block in unnamed & hits.keys() - found.keys()}
        found.update(new)
        return [name for name, _ in new.values()]

    tables = lookup.name_blocks(f"{FOLDER}\\{name}.dbc".encode() for name in known_tables().values())
    test(name for name, _ in tables.values())
    new = test(_table_names({name: read(block) for block, (name, _) in tables.items()}))
    waiting = [name for name in (*known_names, *new) if name.lower().endswith(b".m2")]
    for name in waiting[: BUDGET.archive_heads]:
        block = lookup.find(name)
        if block is not None and len(found) < len(unnamed):
            new = test(_model_names(name, read(block)))
            waiting += (each for each in new if each.lower().endswith(b".m2"))
    return found


def _table_names(files: dict[bytes, bytes]) -> Iterator[bytes]:
    """Yield the file names that tables contain, and the file names that the client makes from their texts."""
    tables = {}
    for name, data in files.items():
        path = PurePath(name.decode().replace("\\", "/"))
        try:
            content = read_table(path, data).content if data else None
        except FormatError:
            continue
        if isinstance(content, Table):
            tables[path.stem.casefold()] = content
    for table in tables.values():
        for text in dict.fromkeys(table.strings.split(b"\0")):
            if b"\\" in text or b"/" in text:
                yield from _files(text)
    yield from _skins(tables.get("creaturedisplayinfo"), tables.get("creaturemodeldata"))
    yield from _items(tables.get("itemdisplayinfo"), tables.get("chrraces"))
    extras = tables.get("creaturedisplayinfoextra")
    for baked in _column(extras, "baked_texture") if extras is not None else ():
        yield f"Textures\\BakedNpcTextures\\{baked}".encode()


def _files(path: bytes) -> Iterator[bytes]:
    """Yield the files that a path in a table may mean: a picture, or a model with its views."""
    stem, suffix = os.path.splitext(path.strip())
    if suffix.lower() in (each.encode() for each in MODELS):
        yield stem + MODELS[0].encode()
        yield from (stem + b"%02d.skin" % number for number in range(VIEWS))
    else:
        yield from (path, (stem if suffix.lower() == b".tga" else path) + PICTURE.encode())


def _skins(displays: Table | None, models: Table | None) -> Iterator[bytes]:
    """Yield the textures of creatures, which lie beside their models."""
    if displays is None or models is None:
        return
    model, path = displays.column("model"), models.column("model")
    if model is None or path is None:
        return
    folders = dict(zip(_texts(models, 0), _texts(models, path), strict=True))
    textures = [column for n in range(1, 4) if (column := displays.column(f"texture_{n}")) is not None]
    for column in textures:
        for id, name in dict.fromkeys(zip(_texts(displays, model), _texts(displays, column), strict=True)):
            folder = folders.get(id, "").replace("/", "\\").rpartition("\\")[0]
            if folder and name:
                yield f"{folder}\\{name}{PICTURE}".encode("utf-8", "surrogateescape")


def _items(items: Table | None, races: Table | None) -> Iterator[bytes]:
    """Yield the textures and models of items. A helmet has a model for each race and sex."""
    if items is None:
        return
    prefixes = _column(races, "prefix") if races is not None else []
    for name in _column(items, "model_1"):
        for prefix in prefixes:
            for sex in "MF":
                stem = f"Item\\ObjectComponents\\Head\\{os.path.splitext(name)[0]}_{prefix}{sex}"
                yield from _files(f"{stem}{MODELS[0]}".encode())
    for number, folder in enumerate(COMPONENTS, 1):
        for name in _column(items, f"texture_{number}"):
            for end in "UMF":
                yield f"Item\\TextureComponents\\{folder}\\{name}_{end}{PICTURE}".encode()
    for number in (1, 2):
        for folder in OBJECTS:
            for name in _column(items, f"model_{number}"):
                yield from _files(f"Item\\ObjectComponents\\{folder}\\{name}".encode())
            for name in _column(items, f"model_texture_{number}"):
                yield f"Item\\ObjectComponents\\{folder}\\{name}{PICTURE}".encode()


def _column(table: Table, name: str) -> list[str]:
    """The texts of a column, each once; empty without the column."""
    column = table.column(name)
    texts = [] if column is None else [each.strip() for each in _texts(table, column)]
    return [each for each in dict.fromkeys(texts) if each and each.isprintable() and each.isascii()]


def _texts(table: Table, column: int) -> list[str]:
    return [str(each) for each in table.values(column)]


def _model_names(name: bytes, data: bytes) -> Iterator[bytes]:
    """Yield the names of files that a model names, and of its parts: views, and animations by sequence."""
    for path in dict.fromkeys(PATH.findall(data)):
        yield from _files(path)
    stem = os.path.splitext(name)[0]
    yield from (stem + b"%02d.skin" % number for number in range(VIEWS))
    for id, variation in _sequences(data):
        yield stem + b"%04d-%02d.anim" % (id, variation)


def _sequences(data: bytes) -> set[tuple[int, int]]:
    """The ids and variations of the sequences of a model; empty if they are not in the file."""
    head = np.frombuffer(data, "<u4", min(len(data) // 4, 10)).tolist()
    if len(head) < 10 or data[:4] != b"MD20":
        return set()
    count, start = head[SEQUENCES // 4 : SEQUENCES // 4 + 2]
    step = SHORT if head[1] >= SHORT_SINCE else LONG
    if start + count * step > len(data):
        return set()
    rows = np.frombuffer(data, np.uint8, count * step, start).reshape(count, step)
    return set(map(tuple, rows[:, :4].copy().view("<u2").tolist()))
