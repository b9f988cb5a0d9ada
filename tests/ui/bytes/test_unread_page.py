"""A file that no format reads opens on its bytes, in the whole program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.synthetic import model_bytes, write_pair
from viewer.scene.items import ByteItem
from viewer.ui.bytes import unread_page as page
from viewer.ui.compiled.pages import Pages

Open = Callable[[str, bytes], Desktop]


@pytest.fixture
def opened(ctx: Any, tmp_path: Path) -> Iterator[Open]:
    made: list[Desktop] = []

    def make(name: str, data: bytes) -> Desktop:
        (tmp_path / name).write_bytes(data)
        made.append(Desktop(ctx, tmp_path / name))
        return made[-1]

    yield make
    for desktop in made:
        desktop.close()


def said(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the page shows in a frame."""
    texts: list[str] = []
    for name in ("colored", "faint", "wrapped"):
        real = getattr(page, name)
        monkeypatch.setattr(
            page, name, lambda text, *more, real=real: (texts.append(text), real(text, *more))
        )
    desktop.frames(1)
    monkeypatch.undo()
    return texts


@pytest.mark.parametrize(
    ("name", "data", "format", "why"),
    [
        ("x.mdl", b"IDPO" + bytes(80), "Quake model (.mdl)", "is a Quake model (.mdl)"),
        ("x.mesh", b"\x7flocked away", "unknown format", "has the name of an OGRE file but not its header"),
        ("x.xyz", b"anything", "unknown format", "the format is unknown: the file begins with 61 6E 79 74"),
    ],
)
def test_an_unread_file_opens_on_its_bytes_and_says_why(
    opened: Open, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, format: str, why: str
) -> None:
    desktop = opened(name, data)
    document = desktop.state.document
    assert document is not None and document.data == data
    chunks = desktop.app._workspace.panel("chunks")
    assert chunks is not None  # it was drawn: its tab is in front
    assert chunks.marked[1:] == (0, 1)  # type: ignore[attr-defined]
    inspected: list[Any] = []
    monkeypatch.setattr(chunks, "_inspector", inspected.append)
    texts = said(desktop, monkeypatch)
    assert [view.document for view in inspected] == [document]
    assert texts[0] == format and any(text.startswith(why) for text in texts)


def test_a_file_that_breaks_at_once_opens_where_it_breaks(opened: Open) -> None:
    desktop = opened("x.blp", b"BLP2" + bytes(60))
    document = desktop.state.document
    assert document is not None and document.unread
    error = document.report.errors[0]
    assert desktop.state.selection.picked == ByteItem(min(error.offset, 63)) and error.offset > 0


def test_the_panel_of_bytes_opens_if_it_was_closed(opened: Open) -> None:
    desktop = opened("Post.mdl", model_bytes())
    desktop.state.interface.toggle("chunks")
    desktop.frames(2)
    assert not desktop.state.interface.shows("chunks")
    path = Path(desktop.state.documents[0].path).with_name("x.xyz")
    path.write_bytes(b"anything")
    desktop.app._files._open([str(path)])
    desktop.settle()
    assert desktop.state.interface.shows("chunks")
    assert desktop.state.document is not None and desktop.state.document.unread


def test_a_model_keeps_the_picture(opened: Open, tmp_path: Path) -> None:
    write_pair(tmp_path)
    desktop = opened("Cut.mdl", model_bytes()[:-200])
    assert Pages()(desktop.state) is None


def test_the_offset_leads_to_the_bytes(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop = opened("x.blp", b"BLP2" + bytes(60))
    picked = desktop.state.selection.picked
    desktop.state.selection.pick(ByteItem(3))
    real = imgui.button
    monkeypatch.setattr(page.imgui, "button", lambda label, *more: real(label, *more) or label[:2] == "0x")
    desktop.frames(1)
    monkeypatch.undo()
    assert desktop.state.selection.picked == picked
