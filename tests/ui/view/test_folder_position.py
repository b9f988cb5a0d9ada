"""The position in the folder, on pages that take the picture's place."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.packages import write_package
from tests.shader_files import shader_bytes
from viewer.binary.span import Span
from viewer.errors import Report
from viewer.scene.document import Document
from viewer.session.pending_files import FolderPosition
from viewer.session.state import State
from viewer.ui.view.overlays import position_text


def shaders(folder: Path) -> Path:
    for name in ("a.vs3", "b.vs3"):
        (folder / name).write_bytes(shader_bytes())
    return folder / "a.vs3"


def package(folder: Path) -> Path:
    first = write_package(folder)
    (folder / "Zoo.pak").write_bytes(first.read_bytes())
    return first


def unread(folder: Path) -> Path:
    for name in ("a.mdl", "b.mdl"):
        (folder / name).write_bytes(b"nothing that any format knows")
    return folder / "a.mdl"


def told(desktop: Desktop, end: str) -> str:
    """The position, once it ends like this and the file is in view."""
    limit = time.monotonic() + 60
    while desktop.app.busy or not position_text(desktop.state).endswith(end):
        assert time.monotonic() < limit, position_text(desktop.state)
        desktop.skip(seconds=0.0)
    return position_text(desktop.state)


@pytest.mark.parametrize("make", [shaders, package, unread])
def test_a_page_tells_the_position_and_the_end_of_the_folder(ctx: Any, tmp_path: Path, make: Any) -> None:
    desktop = Desktop(ctx, make(tmp_path))
    try:
        if make is package:  # its first model opens beside it
            desktop.settle()
            desktop.state.show(0)
        noun = "model" if make is unread else "file"
        desktop.press("Right")
        assert told(desktop, "of 2") == f"{noun} 2 of 2"
        assert position_text(desktop.state) in drawn_labels(desktop)
        count = len(desktop.state.messages)
        desktop.press("Right")
        assert told(desktop, "folder") == f"{noun} 2 of 2   the last {noun} in the folder"
        assert position_text(desktop.state) in drawn_labels(desktop)
        assert len(desktop.state.messages) == count, "an end is no message"
    finally:
        desktop.close()


def test_another_file_has_no_position(tmp_path: Path) -> None:
    state = State()
    assert position_text(state) == ""
    state.pending_files.stepped = FolderPosition("/a/b.mdl", 3, 12, "model")
    assert position_text(state) == ""


def test_the_query_that_hides_files_is_named() -> None:
    state = State()
    state.put(Document("/a/b.mdl", "", "", b"", Span("b", 0, 0), None, Report()))
    state.pending_files.stepped = FolderPosition("/a/b.mdl", 3, 12, "model", query="bones>60")
    assert position_text(state) == "model 3 of 12 found by bones>60"
