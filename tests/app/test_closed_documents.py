"""Nothing of a closed file stays in memory, whatever was drawn of it."""

from __future__ import annotations

import gc
import shutil
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from tests.desktop import Desktop
from tests.fuzzing.samples import ROOT
from tests.packages import write_package
from tests.shader_files import script_bytes, shader_bytes
from tests.synthetic import write_pair
from viewer.families.urho3d import load
from viewer.scene.choices import CompareMode
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, ByteItem, GeometryItem, MaterialItem
from viewer.session.layouts import PANELS
from viewer.session.requests import CancelLoading, CloseDocument, Open, OpenNeighbour, Reload
from viewer.storage.versions import KeptAnswers

PICKED = (None, BoneItem(0), GeometryItem(0), MaterialItem(0), ByteItem(0))


class Held:
    """The documents that were open: it tells which of them are still alive."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, ref[Any]]] = []
        self._data: dict[int, tuple[str, bytes]] = {}

    def add(self, documents: list[Document]) -> None:
        for each in [each for top in documents for each in (top, *top.attached)]:
            self._parts += [(each.path, ref(part)) for part in (each, each.model) if part is not None]
            self._data[id(each.data)] = each.path, each.data

    def left(self) -> set[str]:
        """The paths of documents that are alive, or whose model is, or whose data something refers to, also
        when the thread of a cancelled task has had time to end.
        """
        end = time.monotonic() + 60
        while (found := self.alive()) and time.monotonic() < end:
            time.sleep(0.01)
        return found

    def alive(self) -> set[str]:
        """The same at once."""
        gc.collect()
        alive = {path for path, part in self._parts if part() is not None}
        return alive | {pair[0] for pair in self._data.values() if sys.getrefcount(pair[1]) > 2}


@pytest.fixture
def desktop(ctx: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desktop]:
    """A program that shares no animations between models."""
    monkeypatch.setattr(load, "_CLIPS", KeptAnswers(0))
    made = Desktop(ctx)
    yield made
    made.close()


def look(desktop: Desktop, *paths: Path) -> Held:
    """Open files, and draw every panel of each; returns what was open."""
    held = Held()
    for path in paths:
        desktop.app.post(Open((str(path),)))
        desktop.settle()
        for panel, item in zip(PANELS, cycle(PICKED), strict=False):
            desktop.state.interface.bring(panel.name)
            desktop.state.view.selection.pick(item)
            desktop.frames(2)
        held.add(desktop.state.documents.opened)
    return held


def close_all(desktop: Desktop) -> None:
    while desktop.state.documents.opened:
        desktop.app.post(CloseDocument(0))
        desktop.frames(2)


def test_nothing_is_left_of_closed_files(desktop: Desktop, tmp_path: Path) -> None:
    puff = shutil.copytree(ROOT / "assets/m2/Creature/Puff", tmp_path / "Puff")
    paths = {
        "A.vs3": shader_bytes(),
        "B.asc": script_bytes(),
        "C.mdl": b"UMD2" + bytes(range(40)),
    }
    for name, data in paths.items():
        (tmp_path / name).write_bytes(data)
    files = (write_pair(tmp_path), write_package(tmp_path), *(tmp_path / name for name in paths))
    held = look(desktop, puff / "Puff.m2", puff / "PuffSkin.blp", *files)
    opened = {Path(path.partition("::")[0]).suffix for path in held.alive()}
    assert opened == {".m2", ".blp", ".mdl", ".ani", ".pak", ".vs3", ".asc"}
    close_all(desktop)
    assert held.left() == set()


def test_nothing_is_left_of_what_was_read_before_a_reload(desktop: Desktop, tmp_path: Path) -> None:
    held = look(desktop, write_pair(tmp_path))
    desktop.app.post(Reload())
    desktop.settle()
    assert held.left() == set()


def test_nothing_is_left_of_the_files_before_the_next(desktop: Desktop, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    path.with_name("Quiet.mdl").write_bytes(path.read_bytes())
    held = look(desktop, path)
    desktop.app.post(OpenNeighbour(1))
    desktop.settle()
    assert desktop.state.documents.opened[0].path.endswith("Quiet.mdl")
    assert held.left() == set()


def test_nothing_is_left_of_a_file_whose_next_file_was_cancelled(desktop: Desktop, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    path.with_name("Quiet.mdl").write_bytes(path.read_bytes())
    held = look(desktop, path)
    desktop.app.post(OpenNeighbour(1))
    desktop.app.post(CancelLoading())
    desktop.settle()
    close_all(desktop)
    assert held.left() == set()


def test_nothing_is_left_of_compared_files(desktop: Desktop, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    path.with_name("Quiet.mdl").write_bytes(path.read_bytes())
    held = look(desktop, path, path.with_name("Quiet.mdl"))
    desktop.state.compare(CompareMode.DIFFERENCE)
    desktop.frames(4)
    desktop.state.compare(CompareMode.DISTANCE)
    result = desktop.state.comparison_result
    assert result is not None
    result.wants_fields = True
    end = time.monotonic() + 60
    while result.fields is None and time.monotonic() < end:
        desktop.frames()
    assert result.distances is not None and result.differences is not None and result.fields is not None
    desktop.frames(2)
    close_all(desktop)
    assert held.left() == set()


def test_what_stays_open_keeps_its_rows_when_another_file_is_closed(desktop: Desktop, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    path.with_name("Quiet.mdl").write_bytes(path.read_bytes())
    look(desktop, path, path.with_name("Quiet.mdl"))
    outline: Any = desktop.app._workspace.panel("outline")
    desktop.state.interface.bring("outline")
    desktop.frames(3)
    rows = outline._outline.value
    desktop.app.post(CloseDocument(0))
    desktop.frames(3)
    assert len(desktop.state.documents.opened) == 1 and outline._outline.value is rows
