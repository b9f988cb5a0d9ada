"""A file that no format reads opens on its bytes, in the whole program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import model_bytes, write_pair
from viewer.scene.items import ByteItem
from viewer.session.requests import Open as OpenFiles
from viewer.ui.compiled import pages as page
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


@pytest.mark.usefixtures("wow")
def test_a_file_that_breaks_at_once_opens_where_it_breaks(opened: Open) -> None:
    desktop = opened("x.blp", b"BLP2" + bytes(60))
    document = desktop.state.document
    assert document is not None and document.unread
    error = document.report.errors[0]
    assert desktop.state.view.selection.picked == ByteItem(min(error.offset, 63)) and error.offset > 0


def test_the_bytes_show_even_if_their_panel_was_closed(opened: Open) -> None:
    desktop = opened("Post.mdl", model_bytes())
    desktop.state.interface.toggle("chunks")
    desktop.frames(2)
    path = Path(desktop.state.documents.opened[0].path).with_name("x.xyz")
    path.write_bytes(b"anything")
    desktop.app._files._open([str(path)])
    desktop.settle()
    assert desktop.state.document is not None and desktop.state.document.unread
    assert "Go to  Ctrl+G" in hints(desktop)
    desktop.state.show(0)
    desktop.frames(4)
    assert "Go to  Ctrl+G" not in hints(desktop)


def hints(desktop: Desktop) -> list[str]:
    """The words in the empty text fields of a frame."""
    found: list[str] = []
    draw = imgui.input_text_with_hint

    def noting(label: str, hint: str, *more: Any) -> Any:
        found.append(hint)
        return draw(label, hint, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imgui, "input_text_with_hint", noting)
        desktop.frames(1)
    return found


def test_the_panels_come_back_with_a_model(opened: Open) -> None:
    desktop = opened("Post.mdl", model_bytes())
    before = set(drawn_labels(desktop))
    path = Path(desktop.state.documents.opened[0].path).with_name("x.xyz")
    path.write_bytes(b"anything")
    desktop.app._files._open([str(path)])
    desktop.settle()
    assert "Geometries" not in drawn_labels(desktop)
    desktop.state.show(0)
    desktop.frames(8)
    gone = before - set(drawn_labels(desktop))
    assert {label for label in gone if "Messages" not in label} == set()


def test_a_cut_file_with_nothing_to_draw_opens_where_it_breaks(opened: Open) -> None:
    desktop = opened("Cut.mdl", model_bytes()[:40])
    document = desktop.state.document
    assert document is not None and document.model is not None and document.unread
    assert desktop.state.view.selection.picked == ByteItem(min(document.report.errors[0].offset, 39))
    assert f"0x{document.report.errors[0].offset:X}" in drawn_labels(desktop)


def test_the_search_needs_no_click_before_it(opened: Open) -> None:
    desktop = opened("x.xyz", b"anything and a needle")
    desktop.press("Ctrl+F")
    desktop.type("6E 65 65")
    desktop.press("Enter")
    desktop.settle()
    assert desktop.state.view.selection.picked == ByteItem(15)


def test_arrows_step_through_the_folder_until_the_bytes_have_the_focus(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "a.mdl").write_bytes(b"nothing that any format knows")
    desktop = opened("b.mdl", b"nothing that any format knows either")
    assert desktop.state.pending_files.view_focused
    desktop.click(*hex_cell(desktop))
    assert not desktop.state.pending_files.view_focused
    picked = desktop.state.view.selection.picked
    desktop.press("Right")
    assert isinstance(picked, ByteItem)
    assert desktop.state.view.selection.picked == ByteItem(picked.number + 1)
    assert desktop.state.pending_files.stepped is None


def hex_cell(desktop: Desktop) -> tuple[float, float]:
    """The position of the first byte."""
    page = desktop.app._workspace.panel("chunks")._hex.page  # type: ignore[union-attr]
    return page.x + page.grid.hex_x(0) + page.grid.glyph, page.y + page.grid.line / 2


def test_a_model_keeps_the_picture(opened: Open, tmp_path: Path) -> None:
    write_pair(tmp_path)
    desktop = opened("Cut.mdl", model_bytes()[:-200])
    assert Pages()(desktop.state) is None


@pytest.mark.usefixtures("wow")
def test_the_offset_leads_to_the_bytes(opened: Open) -> None:
    desktop = opened("x.blp", b"BLP2" + bytes(60))
    picked = desktop.state.view.selection.picked
    assert isinstance(picked, ByteItem)
    desktop.state.view.selection.pick(ByteItem(3))
    desktop.click(*drawn_labels(desktop)[f"0x{picked.number:X}"])
    assert desktop.state.view.selection.picked == picked


def test_an_empty_file_comes_into_view_and_says_so(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = opened("Post.mdl", model_bytes())
    (tmp_path / "Empty.mdl").write_bytes(b"")
    desktop.app.post(OpenFiles((str(tmp_path / "Empty.mdl"),)))
    desktop.settle()
    assert desktop.state.document.path.endswith("Empty.mdl")
    assert "the file is empty" in said(desktop, monkeypatch)
    for chord in ("Ctrl+F", "PageDown", "End"):
        desktop.press(chord)
