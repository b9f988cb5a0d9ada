"""The Motion panel and the marks of a motion in the timeline, under a real mouse and real keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui, implot

from tests.animation.motion.walker import SPEED
from tests.commands.info.test_judged_clips import write_walker
from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import animation_bytes, bone, model_bytes, track
from viewer.actions import ACTIONS_BY_NAME
from viewer.animation.motion.ground import Ground
from viewer.scene.items import BoneItem
from viewer.session.feet import list_feet
from viewer.session.requests import SaveAs, SaveMotion
from viewer.ui.kit import tree_table

KEYS = 21
POPPED = 12
"""The key that is turned by 40 degrees."""


def write_popped(folder: Path, tip: str = "tip") -> Path:
    """A post whose tip swings slowly to and fro, but for one key."""
    model, times = folder / "Post.mdl", np.linspace(0, 1, KEYS)
    model.write_bytes(model_bytes(bones=[bone("base", 0, 0, 0), bone(tip, 0, 0.5, 0.5)]))
    angles = np.radians(10 * np.sin(times * 2 * np.pi))
    angles[POPPED] += np.radians(40)
    zero = np.zeros(KEYS)
    rotations = np.stack((np.cos(angles / 2), zero, zero, np.sin(angles / 2)), axis=1)
    own = [track(tip, times.tolist(), rotation=rotations)]
    (folder / "Post_Bend.ani").write_bytes(animation_bytes("Bend", 1.0, own))
    return model


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(ctx, write_popped(tmp_path))
    made.state.playback.choose(made.state.playback.animations[0])
    made.state.view.clock.pause()
    made.rest()
    yield made
    made.close()


def open_motion(desktop: Desktop) -> None:
    """Bring the Motion panel to the front, and wait for its list."""
    desktop.state.interface.bring("motion")
    desktop.frames(6)
    desktop.rest()
    desktop.frames(3)


def test_a_key_that_pops_is_found_by_a_click(desktop: Desktop) -> None:
    assert desktop.state.motion.result is None, "nothing is judged until a panel shows it"
    open_motion(desktop)
    assert desktop.state.motion.listed[0].key == POPPED
    x, y = drawn_labels(desktop)["Heat map"]
    desktop.click(x, y + 2.9 * imgui.get_font_size())  # the first row, below the headings
    assert desktop.state.view.clock.shown(1.0) == pytest.approx(POPPED / (KEYS - 1))
    assert desktop.state.view.bone == 1 and desktop.state.view.selection.picked == BoneItem(1)


def test_keys_walk_the_list(desktop: Desktop) -> None:
    desktop.press("Alt+Down")
    desktop.rest()
    assert not desktop.state.messages, "the clip was judged, and its first key is shown"
    first = desktop.state.view.clock.shown(1.0)
    assert first == pytest.approx(POPPED / (KEYS - 1))
    open_motion(desktop)
    if len(desktop.state.motion.listed) > 1:
        desktop.press("Alt+Down")
        assert desktop.state.motion.chosen == 1
        desktop.press("Alt+Up")
    assert desktop.state.motion.chosen == 0 and desktop.state.view.clock.shown(1.0) == first


def test_the_list_is_saved_as_csv(desktop: Desktop, tmp_path: Path) -> None:
    open_motion(desktop)
    desktop.app.post(SaveAs(SaveMotion(), str(tmp_path / "pops")))
    desktop.frames(3)
    head, first, *_ = (tmp_path / "pops.csv").read_text().splitlines()
    assert head == "bone,key,seconds,degrees,ratio" and first.startswith(f"tip,{POPPED},0.6,")


def test_the_timeline_shows_the_heat(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    plot = implot.plot_heatmap
    monkeypatch.setattr(implot, "plot_heatmap", lambda *all: (shown.append(all[1]), plot(*all)))
    desktop.frames(3)
    assert not shown
    desktop.state.view.timeline.heat = True
    desktop.frames(3)
    desktop.rest()
    shown.clear()
    desktop.frames(2)
    cells = shown[-1]
    hottest = cells.max(axis=0).argmax() / cells.shape[1]
    start, end = desktop.state.view.timeline.visible_range(1.0)
    assert abs(start + hottest * (end - start) - POPPED / (KEYS - 1)) < 0.08


def test_another_clip_is_judged_when_it_plays(desktop: Desktop) -> None:
    open_motion(desktop)
    desktop.state.playback.choose(None)
    desktop.frames(3)
    assert not desktop.state.motion.listed
    desktop.state.playback.choose(desktop.state.playback.animations[0])
    desktop.rest()
    desktop.frames(3)
    assert len(desktop.state.motion.listed)


@pytest.fixture
def walking(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    made = Desktop(ctx, write_walker(tmp_path))
    made.state.view.clock.pause()
    made.rest()
    open_motion(made)
    yield made
    made.close()


def press(desktop: Desktop, label: str) -> None:
    """Click a button by its label, and wait for what follows."""
    desktop.click(*drawn_labels(desktop)[label])
    desktop.rest()
    desktop.frames(3)


def feet(desktop: Desktop) -> list[str]:
    """The names of the feet that are judged."""
    result, skeleton = desktop.state.motion.result, desktop.state.skeleton
    assert result is not None and skeleton is not None
    return [skeleton.names[bone] for bone in result.feet.bones]


def test_the_list_of_feet_is_changed_and_guessed_again(walking: Desktop) -> None:
    assert feet(walking) == ["L_Foot", "R_Foot"] and "Guess" not in drawn_labels(walking)
    for number, label, after in ((3, "Remove foot", ["R_Foot"]), (2, "Add foot", ["L_Calf", "R_Foot"])):
        walking.state.view.selection.pick(BoneItem(number))
        walking.frames(2)
        press(walking, label)
        assert feet(walking) == after
    press(walking, "Guess")
    assert feet(walking) == ["L_Foot", "R_Foot"]


def test_a_click_on_a_foot_goes_to_its_first_contact(walking: Desktop) -> None:
    walking.state.view.clock.seek(1.3)
    x, y = drawn_labels(walking)["Add foot"]
    walking.click(x, y + 2.9 * imgui.get_font_size())  # the first row, below the headings
    assert walking.state.view.bone == 3 and walking.state.view.clock.time == pytest.approx(0, abs=0.02)


def test_the_timeline_shows_contacts_as_bars(walking: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    bars: list[Any] = []
    plot = implot.plot_line
    monkeypatch.setattr(implot, "plot_line", lambda name, *all: (bars.append((name, *all)), plot(name, *all)))
    walking.state.interface.bring("timeline")
    walking.frames(4)
    assert not [each for each in bars if each[0] == "##contacts"]
    walking.state.view.timeline.contacts = True
    walking.frames(4)
    walking.rest()
    found = [each for each in bars if each[0] == "##contacts"][-1]
    assert len(found[1]) == 2 * len(walking.state.motion.result.footwork.contacts)  # type: ignore[union-attr]


def test_contacts_are_saved_as_csv(walking: Desktop, tmp_path: Path) -> None:
    walking.app.post(SaveAs(SaveMotion("contacts"), str(tmp_path / "steps.csv")))
    walking.frames(3)
    head, first, *_ = (tmp_path / "steps.csv").read_text().splitlines()
    assert head == "bone,start in seconds,end in seconds" and first.startswith("L_Foot,0,")


def test_the_speed_of_the_ground_ends_a_slide(walking: Desktop) -> None:
    result = walking.state.motion.result
    assert result is not None and result.footwork is not None
    before = result.footwork.slides[0]
    walking.state.view.ground = Ground(speed=before.speed)
    walking.rest()
    walking.frames(3)
    result = walking.state.motion.result
    assert result is not None and result.footwork is not None
    assert result.footwork.slides[0].length < 0.05 * before.length


def test_a_walk_on_the_spot_takes_its_own_speed(walking: Desktop) -> None:
    text = next(label for label in drawn_labels(walking) if "no speed is known" in label)
    assert text.endswith(f"If the clip walks on the spot, type {SPEED:.4g} as the speed.")
    press(walking, f"Use {SPEED:.4g}")
    assert walking.state.view.ground == Ground(speed=SPEED)
    assert not [label for label in drawn_labels(walking) if label.startswith("Use ")]


def test_a_clip_without_keys_that_pop_says_so(walking: Desktop) -> None:
    walking.state.interface.bring("timeline")
    walking.state.playback.choose(None)
    walking.frames(3)
    walking.state.playback.choose(walking.state.playback.animations[0])
    walking.frames(3)
    walking.press("Alt+Down")
    walking.rest()
    assert [each.text for each in walking.state.messages] == ["No key of the clip pops"]


LONG = "Bip01_L_Clavicle"


@pytest.mark.parametrize("size", [(900, 600), (1200, 750)])
@pytest.mark.parametrize("layout", ["default", "animate"])
def test_names_of_bones_are_readable_in_a_narrow_panel(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], layout: str
) -> None:
    desktop = Desktop(ctx, write_popped(tmp_path, LONG), size=size)
    ACTIONS_BY_NAME[f"layout_{layout}"].run(desktop.state, desktop.app.post)
    desktop.state.playback.choose(desktop.state.playback.animations[0])
    assert desktop.state.document is not None
    list_feet(desktop.state.interface.preferences, desktop.state.document.path, [LONG])
    open_motion(desktop)
    lines: list[str] = []
    rooms: list[float] = []
    row, selectable = tree_table.tree_row, imgui.selectable

    def noted_row(node: Any, label: str, *more: Any) -> Any:
        lines.append(label.partition("##")[0])
        return row(node, label, *more)

    def noted_foot(label: str, *more: Any) -> Any:
        if label.startswith(LONG):
            rooms.append(imgui.get_content_region_avail().x)
        return selectable(label, *more)

    monkeypatch.setattr(tree_table, "tree_row", noted_row)
    monkeypatch.setattr(imgui, "selectable", noted_foot)
    desktop.frames(2)
    names = [line for line in lines if line.startswith(LONG[:4])]
    assert names and all(len(name) >= 8 for name in names)
    assert rooms and min(rooms) >= imgui.calc_text_size(LONG[:8]).x
    desktop.close()


@pytest.mark.parametrize("scale", [1.0, 1.1, 1.25])
def test_the_line_of_the_ground_is_whole_in_a_narrow_panel(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scale: float
) -> None:
    desktop = Desktop(ctx, write_walker(tmp_path), size=(900, 600), scale=scale)
    open_motion(desktop)
    ends: dict[str, tuple[float, float]] = {}

    def noting(draw: Any) -> Any:
        def run(label: str, *more: Any) -> Any:
            edge = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
            made = draw(label, *more)
            ends[label] = imgui.get_item_rect_max().x, edge
            return made

        return run

    for name in ("input_float", "button"):
        monkeypatch.setattr(imgui, name, noting(getattr(imgui, name)))
    desktop.frames(2)
    shown = [ends[label] for label in ("Ground", "Speed", "Reset")]
    assert all(end <= edge for end, edge in shown)
    desktop.close()
