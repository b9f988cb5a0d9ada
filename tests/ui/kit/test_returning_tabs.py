"""Panels that leave and return have their tabs where they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.desktop import Desktop
from tests.synthetic import model_bytes, write_pair
from viewer.ui.kit.docking import dock_of, tab_of

BOTTOM = ("timeline", "curves", "chunks", "problems")


@pytest.fixture
def animated(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A window with an animated model."""
    desktop = Desktop(ctx, write_pair(tmp_path))
    yield desktop
    desktop.close()


@pytest.fixture
def still(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A window with a model that nothing animates."""
    path = tmp_path / "Stone.mdl"
    path.write_bytes(model_bytes())
    desktop = Desktop(ctx, path)
    yield desktop
    desktop.close()


def order(*names: str) -> list[str]:
    """The panels in the order of their tabs."""
    return sorted(names, key=lambda name: getattr(tab_of(f"###{name}"), "order", -1))


def in_front(desktop: Desktop) -> list[str]:
    """The panels of the bottom that are seen."""
    found = (imgui.internal.find_window_by_name(f"###{name}") for name in BOTTOM)
    seen = zip(BOTTOM, found, strict=True)
    return [name for name, window in seen if window is not None and window.active and not window.hidden]


def panel_height(name: str) -> float:
    window = imgui.internal.find_window_by_name(f"###{name}")
    return float(window.size.y) if window is not None and window.active else 0.0


def test_what_plays_nothing_has_no_transport_and_no_timeline(still: Desktop) -> None:
    assert [panel_height(name) for name in ("transport", "timeline", "curves")] == [0, 0, 0]
    assert in_front(still) == ["chunks"]
    assert panel_height("outline") > 0


def test_the_picture_takes_the_room_of_the_transport(still: Desktop, animated: Desktop) -> None:
    def height(desktop: Desktop) -> float:
        return desktop.app._workspace.picture(desktop.state, desktop.app.surface.points).height

    assert height(still) > height(animated) + 20


def test_the_first_frame_knows_the_room(ctx: Any, tmp_path: Path) -> None:
    path = tmp_path / "Stone.mdl"
    path.write_bytes(model_bytes())
    desktop = Desktop(ctx)
    desktop.app._files.begin([str(path)])
    while not desktop.state.documents.opened:
        desktop.skip(seconds=0.0)
    picture, points = desktop.app._workspace.picture, desktop.app.surface.points
    first = picture(desktop.state, points)
    desktop.frames(8)
    assert picture(desktop.state, points) == first
    desktop.close()


def test_panels_return_with_the_animation_in_their_order(still: Desktop, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    still.app._files.begin([str(write_pair(folder))])
    still.settle()
    still.state.show(1)
    still.frames(6)
    assert in_front(still) == ["timeline"]
    assert order(*reversed(BOTTOM)) == list(BOTTOM)
    assert panel_height("transport") > 0
    still.state.show(0)
    still.frames(4)
    assert in_front(still) == ["chunks"]


def test_a_tab_in_the_background_returns_there(animated: Desktop) -> None:
    animated.state.interface.bring("problems")
    animated.frames(4)
    animated.state.interface.toggle("curves")
    animated.frames(4)
    animated.state.interface.toggle("curves")
    animated.frames(4)
    assert in_front(animated) == ["problems"]
    assert order(*reversed(BOTTOM)) == list(BOTTOM)
    assert dock_of("###curves") == dock_of("###problems")


def test_a_new_layout_forgets_the_places(animated: Desktop) -> None:
    animated.state.interface.toggle("timeline")
    animated.frames(4)
    animated.state.interface.arrange("bytes")
    animated.frames(6)
    assert in_front(animated)[:1] == ["timeline"]
