"""Listing and searching files with the index."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest

from viewer.library.file_sources import SourceFile
from viewer.library.index.facts import IndexedFile
from viewer.library.index.index import Index
from viewer.library.outcome import Outcome
from viewer.scene.files import FileEntry, FileFacts

DAY = 86_400_000_000_000
PLACE = "/library"
FACTS = {
    "creature/Wolf.m2": FileFacts(
        format="WoW M2 model",
        version="MD20 version 264",
        kind="model",
        bones=80,
        triangles=1200,
        clips=3,
        emitters=2,
        length=2.5,
        bounds=(0.0, 0.0, 0.0, 1.0, 2.0, 3.0),
        bone_names=("Bip01", "Bip01 Head", "Bip01 HeadNub"),
        clip_names=("Walk", "Run", "Stand [1]"),
        texture_names=("wolf.blp", "fur.blp"),
        called="Wolf Howl",
        display_ids=("7", "706"),
        missing=(("texture", "fur.blp"),),
        warnings=("the texture fur.blp is missing",),
    ),
    "creature/Wolf10.mesh": FileFacts(
        format="OGRE mesh",
        version="[MeshSerializer_v1.100]",
        kind="model",
        bones=60,
        triangles=5000,
        clips=1,
        length=0.5,
        clip_names=("sidewalk",),
        material_names=("Fur", "textures/Skin"),
        texture_names=("Größe.TGA", "a.b.tga"),
        missing=(("material", "textures/Skin"),),
    ),
    "creature/Wolf9.mesh": FileFacts(format="OGRE mesh", version="[v]", kind="model", bones=5),
    "broken.mdl": FileFacts(errors=("the file is empty",)),
    "Straße (1).ani": FileFacts(format="Urho3D animation", kind="animation", clip_names=("go",), clips=1),
}
MODIFIED = {"creature/Wolf.m2": 10 * DAY, "broken.mdl": 400 * DAY}
"""Ages of files."""


def listed(names: Sequence[str], place: str = PLACE) -> list[SourceFile]:
    now = time.time_ns()
    return [
        SourceFile(f"{place}/{name}", name, place, 1000 * number, now - MODIFIED.get(name, DAY))
        for number, name in enumerate(names, 1)
    ]


class Known:
    """A runner that knows the facts."""

    def run(self, task: Any, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        for (path,) in calls:
            yield Outcome(path, IndexedFile(FACTS[path.removeprefix(f"{PLACE}/")], path.encode()))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    made = Index(tmp_path_factory.mktemp("cache") / "index.sqlite", pytest.fail)
    list(made.update(listed(list(FACTS)), [PLACE], Known()))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """The place is a folder, without being there."""
    monkeypatch.setattr(os.path, "isdir", lambda path: str(path).startswith(PLACE) and "." not in str(path))


def names(entries: Sequence[FileEntry]) -> list[str]:
    return [each.title for each in entries]


def test_facts_come_back_as_they_were(index: Index) -> None:
    assert {each.name: each.facts for each in index.entries([PLACE])} == FACTS


def test_files_of_a_folder_come_before_its_subfolders_and_numbers_count(index: Index) -> None:
    found = ["broken.mdl", "Straße (1).ani", "Wolf.m2", "Wolf9.mesh", "Wolf10.mesh"]
    assert names(index.entries([PLACE])) == found


@pytest.mark.parametrize(
    ("sort", "first", "first_descending"),
    [
        ("path", "broken.mdl", "Wolf10.mesh"),
        ("name", "broken.mdl", "Wolf10.mesh"),
        ("bones", "broken.mdl", "Wolf.m2"),
        ("size", "Wolf.m2", "Straße (1).ani"),
        ("modified", "broken.mdl", "Straße (1).ani"),
        ("kind", "broken.mdl", "Wolf.m2"),
    ],
)
def test_every_column_sorts_both_ways(index: Index, sort: str, first: str, first_descending: str) -> None:
    assert index.entries([PLACE], sort)[0].title == first
    assert index.entries([PLACE], sort, True)[0].title == first_descending


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "broken Straße Wolf Wolf9 Wolf10"),
        ("wolf", "Wolf Wolf9 Wolf10"),
        ("creature", "Wolf Wolf9 Wolf10"),
        ("library", ""),
        ("name:creature", ""),
        ("STRASSE", "Straße"),
        ("w", "Wolf Wolf9 Wolf10"),
        ("*.mesh", "Wolf9 Wolf10"),
        ("wolf?.mesh", "Wolf9"),
        ("creature/*.m2", "Wolf"),
        ("*.m?", "Wolf"),
        ("*(1)*", None),
        ('"*(1)*"', "Straße"),
        ("name=Wolf.m2", "Wolf"),
        ("bones>60", "Wolf"),
        ("bones:60..", "Wolf Wolf10"),
        ("bones<6", "broken Straße Wolf9"),
        ("triangles:..1200 has:clips", "Straße Wolf"),
        ("length>2s", "Wolf"),
        ("size:..2k", "Wolf Wolf10"),
        ("modified<7d", "Straße Wolf9 Wolf10"),
        ("modified>1y", "broken"),
        ("version:264", "Wolf"),
        ("format:OGRE", "Wolf9 Wolf10"),
        ("format:*mesh", "Wolf9 Wolf10"),
        ("version:[v]", "Wolf9"),
        ("kind=animation", "Straße"),
        ("clip:walk", "Wolf Wolf10"),
        ("clip=walk", "Wolf"),
        ("clip:WAL", "Wolf Wolf10"),
        ("clip:wa", "Wolf"),
        ("clip:s", "Wolf Wolf10"),
        ("clip=go", "Straße"),
        ("clip:*walk", "Wolf Wolf10"),
        ("clip:walk*", "Wolf"),
        ("clip:s*w*k", "Wolf10"),
        ("clip:r?n", "Wolf"),
        ("clip:?o", "Straße"),
        ("clip:*", "Straße Wolf Wolf10"),
        ('clip:"[1]"', None),
        ('clip:"Stand [1]"', "Wolf"),
        ('bone:"Bip01 Head"', "Wolf"),
        ('bone="Bip01 Head"', "Wolf"),
        ("bone=Head", ""),
        ('bone:"Bip01 Run"', ""),
        ("texture:*.tga", "Wolf10"),
        ("texture:größe", "Wolf10"),
        ("material:fur", "Wolf10"),
        ("display:706", "Wolf"),
        ("display:7", "Wolf"),
        ("display:70", ""),
        ("display:70*", "Wolf"),
        ("called:howl", "Wolf"),
        ("missing", "Wolf Wolf10"),
        ("missing:texture", "Wolf"),
        ("missing:fur", "Wolf"),
        ("has:particles", "Wolf"),
        ("error", "broken"),
        ("error:empty", "broken"),
        ("warning", "Wolf"),
        ("warning:fur", "Wolf"),
        ("not wolf", "broken Straße"),
        ("not clip:walk", "broken Straße Wolf9"),
        ("bones>60 or error", "broken Wolf"),
        ("wolf not (bones>60 or 10)", "Wolf9"),
        ("clip:walk bones>60", "Wolf"),
    ],
)
def test_a_query_finds(index: Index, query: str, found: str | None) -> None:
    stems = (
        [each.title.replace(" ", ".").split(".")[0] for each in index.query(query, [PLACE])]
        if found is not None
        else []
    )
    assert stems == (found or "").split()


@pytest.mark.parametrize(
    "text", ['"', "'", "%", "_", "\\", "\n", "\x00", "]", "[", "NEAR(", "{", "😀", "\udcff"]
)
@pytest.mark.parametrize("field", ["", "name:", "clip:", "clip=", "clip:*", "format:", "missing:"])
def test_no_character_breaks_a_query(index: Index, field: str, text: str) -> None:
    text = text if text == '"' else f'{field}"{text}x"'
    if text != '"':
        assert len(index.query(text, [PLACE])) in (0, 1)


@pytest.mark.usefixtures("wow")
def test_a_place_limits_a_query(index: Index) -> None:
    assert names(index.query("bones:..80", [f"{PLACE}/creature"])) == ["Wolf.m2", "Wolf9.mesh", "Wolf10.mesh"]
    assert index.query("", [f"{PLACE}/creature"])[0].name == "Wolf.m2"
    assert not index.query("creature", [f"{PLACE}/creature"])
    assert index.query("wolf", [f"{PLACE}/creature/Wolf.m2"])
    assert not index.query("creature", [f"{PLACE}/creature/Wolf.m2"])
    assert not index.query("", [])


def test_several_places_list_a_file_once_and_search_below_each(index: Index) -> None:
    both = [f"{PLACE}/creature", PLACE]
    assert len(index.entries(both)) == len(FACTS)
    assert len(index.query("creature", both)) == 3


def test_there_may_be_many_places(index: Index) -> None:
    places = [f"{PLACE}/{name}" for name in FACTS] + [f"/elsewhere/{n}/a.mdl" for n in range(2000)]
    assert len(index.entries(places)) == len(FACTS)
    assert names(index.query("wolf", places)) == ["Wolf.m2", "Wolf9.mesh", "Wolf10.mesh"]
    assert names(index.query("strasse bones:..0", places)) == ["Straße (1).ani"]


def test_rows_are_read_when_they_are_looked_at(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    table = index.entries([PLACE])
    read = table._read
    monkeypatch.setattr(table, "_read", lambda page: reads.append(page) or read(page))
    assert not reads and len(table) == 5
    assert table[0] == table[-5] and table[1:3] == [table[1], table[2]]
    assert reads == [0]
    with pytest.raises(IndexError):
        table[5]


def test_a_file_is_found_by_its_path(index: Index) -> None:
    table = index.entries([PLACE])
    assert [table.row_of(each.path) for each in table] == [0, 1, 2, 3, 4]
    assert table.row_of("/elsewhere") is None
    assert index.query("error", [PLACE]).row_of(f"{PLACE}/creature/Wolf.m2") is None


def test_threads_have_their_own_connections(index: Index) -> None:
    found: list[str] = []
    table = index.entries([PLACE])
    threads = [threading.Thread(target=lambda: found.append(table[2].title)) for _ in range(4)]
    threads += [
        threading.Thread(target=lambda: found.extend(names(index.query("m2", [PLACE])))) for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == ["Wolf.m2"] * 8


def test_the_reason_for_no_thumbnail_is_kept(index: Index) -> None:
    path, revision = f"{PLACE}/broken.mdl", index.revision
    index.set_thumbnail_errors({path: "takes longer than 60 s"})
    assert index.revision != revision
    assert index.query("error", [PLACE])[0].thumbnail_error == "takes longer than 60 s"
    index.set_thumbnail_errors({path: ""})
    assert index.query("error", [PLACE])[0].thumbnail_error == ""


def test_lists_get_the_counts_and_the_first_error_of_all_files(index: Index) -> None:
    found = {
        each.path.removeprefix(f"{PLACE}/"): each for each in index.counts([PLACE], ["bones", "triangles"])
    }
    assert found.keys() == FACTS.keys()
    assert found["creature/Wolf.m2"][2:6] == ("model", {"bones": 80, "triangles": 1200}, "", "Wolf Howl")
    assert found["broken.mdl"][2:6] == ("", {"bones": 0, "triangles": 0}, "the file is empty", "")
    assert [*index.counts(["/elsewhere"], [])] == []
