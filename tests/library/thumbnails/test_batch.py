"""The thumbnails of many files: kept ones first, and what is kept of failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from viewer.errors import FormatError, ResourceError, ViewerError
from viewer.library.file_sources import SourceFile
from viewer.library.outcome import Outcome
from viewer.library.thumbnails.batch import draw_thumbnails
from viewer.library.thumbnails.cache import ThumbnailCache
from viewer.library.thumbnails.thumbnail import ThumbnailRecord, ThumbnailTask
from viewer.library.workers.pool import ProcessEndedError
from viewer.scene.files import FileFacts

TASK = ThumbnailTask()


class InTurn:
    """A runner in this process; `asked` are the paths that it was given."""

    def __init__(self, made: Callable[[str], Outcome]) -> None:
        self.asked: list[str] = []
        self._made = made

    def run(self, task: Any, calls: Iterable[tuple[Any, ...]]) -> Iterator[Outcome]:
        for (path,) in calls:
            self.asked.append(path)
            yield self._made(path)


def drawn(path: str) -> Outcome:
    return Outcome(path, ThumbnailRecord(path.encode(), FileFacts(kind="model"), "", {}))


@pytest.fixture
def files(tmp_path: Path) -> list[SourceFile]:
    return [SourceFile(f"/{name}.mdl", f"{name}.mdl", "/", 1, 1) for name in "abc"]


@pytest.fixture
def cache(tmp_path: Path) -> ThumbnailCache:
    return ThumbnailCache(tmp_path / "cache")


def test_what_is_kept_is_not_drawn_again(files: list[SourceFile], cache: ThumbnailCache) -> None:
    first, second = InTurn(drawn), InTurn(drawn)
    list(draw_thumbnails(files[:2], TASK, first, cache))
    found = list(draw_thumbnails(files, TASK, second, cache))
    assert (first.asked, second.asked) == (["/a.mdl", "/b.mdl"], ["/c.mdl"])
    assert [(each.value.png, each.value.facts.kind) for each in found] == [
        (path.encode(), "model") for path in ("/a.mdl", "/b.mdl", "/c.mdl")
    ]


@pytest.mark.parametrize(
    ("kind", "again"), [(ProcessEndedError, False), (FormatError, False), (ResourceError, True)]
)
def test_failures_that_last_are_not_tried_again(
    files: list[SourceFile], cache: ThumbnailCache, kind: type[ViewerError], again: bool
) -> None:
    runner = InTurn(lambda path: Outcome(path, error=kind(f"{path}: it is broken")))
    for _ in range(2):
        (found,) = draw_thumbnails(files[:1], TASK, runner, cache)
        assert (found.value, found.why) == (None, "it is broken")
    assert len(runner.asked) == 1 + again


@pytest.mark.parametrize(("seconds", "again"), [(60.0, False), (5.0, False), (90.0, True)])
def test_a_file_that_took_too_long_is_tried_again_with_more_time(
    files: list[SourceFile], cache: ThumbnailCache, seconds: float, again: bool
) -> None:
    late = InTurn(lambda path: Outcome(path, error=ProcessEndedError("takes longer than 60 s")))
    list(draw_thumbnails(files[:1], TASK, late, cache))
    second = InTurn(drawn)
    list(draw_thumbnails(files[:1], TASK, second, cache, seconds))
    assert bool(second.asked) == again
