"""The words over a picture that shows nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.desktop import Desktop
from tests.synthetic import model_bytes, write_pair
from viewer.ui.view import empty_picture


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(ctx, write_pair(tmp_path))
    yield made
    made.close()


def said(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines that the next frame draws."""
    lines: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(empty_picture, "label", lambda draw, text, box, color: lines.append(text))
        desktop.frames(1)
    return lines


def test_hidden_geometries_are_told_until_they_are_shown(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(desktop, monkeypatch) == []
    desktop.state.view.hidden.add(0)
    assert said(desktop, monkeypatch) == ["All geometries are hidden", "Alt+H shows hidden items"]
    desktop.press("Alt+H")
    assert said(desktop, monkeypatch) == []


def test_a_model_without_vertices_is_told(ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "Empty.mdl"
    path.write_bytes(
        model_bytes(vertex_buffers=[], index_buffers=[], geometries=[], morphs=[], bones=[], centers=[])
    )
    desktop = Desktop(ctx, path)
    try:
        assert said(desktop, monkeypatch)[:1] == ["No vertices"]
    finally:
        desktop.close()
