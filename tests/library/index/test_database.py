"""The files of the indexes: one for each context, the least used are deleted."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from viewer.library.index import database
from viewer.library.index.database import connect, default_path
from viewer.scene.reading_context import reading_context
from viewer.storage.cache_folder import FOLDER_VARIABLE

OLD = 1_600_000_000


def test_indexes_that_were_not_used_for_long_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(database, "MOST", 2)
    paths = [default_path(reading_context(search=each)) for each in ("near", "none", "project")]
    for number, path in enumerate(paths[:2]):
        connect(path).close()
        os.utime(path, (OLD + number, OLD + number))
    (tmp_path / "index-0.sqlite").write_bytes(b"")  # of an earlier version of the program
    os.utime(tmp_path / "index-0.sqlite", (OLD - 1, OLD - 1))
    connect(paths[2]).close()
    assert {each.name for each in tmp_path.glob("*.sqlite")} == {paths[1].name, paths[2].name}
    connect(paths[1]).close()  # this use is the latest
    assert os.stat(paths[1]).st_mtime > OLD + 1


def test_indexes_in_use_are_not_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(database, "MOST", 1)
    for each in ("near", "none", "project"):
        connect(default_path(reading_context(search=each))).close()  # type: ignore[arg-type]
    assert len([*tmp_path.glob("*.sqlite")]) == 3
