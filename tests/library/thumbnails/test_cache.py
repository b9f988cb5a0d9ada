"""Thumbnails that are kept: found while nothing changed, dropped when there are too many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from viewer.library.thumbnails.cache import KeptThumbnail, ThumbnailCache
from viewer.library.thumbnails.thumbnail import ThumbnailRecord, ThumbnailTask, digest_of
from viewer.scene.files import FileFacts
from viewer.scene.reading_context import reading_context
from viewer.session.settings import PATH_VARIABLE
from viewer.storage.versions import Version, file_version

TASK = ThumbnailTask()
BYTES = b"a model"
FACTS = FileFacts(
    "OGRE mesh", bones=3, bounds=(0.0, 1.5), bone_names=("a", "\u00e4"), missing=(("texture", "b"),)
)


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "a.mdl"
    path.write_bytes(BYTES)
    return str(path)


@pytest.fixture
def cache(tmp_path: Path) -> ThumbnailCache:
    return ThumbnailCache(tmp_path / "cache")


def version(path: str) -> Version:
    found = file_version(path)
    assert found is not None
    return found


def thumbnail(png: bytes = b"\x89PNG\n\0", *depends: str) -> ThumbnailRecord:
    return ThumbnailRecord(png, FACTS, digest_of(BYTES), {each: file_version(each) for each in depends})


def test_what_was_kept_is_found(cache: ThumbnailCache, model: str) -> None:
    cache.keep(model, version(model), TASK, thumbnail())
    assert cache.find(model, version(model), TASK) == KeptThumbnail(b"\x89PNG\n\0", FACTS)


def test_a_failure_is_kept_with_its_reason(cache: ThumbnailCache, model: str) -> None:
    cache.keep(model, version(model), TASK, "takes longer than 60 s")
    assert cache.find(model, version(model), TASK) == KeptThumbnail(b"", error="takes longer than 60 s")
    os.utime(model, (1, 1))
    assert cache.find(model, version(model), TASK) is None


def test_another_picture_is_another_thumbnail(cache: ThumbnailCache, model: str) -> None:
    cache.keep(model, version(model), TASK, thumbnail())
    for other in (
        replace(TASK, size=(64, 64)),
        replace(TASK, files=("/walk.ani",)),
        replace(TASK, distance=2.0),
    ):
        assert cache.find(model, version(model), other) is None
    assert cache.find(model + "x", version(model), TASK) is None


def test_a_file_that_was_too_large_is_tried_again_with_another_limit(
    cache: ThumbnailCache, model: str
) -> None:
    cache.keep(model, version(model), TASK, "more than the limit")
    larger = replace(TASK, context=reading_context(max_size=1 << 40))
    assert cache.find(model, version(model), larger) is None
    assert cache.find(model, version(model), TASK)


def test_other_resource_folders_are_another_thumbnail(cache: ThumbnailCache, model: str) -> None:
    cache.keep(model, version(model), TASK, thumbnail())
    other = replace(TASK, context=reading_context(resources=["data"]))
    assert cache.find(model, version(model), other) is None
    assert cache.find(model, version(model), TASK)


def test_another_drawing_version_is_another_thumbnail(
    cache: ThumbnailCache, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep(model, version(model), TASK, thumbnail())
    monkeypatch.setattr("viewer.library.thumbnails.cache.DRAWING_VERSION", -1)
    assert cache.find(model, version(model), TASK) is None


def test_a_changed_file_is_drawn_again(cache: ThumbnailCache, model: str) -> None:
    cache.keep(model, version(model), TASK, thumbnail())
    Path(model).write_bytes(BYTES.upper())
    os.utime(model, (1, 1))
    assert cache.find(model, version(model), TASK) is None


def test_a_file_with_another_time_and_the_same_bytes_is_not_drawn_again(
    cache: ThumbnailCache, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.keep(model, version(model), TASK, thumbnail())
    os.utime(model, (1, 1))
    assert cache.find(model, version(model), TASK)
    monkeypatch.setattr("viewer.library.thumbnails.cache.read_path", None)  # the new time is kept too
    assert cache.find(model, version(model), TASK)


def test_a_companion_that_changes_appears_or_goes_counts(
    cache: ThumbnailCache, model: str, tmp_path: Path
) -> None:
    found, missing = tmp_path / "a.png", tmp_path / "b.png"
    found.write_bytes(b"1")
    cache.keep(model, version(model), TASK, thumbnail(b"p", str(found), str(missing)))
    assert cache.find(model, version(model), TASK)
    missing.write_bytes(b"2")
    assert cache.find(model, version(model), TASK) is None
    missing.unlink()
    found.write_bytes(b"22")
    assert cache.find(model, version(model), TASK) is None
    found.unlink()
    assert cache.find(model, version(model), TASK) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]\nPNG", b'{"version": 3}\nPNG', b"\xff" * 9])
def test_a_damaged_file_counts_as_none(
    cache: ThumbnailCache, model: str, tmp_path: Path, damage: bytes
) -> None:
    cache.keep(model, version(model), TASK, thumbnail())
    (place,) = (each for each in (tmp_path / "cache").rglob("*") if each.is_file())
    place.write_bytes(damage)
    assert cache.find(model, version(model), TASK) is None


def test_thumbnails_that_were_used_longest_ago_go_first(tmp_path: Path) -> None:
    folder, cache = tmp_path / "cache", ThumbnailCache(tmp_path / "cache", 10_000)
    paths = [str(tmp_path / f"{number}.mdl") for number in range(5)]
    for path in paths:
        Path(path).write_bytes(BYTES)
    for path in paths[:3]:
        cache.keep(path, version(path), TASK, thumbnail(bytes(2500)))
    for place in folder.rglob("*/*"):
        os.utime(place, (1e9, 1e9))
    assert cache.find(paths[0], version(paths[0]), TASK)  # used again now
    cache.keep(paths[3], version(paths[3]), TASK, thumbnail(bytes(2500)))
    left = [bool(cache.find(path, version(path), TASK)) for path in paths[:4]]
    assert left[0] and left[3] and left.count(False) >= 1
    assert sum(each.stat().st_size for each in folder.rglob("*/*")) <= 10_000


def test_the_settings_limit_the_size(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.json").write_text('{"version": 1, "thumbnail_bytes": 0}')
    monkeypatch.setenv(PATH_VARIABLE, str(tmp_path / "settings.json"))
    cache = ThumbnailCache(tmp_path / "cache")
    cache.keep(model, version(model), TASK, thumbnail())
    assert cache.find(model, version(model), TASK) is None


def test_without_a_folder_that_can_be_written_nothing_is_kept(model: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = ThumbnailCache(tmp_path / "file")
    cache.keep(model, version(model), TASK, thumbnail())
    assert cache.find(model, version(model), TASK) is None
