"""The note in the status line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.synthetic import write_pair
from viewer.ui.kit.widgets import copy_text
from viewer.ui.view import notes, overlays
from viewer.ui.view.view_panel import SHOWN


@pytest.fixture
def window(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    desktop = Desktop(ctx, write_pair(tmp_path))
    desktop.state.view.clock.pause()
    yield desktop
    desktop.close()


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts over the picture."""
    texts: list[str] = []
    draw = overlays.label

    def note(drawn: Any, name: str, *more: Any) -> None:
        texts.append(name)
        draw(drawn, name, *more)

    monkeypatch.setattr(overlays, "label", note)
    monkeypatch.setattr(notes, "label", note)
    return texts


def copy(desktop: Desktop, text: str) -> None:
    desktop.app.host.use()
    desktop.app.host.clipboard(lambda: "", lambda copied: None)
    copy_text(text)
    desktop.frames(2)


def test_a_copy_is_told_in_the_status_line_and_nowhere_else(window: Desktop, written: list[str]) -> None:
    copy(window, "0.25 1 0")
    assert "Copied 0.25 1 0" in written
    assert window.state.messages == []
    written.clear()
    window.frames()
    assert not any("triangles" in text for text in written), "it takes the place of the line"


def test_the_note_goes_after_a_while_without_an_event(window: Desktop, written: list[str]) -> None:
    copy(window, "0.25")
    assert window.app.pause is not None and window.app.pause <= SHOWN + 0.1
    window.app.frame(SHOWN + 0.1)
    written.clear()
    window.frames(2)
    assert "Copied 0.25" not in written
    end = time.monotonic() + 60
    while window.app.pause is not None and time.monotonic() < end:  # the check of the file may still run
        time.sleep(0.02)
        window.frames()
    assert window.app.pause is None


def test_long_texts_and_marks_are_told_in_one_short_line(window: Desktop, written: list[str]) -> None:
    copy(window, "\x1b" + "x" * 200 + "\nsecond\nthird")
    (told,) = {text for text in written if text.startswith("Copied")}
    assert told.startswith("Copied \\x1bxxx") and told.endswith("… and 2 more lines")
    width = imgui.calc_text_size(told).x
    assert width < window.app._workspace.picture(window.state, window.app.surface.points).width


def test_a_note_over_a_dialog_has_an_opaque_background(
    window: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    grounds: list[int] = []
    monkeypatch.setattr(notes, "label", lambda draw, name, box, color, ground: grounds.append(ground))
    window.state.interface.settings = ""
    copy(window, "0.25")
    assert grounds and all(ground >> 24 == 0xFF for ground in grounds)
