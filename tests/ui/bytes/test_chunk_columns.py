"""The columns of the chunk tree at every size of the text."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.scene.choices import LARGEST_SCALE, SMALLEST_SCALE
from viewer.session.interface import STEP
from viewer.ui.bytes.byte_selection import LEAST_DIGITS
from viewer.ui.bytes.chunk_tree import COLUMNS
from viewer.ui.kit.widgets import mono


def steps() -> list[float]:
    """The scales that Ctrl+= and Ctrl+- reach, from the smallest."""
    found = [SMALLEST_SCALE]
    while found[-1] < LARGEST_SCALE:
        found.append(min(found[-1] * STEP, LARGEST_SCALE))
    return found


@pytest.mark.parametrize(("name", "text"), [("offset", "0" * LEAST_DIGITS), ("size", "1 592 777")])
def test_a_column_shows_all_its_digits(desk: Any, name: str, text: str) -> None:
    width = next(column.width for column in COLUMNS if column.name == name)
    rooms: list[float] = []

    def draw(state: Any, post: Any) -> None:
        with mono():
            rooms.append(int(width * imgui.get_font_size()) - imgui.calc_text_size(text).x)

    for scale in steps():
        desk.host.style("dark", scale)
        desk.show(draw)
    assert min(rooms) >= 0
