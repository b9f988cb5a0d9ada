"""The find bar names the key that is in use."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from viewer.ui.bytes.bytes_panel import BytesPanel


def test_the_find_field_names_a_changed_key(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    field, hints = imgui.input_text_with_hint, []

    def noted(label: str, hint: str, *more: Any) -> Any:
        hints.append(hint)
        return field(label, hint, *more)

    monkeypatch.setattr(imgui, "input_text_with_hint", noted)
    post.state.interface.preferences.keys = {"find": ["F9"]}
    post.show(BytesPanel())
    assert "Find  F9" in hints
