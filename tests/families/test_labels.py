"""Labels are for readers: with every node of the tree renamed, items and bytes still find each other."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import ogre_next_files
from tests.ogre_files import NEWEST, rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.shader_files import old_bytes, shader_bytes, words
from tests.synthetic import write_pair
from viewer.binary import Span
from viewer.paths import folder
from viewer.scene.document import Document, items_of
from viewer.scene.items import (
    BoneItem,
    EmitterItem,
    GeometryItem,
    InstructionItem,
    Item,
    KeyItem,
    MorphItem,
    ParameterItem,
    TextureItem,
    TrackItem,
    VertexItem,
)
from viewer.storage.documents import open_document

EMPTY = 0xFFFE0300, 0, 0xFFFF
"""The tokens of a vertex program: its version, an instruction that does nothing, and the end."""
ROWS = 3
"""Items of each table that are compared."""


def written(name: str, data: Callable[[], bytes]) -> Callable[[Path], Path]:
    def write(place: Path) -> Path:
        (place / name).write_bytes(data())
        return place / name

    return write


CASES: dict[str, tuple[Callable[[Path], Path], tuple[Item, ...]]] = {
    "Urho3D model": (write_pair, (BoneItem(1), VertexItem(0, 2), GeometryItem(0), MorphItem(0))),
    "Urho3D animation": (
        lambda place: next(write_pair(place).parent.glob("*.ani")),
        (TrackItem(None, 0), KeyItem(TrackItem(None, 0), 1)),
    ),
    "OGRE mesh": (written("body.mesh", lambda: rich_mesh(NEWEST)), (GeometryItem(0), MorphItem(0))),
    "OGRE-Next mesh": (written("body.mesh", ogre_next_files.rich_mesh), (GeometryItem(0), GeometryItem(1))),
    "OGRE skeleton": (
        written("bones.skeleton", rich_skeleton),
        (BoneItem(1), TrackItem(0, 1), KeyItem(TrackItem(0, 1), 1), KeyItem(TrackItem(1, 0), 1)),
    ),
    "WoW M2": (
        lambda _: folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2",
        (BoneItem(1), VertexItem(0, 2), GeometryItem(0), TextureItem(0), EmitterItem(0)),
    ),
    "shader": (written("a.vs3", shader_bytes), (ParameterItem(0), InstructionItem(0, 2))),
    "old shader": (
        written(
            "b.vs3", lambda: old_bytes({"": words(0xFFFE0300, 0, 0xFFFF), "X": words(0xFFFE0300, 0, 0xFFFF)})
        ),
        (ParameterItem(0), InstructionItem(1, 0)),
    ),
}


def found(document: Document) -> dict[Item, tuple[int, int, Item | None]]:
    """Offset, size and the item found at that offset, of the first items of every table."""
    origin, places = document.origin, {}
    for first, table in origin.tables.items():
        for number in range(min(len(items_of(table).children), ROWS)):
            span = origin.span(first.sibling(number))
            if span is not None:
                places[first.sibling(number)] = span.offset, span.size, origin.item(span.offset)
    return places


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("case", CASES)
def test_items_and_bytes_find_each_other_whatever_nodes_are_called(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, wanted = CASES[case]
    path = make(tmp_path)
    document = open_document(path)
    usual, tracks = found(document), dict(document.origin.tracks)
    assert set(wanted) <= set(usual)
    make_span, numbers = Span.__init__, itertools.count()

    def renamed(span: Span, name: str, *args: Any, **named: Any) -> None:
        make_span(span, name, *args, **named)
        span.name, span.type = f"node {next(numbers)}", "unknown" if span.type == "unknown" else "thing"

    monkeypatch.setattr(Span, "__init__", renamed)
    document = open_document(path)
    assert found(document) == usual and dict(document.origin.tracks) == tracks
    assert next(numbers) > len(usual), "nodes were renamed"
