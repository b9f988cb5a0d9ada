"""Thumbnails of listed files: read, drawn by processes, kept as textures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct

from viewer.app.tasks import Tasks
from viewer.app.wall.file_thumbnails import TURNS, CachedThumbnails, FileTextures, FileThumbnails, decoded
from viewer.errors import FormatError, ViewerError
from viewer.library.file_sources import SourceFile
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.storage.png import png_pieces
from viewer.view.view_info import PanelPicture

LIMIT = 60.0


def png(side: int = 256, value: int = 200) -> bytes:
    return b"".join(png_pieces(np.full((side, side, 4), value, np.uint8)))


class Made(Struct, frozen=True):
    png: bytes


def draw(path: str, turns: int = 0) -> Any:
    """The task: `broken` has no picture, `dies` ends its process."""
    if "broken" in path:
        raise ViewerError("no vertices")
    if "stuck" in path and turns:
        raise ViewerError("takes too long")
    if "dies" in path:
        import os

        os._exit(3)
    return tuple(png() for _ in range(turns)) if turns else Made(png())


class Store:
    """A cache of one picture and one failure."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {"known": png(), "bad": "cut off"}

    def get(self, path: str) -> bytes | str | None:
        return self.kept.get(path)

    def put(self, path: str, outcome: Outcome) -> None:
        self.kept[path] = outcome.why or outcome.value.png


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def made(ctx: Any, store: Store) -> Iterator[FileThumbnails]:
    thumbnails = FileThumbnails(ctx, 1, Tasks())
    thumbnails.use(draw, store)
    yield thumbnails
    thumbnails.close()


def until(made: FileThumbnails, true: Callable[[], Any], *paths: str) -> None:
    """Steps until something holds."""
    end = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < end
        made.want(paths, 8)
        made._tasks.step()
        made.step()
        time.sleep(0.005)


def test_kept_pictures_are_shown_without_a_process(made: FileThumbnails) -> None:
    until(made, lambda: made.picture("known") and made.picture("bad"), "known", "bad")
    assert isinstance(made.picture("known"), PanelPicture) and made.picture("bad") == "cut off"
    assert made.drawing == 0 and made._pool is None


def test_other_pictures_are_drawn_and_kept_and_failures_are_not_tried_again(
    made: FileThumbnails, store: Store
) -> None:
    paths = ("new", "broken", "dies")
    until(made, lambda: all(map(made.picture, paths)), *paths)
    assert isinstance(made.picture("new"), PanelPicture)
    assert made.picture("broken") == "no vertices"
    assert "the worker process ended" in str(made.picture("dies"))
    until(made, lambda: not made._tasks.busy)
    assert store.kept["new"] == png() and store.kept["broken"] == "no vertices"
    made.want(paths, 8)
    assert made.drawing == 0
    made.forget(["broken"])
    del store.kept["broken"]
    until(made, lambda: made.drawing, "broken")


def test_a_picture_that_shows_larger_is_read_again(made: FileThumbnails) -> None:
    until(made, lambda: made.picture("known"), "known")
    assert made.picture("known").size == (128, 128)
    made.want(["known"], 200)
    until(made, lambda: made.picture("known").size == (256, 256))
    made.want(["known"], 200)
    assert not made._tasks.busy


def test_a_model_turns_by_pictures_of_which_only_the_last_model_has_some(made: FileThumbnails) -> None:
    until(made, lambda: made.picture("new"), "new", "known")
    made.turn("new")
    until(made, lambda: all(made.turned("new", number / TURNS) for number in range(TURNS)))
    made.turn("known")
    assert not made.turned("new", 0.5)


def test_a_model_that_cannot_be_turned_keeps_its_picture(made: FileThumbnails, store: Store) -> None:
    until(made, lambda: made.picture("stuck"), "stuck")
    until(made, lambda: not made._tasks.busy)
    made.turn("stuck")
    until(made, lambda: made._pool is not None and not made._pool.pending)
    assert isinstance(made.picture("stuck"), PanelPicture) and store.kept["stuck"] == png()


def test_without_processes_nothing_is_drawn(ctx: Any) -> None:
    thumbnails = FileThumbnails(ctx, 0, Tasks())
    until(thumbnails, lambda: not thumbnails._tasks.busy and "new" in thumbnails._absent, "new")
    thumbnails.want(["new"], 8)
    thumbnails.turn("new")
    assert thumbnails.picture("new") == "" and thumbnails.drawing == 0
    thumbnails.close()


def test_textures_that_were_not_asked_for_the_longest_go_first(ctx: Any) -> None:
    one = np.zeros((16, 16, 4), np.uint8)
    textures = FileTextures(ctx, most=3 * 16 * 16 * 4 * 4 // 3)
    for name in "abc":
        textures.put(name, one)
    assert textures.get("a") is not None
    textures.put("d", one)
    assert [name for name in "abcd" if name in textures] == ["a", "c", "d"]
    textures.put("e", one, in_view=("a", "c", "d"))
    assert [name for name in "acde" if name in textures] == ["a", "c", "d", "e"], "they are in view"
    textures.drop("e")
    textures.put("d", one)
    assert textures.bytes == pytest.approx(3 * 16 * 16 * 4 * 4 / 3, abs=4)
    textures.release()
    assert textures.bytes == 0


def test_a_damaged_picture_is_an_error() -> None:
    assert decoded(png(16)).shape == (16, 16, 4) and decoded(png(16), small=True).shape == (8, 8, 4)
    with pytest.raises(FormatError):
        decoded(png(16)[:40])


def test_a_kept_thumbnail_is_found_for_listed_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    path, noted = str(tmp_path / "a.mdl"), []
    Path(path).write_bytes(b"UMD2")
    listed = {path: SourceFile(path, "a.mdl", str(tmp_path), 4, 1)}
    kept = CachedThumbnails(ThumbnailTask(), listed.get, lambda path, why: noted.append((path, why)))
    kept.put(path, Outcome(path, error=FormatError("cut off")))
    assert (kept.get(path), kept.get("other.mdl")) == ("cut off", None)
    assert noted[-1] == (path, "cut off")
