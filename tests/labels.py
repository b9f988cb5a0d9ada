"""The labels that a frame draws, and where: so that a hand can click what it reads."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

WIDGETS = (
    "button",
    "small_button",
    "selectable",
    "menu_item_simple",
    "begin_menu",
    "text_unformatted",
    "text",
    "text_disabled",
    "text_link",
    "collapsing_header",
    "checkbox",
)
Position = tuple[float, float]


def drawn_labels(screen: Any) -> dict[str, Position]:
    """Every text of the next frame of a Desk or Desktop without its icon, and the middle of its widget; a
    text that is drawn twice has its first position.
    """
    found: dict[str, Position] = {}

    def noting(draw: Any) -> Any:
        def run(text: str, *more: Any) -> Any:
            result = draw(text, *more)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            label = "".join(c for c in text.partition("##")[0] if not "\ue000" <= c <= "\uf8ff").strip()
            found.setdefault(label, ((low.x + high.x) / 2, (low.y + high.y) / 2))
            return result

        return run

    with pytest.MonkeyPatch.context() as patch:
        for name in WIDGETS:
            patch.setattr(imgui, name, noting(getattr(imgui, name)))
        screen.frames(1)
    return found
