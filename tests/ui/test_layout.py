"""How the named layouts are cut out of a window."""

from __future__ import annotations

import pytest

from viewer.session.layouts import BAR, BOTTOM, LAYOUTS, LEFT, LEFT_BELOW, PANELS, RIGHT, WindowLayout
from viewer.ui.layout import LEAST_VIEW, MIDDLE, NARROW, cuts, fronts, homes, kind

BAR_HEIGHT = 34.0
SIZES = [(480, 300), (640, 400), (899, 500), (1280, 800), (3840, 2160)]


def areas(layout: WindowLayout, size: tuple[float, float], scale: float) -> dict[str, tuple[float, float]]:
    """Width and height of every dock and of the middle."""
    left = {MIDDLE: size}
    for cut in cuts(layout, size, BAR_HEIGHT * scale, scale):
        width, height = left[cut.source]
        if cut.direction in ("up", "down"):
            left[cut.dock], left[cut.source] = (width, height * cut.share), (width, height * (1 - cut.share))
        else:
            left[cut.dock], left[cut.source] = (width * cut.share, height), (width * (1 - cut.share), height)
    return left


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_the_picture_keeps_its_room(layout: WindowLayout, size: tuple[float, float], scale: float) -> None:
    size = (size[0] * scale, size[1] * scale)
    found = areas(layout, size, scale)
    assert found[MIDDLE][0] >= size[0] * LEAST_VIEW - 1
    assert found[MIDDLE][1] >= size[1] * LEAST_VIEW - 1
    assert all(width > 0 and height > 0 for width, height in found.values())
    assert sum(width * height for width, height in found.values()) == pytest.approx(size[0] * size[1])


@pytest.mark.parametrize("narrow", [True, False])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_panel_has_a_dock(layout: WindowLayout, narrow: bool) -> None:
    size = (640, 800) if narrow else (1600, 900)
    docks = {cut.dock for cut in cuts(layout, size, BAR_HEIGHT)}
    placed = homes(layout, narrow)
    assert set(placed) == {panel.name for panel in PANELS}
    assert set(placed.values()) <= docks


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_layout_names_panels_that_exist(layout: WindowLayout) -> None:
    known = {panel.name for panel in PANELS}
    assert set(layout.closed) <= known and set(layout.moved) <= known


def test_the_bar_is_as_high_as_it_is_told() -> None:
    assert areas(LAYOUTS[0], (1280, 800), 1.0)[BAR][1] == pytest.approx(BAR_HEIGHT)


def test_kinds_of_windows() -> None:
    assert [kind(size) for size in ((1280, 800), (800, 600), (400, 800), (1280, 200))] == [
        "wide",
        "narrow",
        "tiny",
        "tiny",
    ]
    assert kind((1280, 800), 2.0) == "narrow"


def test_the_left_side_is_wider_where_it_has_the_panels_of_the_right() -> None:
    narrow, wide = (areas(LAYOUTS[0], (width, 720.0), 1.0)[LEFT][0] for width in (899.0, 901.0))
    assert narrow > 1.4 * wide


@pytest.mark.parametrize("name", ["default", "animate", "bytes"])
def test_the_outline_has_room_for_names_in_the_least_wide_window(name: str) -> None:
    (layout,) = (each for each in LAYOUTS if each.name == name)
    assert areas(layout, (NARROW, 600.0), 1.0)[LEFT][0] >= 170


@pytest.mark.parametrize("width", [NARROW - 1, NARROW, NARROW + 1])
def test_a_window_has_a_right_side_if_its_kind_is_wide(width: float) -> None:
    docks = {cut.dock for cut in cuts(LAYOUTS[0], (width, 720.0), BAR_HEIGHT)}
    assert (RIGHT in docks) == (kind((width, 720.0)) == "wide")


def test_a_panel_that_the_layout_moved_to_a_dock_is_in_front_of_it() -> None:
    default, inspect = (fronts(PANELS, homes(LAYOUTS[number], narrow=False)) for number in (0, 2))
    assert "properties" in default and "chunks" not in default
    assert "chunks" in inspect and "properties" not in inspect


def test_a_narrow_window_shows_a_moved_panel_at_its_own_side_in_front_and_high() -> None:
    inspect = LAYOUTS[2]
    placed = homes(inspect, narrow=True)
    assert placed["chunks"] == BOTTOM and placed["properties"] == LEFT_BELOW
    front = fronts(PANELS, placed)
    assert "chunks" in front and "timeline" not in front
    size = (563.0, 375.0)  # 900 × 600 at 160 %
    assert areas(inspect, size, 1.0)[BOTTOM][1] > 1.3 * areas(LAYOUTS[0], size, 1.0)[BOTTOM][1]
