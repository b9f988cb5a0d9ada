"""The search from a model's folder upwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from viewer.errors import FormatError
from viewer.scene.reading_context import name_key, reading_context
from viewer.storage.listing import listed_once
from viewer.storage.search import FoundResource, GivenFiles, Missing, SearchPath, find_part, upwards
from viewer.storage.source import FolderSource

NEAR = reading_context(search="near")
"""Files are searched near their models alone."""


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    root = tmp_path / "bin"
    for name in ("Data/Models/Hero", "Data/Textures", "CoreData/Techniques", "Autoload/Mod/Textures"):
        (root / name).mkdir(parents=True)
    (root / "Data/Textures/hero.png").write_bytes(b"data")
    (root / "CoreData/Techniques/Diff.xml").write_bytes(b"core")
    (root / "Autoload/Mod/Textures/mod.png").write_bytes(b"mod")
    return root


@pytest.fixture
def search(bin_folder: Path) -> SearchPath:
    return SearchPath.around(bin_folder / "Data/Models/Hero/Hero.mdl", NEAR)


@pytest.mark.parametrize(
    ("name", "data"),
    [("Textures/hero.png", b"data"), ("Techniques/Diff.xml", b"core"), ("Textures/mod.png", b"mod")],
)
def test_finds_in_every_root(search: SearchPath, name: str, data: bytes) -> None:
    found = search.find(name)
    assert isinstance(found, FoundResource)
    assert found.how == "stored"
    assert found.read() == data
    assert Path(found.path).read_bytes() == data


def test_own_folder_comes_first(bin_folder: Path, search: SearchPath) -> None:
    own = bin_folder / "Data/Models/Hero/Textures"
    own.mkdir()
    (own / "hero.png").write_bytes(b"own")
    found = search.find("Textures/hero.png")
    assert isinstance(found, FoundResource)
    assert found.read() == b"own"


def test_other_case_is_told(search: SearchPath) -> None:
    found = search.find("textures/HERO.png")
    assert isinstance(found, FoundResource)
    assert found.read() == b"data"
    if not os.path.exists(__file__.upper()):
        assert found.how != "stored"


def test_bare_name_beside_the_model_is_the_last_resort(bin_folder: Path, search: SearchPath) -> None:
    (bin_folder / "Data/Models/Hero/skin.png").write_bytes(b"skin")
    for name in ("Textures/skin.png", "C:\\work\\skin.png", "../../../../skin.png"):
        found = search.find(name)
        assert isinstance(found, FoundResource)
        assert (found.read(), found.how) == (b"skin", "tail")
    assert isinstance(search.find("Textures/skin.png", near_model=False), Missing)


def test_missing_tells_every_place_in_order(bin_folder: Path, search: SearchPath) -> None:
    missing = search.find("Textures/no.png")
    assert isinstance(missing, Missing)
    places = [Path(place) for place in missing.searched]
    own = bin_folder / "Data/Models/Hero"
    assert places[0] == own / "Textures/no.png"
    assert places[-1] == own / "no.png"
    roots = ["Data", "Autoload/Mod", "CoreData"]
    positions = [places.index(bin_folder / root / "Textures/no.png") for root in roots]
    assert positions == sorted(positions)
    assert len(set(places)) == len(places)


def test_a_name_that_climbs_out_reaches_nothing(bin_folder: Path, search: SearchPath) -> None:
    (bin_folder / "outside.txt").write_bytes(b"secret")
    assert isinstance(search.find("../../../outside.txt"), Missing)
    assert isinstance(search.find(str(bin_folder / "outside.txt")), Missing)


def test_sidecar_beside_a_resource(bin_folder: Path, search: SearchPath) -> None:
    found = search.find("Textures/hero.png")
    assert isinstance(found, FoundResource)
    assert found.sibling(".xml") is None
    (bin_folder / "Data/Textures/hero.xml").write_bytes(b"<texture/>")
    found = SearchPath.around(bin_folder / "Data/Models/Hero/Hero.mdl", NEAR).find("Textures/hero.png")
    assert isinstance(found, FoundResource)
    sidecar = found.sibling(".xml")
    assert sidecar is not None
    assert sidecar.read() == b"<texture/>"


def test_one_list_of_a_folder_answers_for_every_name(search: SearchPath, listed: list[str]) -> None:
    with listed_once():
        for number in range(50):
            search.find(f"Textures/{number}.png")
    assert len(listed) == len(set(listed)) < 20


def test_walk_is_bounded(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 40)
    assert len(list(SearchPath.around(deep / "x.mdl", NEAR))) <= 12 * 3


def test_the_walk_upwards_ends_at_the_top_or_after_twelve_folders() -> None:
    top = os.path.abspath(os.sep)
    assert list(upwards(os.path.join(top, "a", "b"))) == [
        os.path.join(top, "a", "b"),
        os.path.join(top, "a"),
        top,
    ]
    deep = os.path.join(top, *"abcdefghijklmnop")
    assert len(list(upwards(deep))) == 12


def test_a_resource_that_vanished_is_a_format_error(bin_folder: Path, search: SearchPath) -> None:
    found = search.find("Textures/hero.png")
    assert isinstance(found, FoundResource)
    (bin_folder / "Data/Textures/hero.png").unlink()
    with pytest.raises(FormatError):
        found.read()


def test_a_part_file_is_chosen_or_beside_or_in_a_resource_folder(tmp_path: Path) -> None:
    for name in ("own/other.txt", "far/deep/Cat00.skin", "far/mine.skin"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    own = tmp_path / "own"
    part = find_part(FolderSource(own), "Cat00.skin", GivenFiles("", NEAR))
    assert part == Missing("Cat00.skin", (str(own / "Cat00.skin"),))
    given = reading_context(resources=[str(tmp_path / "far")], search="near")
    part = find_part(FolderSource(own), "Cat00.skin", GivenFiles("", given))
    assert isinstance(part, FoundResource) and part.read() == b"far/deep/Cat00.skin"
    (own / "cat00.SKIN").write_bytes(b"beside")
    part = find_part(FolderSource(own), "Cat00.skin", GivenFiles("", given))
    assert isinstance(part, FoundResource) and part.read() == b"beside"
    chosen = replace(given, chosen=((name_key("Cat00.skin"), str(tmp_path / "far/mine.skin")),))
    part = find_part(FolderSource(own), "Cat00.skin", GivenFiles("", chosen))
    assert isinstance(part, FoundResource) and part.read() == b"far/mine.skin"
