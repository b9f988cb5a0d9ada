"""The worker that reads files."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.named_models import alone, emitter, put, shard
from tests.synthetic import write_pair
from viewer.app.loader import Loader, LoadResult
from viewer.errors import CancelledError, FormatError
from viewer.formats import open_document
from viewer.scene.document import Document


@pytest.fixture
def loader() -> Iterator[Callable[..., Loader]]:
    made: list[Loader] = []

    def make(*args: Any) -> Loader:
        made.append(Loader(*args))
        return made[-1]

    yield make
    for each in made:
        each.close()


def wait(loader: Loader, count: int = 1) -> list[LoadResult]:
    found: list[LoadResult] = []
    end = time.monotonic() + 60
    while len(found) < count and time.monotonic() < end:
        found += loader.finished()
        time.sleep(0.001)
    return found


def test_a_file_becomes_a_document(loader: Any, tmp_path: Path) -> None:
    reader = loader()
    path = str(write_pair(tmp_path))
    ticket = reader.open(path)
    assert reader.busy == (path,)
    (loaded,) = wait(reader)
    assert (loaded.path, loaded.job, loaded.error) == (path, ticket, "")
    assert loaded.document.model is not None
    assert reader.busy == ()


def test_files_come_in_their_order(loader: Any, tmp_path: Path) -> None:
    reader = loader()
    model = str(write_pair(tmp_path))
    paths = [model, str(tmp_path / "missing.mdl"), str(tmp_path / "Post_Bend.ani")]
    for path in paths:
        reader.open(path)
    assert [loaded.path for loaded in wait(reader, 3)] == paths


def test_a_file_that_waits_is_read_once(loader: Any, tmp_path: Path) -> None:
    reader = loader()
    model = str(write_pair(tmp_path))
    first, second = reader.open(model), reader.open(model)
    assert [loaded.job for loaded in wait(reader)] == [second]
    assert not reader.holds(first)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FormatError("no magic", "model", 4, "x.mdl"), "x.mdl: no magic (model at 0x4)"),
        (OSError(5, "Input/output error"), "x.mdl: Input/output error"),
        (MemoryError(), "x.mdl: there is not enough memory to read it"),
    ],
)
def test_what_goes_wrong_is_said(loader: Any, error: Exception, said: str, capsys: Any) -> None:
    def opener(path: str) -> Document:
        raise error

    reader = loader(opener)
    reader.open("x.mdl")
    (loaded,) = wait(reader)
    assert (loaded.document, loaded.error) == (None, said)


def test_the_worker_outlives_a_broken_file(loader: Any, tmp_path: Path) -> None:
    reader = loader()
    reader.open(str(tmp_path / "missing.mdl"))
    reader.open(str(write_pair(tmp_path)))
    first, second = wait(reader, 2)
    assert "missing.mdl" in first.error
    assert second.document is not None


def test_nothing_comes_of_what_is_cancelled(loader: Any, tmp_path: Path) -> None:
    begun, go = threading.Event(), threading.Event()
    path = write_pair(tmp_path)

    def opener(name: str) -> Document:
        begun.set()
        assert go.wait(60)
        return open_document(path)

    reader = loader(opener)
    reader.open("first")
    reader.open("second")
    assert begun.wait(60)
    reader.cancel()
    assert reader.busy == ()
    go.set()
    ticket = reader.open("third")
    assert [loaded.job for loaded in wait(reader)] == [ticket]


def test_a_cancelled_file_holds_up_nothing(loader: Any, tmp_path: Path) -> None:
    begun, go = threading.Event(), threading.Event()
    path = write_pair(tmp_path)
    opened: list[str] = []

    def opener(name: str) -> Document:
        if name == "endless":
            begun.set()
            assert go.wait(60)
            opened.append("next file of the cancelled one")
        return open_document(path)

    reader = loader(opener)
    ticket = reader.open("endless")
    assert begun.wait(60)
    reader.drop(ticket)
    second = reader.open("second")
    assert [loaded.job for loaded in wait(reader)] == [second]
    go.set()
    assert wait(reader, 0) == []


def test_a_cancelled_thread_opens_no_more_files(loader: Any, tmp_path: Path) -> None:
    begun, go, ended = threading.Event(), threading.Event(), threading.Event()
    path = write_pair(tmp_path)
    raised: list[type] = []

    def opener(name: str) -> Document:
        begun.set()
        assert go.wait(60)
        try:
            return open_document(path)
        except CancelledError as error:
            raised.append(type(error))
            raise
        finally:
            ended.set()

    reader = loader(opener)
    reader.open("endless")
    assert begun.wait(60)
    reader.cancel()
    go.set()
    assert ended.wait(60)
    assert raised == [CancelledError]


def test_closing_waits_for_no_file(loader: Any, tmp_path: Path) -> None:
    begun, go, ended = threading.Event(), threading.Event(), threading.Event()

    def opener(name: str) -> Document:
        begun.set()
        go.wait(60)
        ended.set()
        raise FormatError("read after all")

    reader = loader(opener)
    reader.open("endless")
    assert begun.wait(60)
    reader.close()
    assert not ended.is_set()
    go.set()


def test_waiting_ends_with_the_file_and_else_with_the_time(loader: Any, tmp_path: Path) -> None:
    made = loader()
    begun = time.monotonic()
    made.wait(0.05)
    assert time.monotonic() - begun >= 0.04
    made.open(str(write_pair(tmp_path)))
    made.wait(60.0)
    assert len(made.finished()) == 1


@pytest.mark.parametrize(
    ("files", "sound"), [({"Shard": shard()}, True), ({"Shard": b"MD20"}, False), ({}, True)]
)
def test_a_model_is_as_sound_as_those_that_it_names(
    tmp_path: Path, files: dict[str, bytes], sound: bool
) -> None:
    path = put(tmp_path, alone=alone(emitter(geometry_model="Shard.mdx")), **files)
    assert LoadResult(str(path), 1, open_document(path)).sound is sound
