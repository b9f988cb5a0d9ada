"""Real creatures wear what a short reader of the tables finds."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.conftest import SHARED
from viewer.scene.reading_context import reading_context
from viewer.storage.documents import open_document, wearing

ARCHIVES = SHARED / "corpus" / "archives"
REPOSITORY = "Koward+Improved_Models"
TABLES = reading_context(resources=[str(ARCHIVES / "dbc" / REPOSITORY)])
"""The tables of the game are in a resource folder."""
pytestmark = pytest.mark.skipif(not ARCHIVES.is_dir(), reason="no corpus")


def rows_of(name: str) -> list[tuple[tuple[int, ...], bytes]]:
    """The rows of a table as numbers, each with the block of texts."""
    data = (ARCHIVES / "dbc" / REPOSITORY / "DBFilesClient" / f"{name}.dbc").read_bytes()
    count, fields, size, _ = struct.unpack_from("<4I", data, 4)
    texts = data[20 + count * size :]
    return [(struct.unpack_from(f"<{fields}I", data, 20 + row * size), texts) for row in range(count)]


def text(at: int, texts: bytes) -> str:
    """The text at an offset."""
    return texts[at : texts.index(b"\0", at)].decode()


def wanted(path: str) -> dict[int, list[str]]:
    """The texture names of each display of a model, by display id."""
    ids = {row[0] for row, texts in rows_of("CreatureModelData") if text(row[2], texts).lower() == path}
    return {
        row[0]: [text(at, texts) for at in row[6:9]]
        for row, texts in rows_of("CreatureDisplayInfo")
        if row[1] in ids
    }


@pytest.mark.parametrize("name", ["Bear2", "Frog", "Crocodile"])
def test_each_display_wears_the_textures_of_its_row(name: str) -> None:
    path = ARCHIVES / "models" / REPOSITORY / "Creature" / name / f"{name}.m2"
    document = open_document(path, TABLES)
    found = wanted(f"creature\\{name}\\{name}.mdx".lower())
    assert {each.id: list(each.textures) for each in document.displays.listed} == found and found
    for id, names in found.items():
        model = wearing(document, str(id)).model
        assert model is not None
        skins = [Path(each.path or "").stem.lower() for each in model.textures if each.kind == 11]
        assert skins == [names[0].lower()] * len(skins)


def test_display_706_of_the_bear_is_a_black_bear() -> None:
    path = ARCHIVES / "models" / REPOSITORY / "Creature" / "Bear2" / "Bear2.m2"
    document = wearing(wearing(open_document(path, TABLES), "865"), "706")
    assert document.model is not None and document.displays.worn is not None
    texture = document.model.textures[0]
    assert Path(texture.path or "").name == "bear2SkinBlack.blp" and texture.by == "game"
    assert document.displays.worn.scale == 1.3
    assert texture.decode is not None and texture.decode().levels[0][..., :3].mean() < 60
