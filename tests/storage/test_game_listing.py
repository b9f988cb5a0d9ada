"""The kept list of a game's files: read by the next program, and made again after a change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tests.wow  # noqa: F401
from tests.families.wow.mpq.test_client import client
from viewer.errors import ResourceError
from viewer.families.wow.mpq.layout import DELETED
from viewer.families.wow.mpq.writer import MpqFile
from viewer.scene.reading_context import DEFAULT, ReadingContext, reading_context
from viewer.storage import game_listing, place
from viewer.storage.cache_folder import FOLDER_VARIABLE
from viewer.storage.documents import open_document
from viewer.storage.package_path import open_package, read_path
from viewer.storage.place import Place

OLD = 1_600_000_000
"""A time in seconds, long before the test."""
ARCHIVES: dict[str, list[tuple[str, bytes] | MpqFile]] = {
    "model": [("a\\B.txt", b"old"), ("a\\c.txt", b"four"), ("gone.txt", b"x")],
    "patch": [("A\\b.txt", b"new"), MpqFile("gone.txt", b"", DELETED)],
    "patch-10": [("a\\b.txt", b"ignored")],
}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client whose list is kept, although it is short."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(game_listing, "FEWEST", 1)
    made = client(tmp_path / "WoW", ARCHIVES)
    for archive in (made / "Data").iterdir():
        os.utime(archive, (OLD, OLD))
    for folder in (made / "Data", made):
        os.utime(folder, (OLD, OLD))
    return made


def opened(game: Path, context: ReadingContext = DEFAULT) -> Place:
    """Open a game as a new program does."""
    place._opened.cache_clear()
    found = open_package(str(game), context)
    assert isinstance(found, Place)
    return found


def kept(game: Path) -> list[Path]:
    return [*(game.parent / "cache/games").glob("*")]


def facts(found: Place) -> object:
    """All that a list says."""
    names = [*found.names(deep=True)]
    rows = [(each, found.provider(each).name, [h.name for h in found.hidden(each)]) for each in names]
    return rows, found.sizes.tolist(), [(each.name, each.why) for each in found.sources]


def test_the_next_program_reads_the_list(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = facts(opened(game))
    assert first[0] == [("A/b.txt", "patch.MPQ", ["model.MPQ"]), ("a/c.txt", "model.MPQ", [])]  # type: ignore[index]
    assert first[1] == [3, 4] and len(kept(game)) == 1  # type: ignore[index]
    monkeypatch.setattr(place, "_open", lambda *_: pytest.fail("an archive is opened"))
    again = opened(game)
    assert facts(again) == first
    assert [each.name for each in again.having("a/B.TXT")] == ["patch.MPQ", "model.MPQ"]
    assert again.find("none.txt") is None and again.find("gone.txt") is None
    content = open_document(game).content
    assert content is not None and list(content.names) == ["A/b.txt", "a/c.txt"]  # type: ignore[union-attr]


def test_a_file_is_read_from_its_archive(game: Path) -> None:
    assert len(opened(game).sizes)
    opened(game)
    assert read_path(f"{game}::a/b.txt", DEFAULT)[1] == b"new"
    assert read_path(f"{game}::A/C.txt", DEFAULT)[1] == b"four"


def test_a_changed_archive_is_listed_again(game: Path) -> None:
    assert opened(game).sizes.tolist() == [3, 4]
    client(game, {"patch": [("a\\c.txt", b"longer")]})
    os.utime(game / "Data/patch.MPQ", (OLD + 10, OLD + 10))
    assert opened(game).sizes.tolist() == [3, 6, 1]


def test_another_order_is_another_list(game: Path) -> None:
    assert len(opened(game).sizes)
    (game.parent / "order.txt").write_text("patch.MPQ\nmodel.MPQ\n")
    other = reading_context(archive_order=str(game.parent / "order.txt"))
    assert read_path(f"{game}::a/b.txt", other)[1] == b"old"
    assert read_path(f"{game}::a/b.txt", DEFAULT)[1] == b"new"


def test_an_archive_that_changed_just_now_is_not_kept(game: Path) -> None:
    os.utime(game / "Data/patch.MPQ")
    assert len(opened(game).sizes)
    assert kept(game) == []


def test_names_that_the_user_gives_are_not_kept(game: Path) -> None:
    (game.parent / "names.txt").write_text("x")
    assert len(opened(game, reading_context(listfile=[str(game.parent / "names.txt")])).sizes)
    assert kept(game) == []


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: b"", lambda data: b"x" + data])
def test_a_damaged_list_is_made_again(game: Path, damage: object) -> None:
    first = facts(opened(game))
    (path,) = kept(game)
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    assert facts(opened(game)) == first


def test_a_cache_folder_that_cannot_be_written_costs_nothing(game: Path) -> None:
    (game.parent / "cache").write_text("a file in place of the folder")
    assert opened(game).sizes.tolist() == [3, 4]


def test_an_archive_that_vanishes_after_the_list_was_read_has_no_files(game: Path) -> None:
    assert len(opened(game).sizes)
    found = opened(game)
    (game / "Data/patch.MPQ").unlink()
    with pytest.raises(ResourceError):
        found.read("a/b.txt")
