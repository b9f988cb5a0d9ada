"""A file that changes or vanishes while it is open is marked and reloaded on request."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import Make, until
from tests.synthetic import animation_bytes, model_bytes, write_pair
from viewer.app.loop import App
from viewer.app.open_files import hot_reload
from viewer.scene.names import BELOW
from viewer.session.pending_files import CHANGED, GONE
from viewer.session.requests import CloseDocument, Open, Reload
from viewer.storage.dependencies import depends_on


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are compared often."""
    monkeypatch.setattr(hot_reload, "PAUSE", 0.2)


def marks(app: App) -> dict[str, str]:
    """The marks of the open documents by name."""
    pending, opened = app.state.pending_files, app.state.documents.opened
    return {Path(each.path).name: change for each in opened if (change := pending.change(each.path))}


def test_a_changed_file_is_marked_and_reloaded_on_request_only(make: Make, tmp_path: Path) -> None:
    app = make(write_pair(tmp_path))
    shown = app.state.document
    (tmp_path / "Post_Bend.ani").write_bytes(animation_bytes(length=3.0))
    until(app, lambda state: marks(app) == {"Post.mdl": CHANGED})
    assert app.state.document is shown and not app.loading
    app.post(Reload())
    state = until(app, lambda state: state.document is not shown)
    assert state.playback.animations[0].duration == 3.0 and marks(app) == {}
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        app.frame(0.0)
        time.sleep(0.05)
    assert marks(app) == {}, "what was read is what is there"


def test_a_file_that_a_project_lacks_is_no_change(make: Make, tmp_path: Path) -> None:
    """The material is missing: the whole project is searched for it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "Models").mkdir()
    path = write_pair(tmp_path / "Models")
    path.with_suffix(".txt").write_text("Gone/Missing.xml\n")
    app = make(path)
    assert app.state.document is not None and any(BELOW in each for each in depends_on(app.state.document))
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        app.frame(0.0)
        time.sleep(0.05)
    assert marks(app) == {}


def test_a_vanished_file_is_marked_until_it_is_back(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(path)
    app.watch()
    path.rename(tmp_path / "away")
    until(app, lambda state: marks(app) == {"Post.mdl": GONE})
    assert app.state.messages == [], "nothing is reloaded from a file that is not there"
    (tmp_path / "away").rename(path)
    until(app, lambda state: marks(app) == {})


def test_a_file_that_changes_while_it_is_read_is_marked(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from viewer.app.open_files import opening

    path, read = write_pair(tmp_path), opening.open_path

    def and_change(wanted: str, *more: Any) -> Any:
        document = read(wanted, *more)
        path.write_bytes(model_bytes() + b" ")
        return document

    monkeypatch.setattr(opening, "open_path", and_change)
    app = make(path)
    until(app, lambda state: marks(app) == {"Post.mdl": CHANGED})


def test_a_broken_save_keeps_its_mark(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(path)
    path.write_bytes(model_bytes()[:-100])
    app.post(Reload())
    until(app, lambda state: state.messages)
    until(app, lambda state: marks(app) == {"Post.mdl": CHANGED})


def test_f5_reloads_the_file_in_view_and_shift_f5_all(make: Make, tmp_path: Path) -> None:
    for name in ("A.mdl", "B.mdl", "C.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
    app = make(*(tmp_path / name for name in ("A.mdl", "B.mdl", "C.mdl")))
    app.state.show(1)

    def reloaded(request: Reload) -> list[int]:
        """The numbers of the documents that a request reloads."""
        before = list(app.state.documents.opened)
        app.post(request)
        until(app, lambda state: not app.busy)
        return [
            number for number, each in enumerate(app.state.documents.opened) if each is not before[number]
        ]

    assert reloaded(Reload()) == [1]
    assert reloaded(Reload(str(tmp_path / "C.mdl"))) == [2]
    assert reloaded(Reload(everything=True)) == [0, 1, 2]


def test_what_the_user_waits_for_is_read_first(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from viewer.app.open_files import opening

    names = ("A.mdl", "B.mdl", "C.mdl", "D.mdl")
    for name in (*names, "New.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
    app = make(*(tmp_path / name for name in names))
    app.state.show(2)
    order: list[str] = []
    read = opening.open_path

    def slowly(path: str, *more: Any) -> Any:
        order.append(Path(path).name)
        time.sleep(0.2)
        return read(path, *more)

    monkeypatch.setattr(opening, "open_path", slowly)
    app.post(Reload(everything=True))
    until(app, lambda state: len(order) == 1)
    app.post(Open((str(tmp_path / "New.mdl"),)))
    app.frame(0.0)
    app.state.show(3)
    until(app, lambda state: not app.busy)
    first = "A.mdl"  # it was taken before the file in view was queued
    rest = [name for name in order if name != first]
    assert set(rest[:3]) == {"C.mdl", "New.mdl", "D.mdl"} and rest[3:] == ["B.mdl"]


def test_a_window_at_rest_needs_no_frame(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(path)
    app.state.view.clock.pause()
    asked: list[int] = []
    for _ in range(20):
        app.frame(10.0)
    app._tasks.request_frame = lambda: asked.append(1)
    time.sleep(1.2)
    assert asked == [] and app.pause is None
    path.write_bytes(model_bytes() + b" ")
    end = time.monotonic() + 30
    while not asked and time.monotonic() < end:
        time.sleep(0.05)
    assert asked == [1], "one frame for the mark"
    app.post(CloseDocument())
    until(app, lambda state: not state.documents.opened)
    assert app.state.pending_files.changed == {}


def test_a_tab_that_is_shown_while_its_file_is_uploaded_is_read_once(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from viewer.app.viewport import Viewport

    for name in ("A.mdl", "B.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
    app = make(tmp_path / "A.mdl", tmp_path / "B.mdl")
    app.state.show(0)
    put, begun = Viewport.put, list[float]()

    def slowly(self: Viewport, *given: Any) -> Iterator[float]:
        """The first upload takes long enough for another reading."""
        begun.append(time.monotonic())
        while len(begun) == 1 and time.monotonic() < begun[0] + 0.5:
            yield 0.0
        yield from put(self, *given)

    monkeypatch.setattr(Viewport, "put", slowly)
    app.post(Reload(str(tmp_path / "B.mdl")))
    until(app, lambda state: begun)
    app.state.show(1)
    until(app, lambda state: not app.busy)
    assert app.loading == () and len(begun) == 1
