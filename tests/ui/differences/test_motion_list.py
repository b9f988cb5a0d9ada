"""The page of motions under a fake mouse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import implot

from tests.synthetic import animation_bytes, track, write_pair
from tests.ui.conftest import SIZE
from viewer.animation.clock import SAME_TIME
from viewer.animation.motion.clip_difference import clip_difference
from viewer.scene.choices import TimeTie
from viewer.session.comparison import find_partner, follow, in_order, motion
from viewer.session.comparison_result import ComparisonResult
from viewer.storage.documents import open_document
from viewer.ui.differences import motion_list
from viewer.ui.differences.differences_panel import DifferencesPanel
from viewer.ui.kit import tree_table


def turns(target: str, *degrees: float) -> Any:
    """A track that turns a bone about Z, with a key each half second."""
    halves = np.radians(degrees) / 2
    rotation = [[np.cos(half), 0, 0, np.sin(half)] for half in halves]
    return track(target, [number / 2 for number in range(len(degrees))], rotation=rotation)


@pytest.fixture
def itself(desk: Any, tmp_path: Path) -> Iterator[Any]:
    """A desk with the post beside itself: Walk on the left; on the right Run, whose tip is turned by 40
    degrees more at 0.5 s and whose base by 10 degrees more at the start.
    """
    path = write_pair(tmp_path)
    names = ("base", "tip")
    for name, base, tip in (("Walk", (0, 0, 0), (0, 20, 0)), ("Run", (10, 0, 0), (0, 60, 0))):
        tracks = [turns(names[0], *base), turns(names[1], *tip)]
        path.with_name(f"Post_{name}.ani").write_bytes(animation_bytes(name, 1.0, tracks))
    state = desk.state
    state.put(open_document(path))
    state.playback.choose(state.playback.animation("Walk"))
    state.compare_with_itself()
    find_partner(state)
    state.partner.playback.choose(state.playback.animation("Run"))
    follow(state)
    found = clip_difference(*map(motion, in_order(state)), SAME_TIME)
    state.comparison_result = ComparisonResult(motion=found)
    panel = DifferencesPanel()
    desk.show(lambda state, post: step(state, panel, post))
    yield desk


def step(state: Any, panel: DifferencesPanel, post: Any) -> None:
    find_partner(state)
    follow(state)
    panel(state, post)


def click_on(desk: Any, bone: int) -> None:
    """Click down the list until a bone is selected."""
    for y in range(SIZE[1] - 5, 150, -8):
        desk.click(60, y)
        if desk.state.view.bone == bone:
            return
    raise AssertionError("the bone is not in the list")


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cells of the rows that are drawn from now on."""
    found: list[str] = []
    drawn = tree_table.right_aligned
    monkeypatch.setattr(
        tree_table, "right_aligned", lambda text, color=None: (found.append(text), drawn(text, color))
    )
    return found


def test_bones_are_listed_by_their_difference_at_this_moment(itself: Any, texts: list[str]) -> None:
    itself.frames()
    assert texts[:4] == ["10.0°", "10.0° at 0.000 s", "0.0°", "40.0° at 0.500 s"]
    texts.clear()
    itself.state.view.clock.seek(0.5)
    itself.frames(2)
    assert texts[-4:] == ["40.0°", "40.0° at 0.500 s", "0.0°", "10.0° at 0.000 s"]


def test_a_click_on_a_bone_selects_it_and_goes_to_its_largest_difference(itself: Any) -> None:
    itself.state.view.clock.play()
    click_on(itself, 1)
    assert itself.state.view.clock.time == pytest.approx(0.5) and not itself.state.view.clock.playing
    itself.frames()
    assert itself.state.partner.view.bone == 1
    assert itself.state.partner.view.clock.time == pytest.approx(0.5)


def test_an_arrow_key_leaves_the_time(itself: Any) -> None:
    click_on(itself, 1)
    itself.key("DOWN")
    assert itself.state.view.bone == 0 and itself.state.view.clock.time == pytest.approx(0.5)


def test_without_a_tie_there_is_only_this_moment(
    itself: Any, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = itself.state
    plots: list[str] = []
    monkeypatch.setattr(implot, "begin_plot", lambda name, *rest: plots.append(name))
    motion_list.ACTIONS_BY_NAME["compare_untied"].run(state, lambda request: None)
    assert state.documents.comparison.tie is TimeTie.NONE
    texts.clear()
    itself.frames()
    assert texts[1::2] == ["–", "–"] and not plots


def test_a_drag_in_the_curve_sets_the_time(itself: Any) -> None:
    itself.click(SIZE[0] * 0.6, 110)
    assert 0.3 < itself.state.view.clock.time < 0.8


def test_distances_replace_angles(itself: Any, texts: list[str]) -> None:
    motion_list.ACTIONS_BY_NAME["compare_distances"].run(itself.state, lambda request: None)
    itself.frames()
    texts.clear()
    itself.frames()
    assert texts and not any("°" in text for text in texts)


def test_models_without_a_common_bone_have_a_line(itself: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(motion_list, "nothing", said.append)
    itself.state.comparison_result = ComparisonResult()
    itself.frames()
    assert said == ["Comparing the clips …"]
