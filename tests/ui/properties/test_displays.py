"""The displays of a creature, in the whole window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui

from tests.creature_files import creature_tables, write_creature
from tests.desktop import Desktop
from viewer.scene.camera import Orbit
from viewer.scene.looks import Displays
from viewer.scene.text_filter import TextFilter
from viewer.storage.documents import open_document
from viewer.ui.properties.displays import details, matching


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """The properties of a creature with four distinct displays."""
    made = Desktop(ctx, write_creature(tmp_path))
    made.state.interface.bring("properties")
    made.rest()
    yield made
    made.close()


def rows(desktop: Desktop) -> dict[str, tuple[float, float]]:
    """The rows of the list by their text, and the middle of each."""
    found: dict[str, tuple[float, float]] = {}
    draw = imgui.selectable

    def noting(label: str, *more: Any) -> Any:
        result = draw(label, *more)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        if label.endswith("###row"):
            found[label.removesuffix("###row")] = low.x + 20, (low.y + high.y) / 2
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imgui, "selectable", noting)
        desktop.frames(1)
    return found


def worn(desktop: Desktop) -> int | None:
    """The id of the display that the model wears when it has arrived."""
    desktop.settle()
    assert desktop.state.document is not None
    return desktop.state.document.displays.worn_id


def skin(desktop: Desktop) -> str:
    assert desktop.state.model is not None
    return Path(desktop.state.model.textures[0].path or "").name


def test_the_distinct_displays_are_listed(desktop: Desktop) -> None:
    assert list(rows(desktop)) == [
        "Without a display",
        "MadeBlack",
        "MadeGone",
        "MadeWhite, MadeEyes",
        "MadeBlack, alpha 128",
    ]


def test_a_click_dresses_the_model_and_undo_brings_the_first_skin_back(desktop: Desktop) -> None:
    desktop.click(*rows(desktop)["MadeWhite, MadeEyes"])
    assert (worn(desktop), skin(desktop)) == (40, "MadeWhite.blp")
    assert desktop.state.undo.undo()
    assert (worn(desktop), skin(desktop)) == (20, "MadeBlack.blp")
    assert desktop.state.undo.redo()
    assert worn(desktop) == 40


def test_the_arrow_keys_walk_through_the_displays(desktop: Desktop) -> None:
    desktop.click(*rows(desktop)["MadeGone"])
    assert worn(desktop) == 30
    desktop.press("Right")
    assert worn(desktop) == 40
    desktop.press("Left")
    desktop.press("Left")
    assert worn(desktop) == 20
    desktop.press("Home")
    assert worn(desktop) is None


def test_a_moved_camera_stays_while_the_size_changes(desktop: Desktop) -> None:
    before = desktop.state.view.camera = Orbit(yaw=10.0, distance=3.0)
    desktop.click(*rows(desktop)["MadeWhite, MadeEyes"])
    worn(desktop)
    assert desktop.state.view.camera == before


def test_the_actions_step_to_the_next_display(desktop: Desktop) -> None:
    desktop.press("Alt+]")
    assert worn(desktop) == 30
    desktop.press("Alt+[")
    assert worn(desktop) == 20


def test_a_reload_keeps_the_display_and_follows_the_tables(desktop: Desktop, tmp_path: Path) -> None:
    desktop.click(*rows(desktop)["MadeWhite, MadeEyes"])
    assert worn(desktop) == 40
    desktop.press("F5")
    assert worn(desktop) == 40
    write_creature(tmp_path, creature_tables([(20, 7, 0, 0, 1.0, 255, "MadeBlack")]))
    desktop.press("F5")
    assert worn(desktop) == 20 and desktop.state.view.display == 20


@pytest.fixture
def displays(tmp_path: Path) -> Displays:
    return open_document(write_creature(tmp_path)).displays


@pytest.mark.parametrize(
    ("text", "ids"),
    [("", [None, 20, 30, 40, 50]), ("black", [20, 50]), ("21", [21]), ("eyes white", [40]), ("zebra", [])],
)
def test_the_filter_takes_names_and_ids(displays: Displays, text: str, ids: list[int | None]) -> None:
    assert [None if each is None else each.id for each in matching(displays, TextFilter(text))] == ids


def test_a_tooltip_says_what_the_display_changes(displays: Displays) -> None:
    first, gone, _, translucent = displays.distinct
    assert details(first.first, first) == "MadeBlack\nScale 2\nIds 20, 21"
    assert "Files of these textures are missing" in details(gone.first, gone)
    assert details(translucent.first, translucent).splitlines()[2:] == [
        "Alpha 128 of 255",
        "Character 5",
        "Id 50",
    ]


def test_the_wheel_scrolls_away_from_the_chosen_display(ctx: Any, tmp_path: Path) -> None:
    many = creature_tables([(number, 7, 0, 0, 1.0, number, "MadeBlack") for number in range(20, 60)])
    desktop = Desktop(ctx, write_creature(tmp_path, many))
    try:
        desktop.state.interface.bring("properties")
        desktop.rest()
        first = "MadeBlack, alpha 20"
        at = rows(desktop)["MadeBlack, alpha 24"]
        desktop.click(*at)
        desktop.press("End")
        assert worn(desktop) == 59 and first not in rows(desktop)
        desktop.move(*at)
        desktop.app.host.input.wheel(0, 60)
        desktop.frames(12)
        assert first in rows(desktop)
    finally:
        desktop.close()
