"""The user's choices about reading as one value."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import msgspec
import pytest

from viewer.scene.reading_context import (
    DEFAULT,
    DEFAULT_SIZE,
    LEAST_UNPACKED,
    ReadingContext,
    name_key,
    reading_context,
)


def full(folder: Path) -> ReadingContext:
    """A context in which every choice is made."""
    return reading_context(
        max_size=100,
        resources=[str(folder)],
        search="near",
        listfile=[str(folder / "names.txt")],
        client="1.12",
        archive_order=str(folder / "order.txt"),
        left_out=[str(folder / "out")],
        outputs=[str(folder / "out.png")],
    )


def test_without_choices_a_context_is_the_default() -> None:
    assert reading_context() == DEFAULT == ReadingContext()
    assert (DEFAULT.search, DEFAULT.size_limit) == ("project", DEFAULT_SIZE)


def test_paths_are_absolute_and_each_folder_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = reading_context(
        resources=["data", "more", str(tmp_path / "data"), "./data/"], listfile=["a"], archive_order="b"
    )
    assert made.resources == (str(tmp_path / "data"), str(tmp_path / "more"))
    assert (made.listfiles, made.archive_order) == ((str(tmp_path / "a"),), str(tmp_path / "b"))


def test_a_context_goes_to_other_processes_and_into_records(tmp_path: Path) -> None:
    given = msgspec.structs.replace(full(tmp_path), chosen=((name_key("a"), "/b"),))
    assert pickle.loads(pickle.dumps(given)) == given and hash(given) == hash(
        pickle.loads(pickle.dumps(given))
    )
    assert msgspec.json.decode(msgspec.json.encode(given), type=ReadingContext) == given
    for name in ReadingContext.__struct_fields__:
        assert getattr(given, name) != getattr(DEFAULT, name), f"{name} is not tried"


def test_a_context_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        DEFAULT.search = "none"  # type: ignore[misc]


def test_archives_depend_on_some_choices_alone(tmp_path: Path) -> None:
    given = full(tmp_path)
    archives = given.of_archives
    assert (archives.max_size, archives.client, archives.listfiles) == (100, "1.12", given.listfiles)
    assert archives.archive_order == given.archive_order
    assert (archives.resources, archives.search, archives.left_out) == ((), "project", ())
    assert reading_context(resources=[os.curdir], search="none").of_archives == DEFAULT


def test_unpacked_files_have_the_users_limit_or_one_by_the_package(tmp_path: Path) -> None:
    assert full(tmp_path).unpacked_limit(1 << 40) == 100
    assert DEFAULT.unpacked_limit(1) == LEAST_UNPACKED < DEFAULT.unpacked_limit(1 << 30)


@pytest.mark.parametrize("name", ["Textures\\Skin.PNG", "textures/skin.png", "TEXTURES/SKIN.png"])
def test_a_chosen_file_counts_for_the_name_in_any_spelling(name: str) -> None:
    chosen = ReadingContext(chosen=((name_key(name), "/mine.png"),))
    assert chosen.chosen_file("Textures/skin.png") == "/mine.png"
    assert chosen.chosen_file("skin.png") is None and DEFAULT.chosen_file(name) is None
