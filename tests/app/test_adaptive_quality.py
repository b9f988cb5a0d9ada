"""The quality of the 3D view: lower while something moves, full at rest and in all that is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from tests.synthetic import opened_with_two_clips
from viewer.actions import ACTIONS
from viewer.app.adaptive_quality import FULL, LEVELS, REST, SLOW_FRAMES, AdaptiveQuality
from viewer.app.loop import App
from viewer.scene.camera import Orbit
from viewer.scene.choices import CompareMode, Quality
from viewer.scene.comparison import Comparison
from viewer.session.requests import CopyPicture, Screenshot
from viewer.session.state import State

FAST, LONG = 0.016, 0.05


def turned(state: State, quality: AdaptiveQuality, dt: float, frames: int) -> None:
    """Turn the camera for some frames of `dt` seconds."""
    for _ in range(frames):
        camera = state.view.camera if isinstance(state.view.camera, Orbit) else Orbit()
        state.view.camera = camera.turned(5.0, 0.0)
        quality.step(state, dt)


def started(software: bool) -> tuple[State, AdaptiveQuality]:
    """The first frame has been drawn."""
    state, quality = State(), AdaptiveQuality(software)
    state.view.camera = Orbit()
    quality.step(state, FAST)
    assert quality.level == FULL and not quality.unsettled
    return state, quality


@pytest.mark.parametrize(("software", "level"), [(True, LEVELS[1]), (False, FULL)])
def test_only_software_is_lowered_while_frames_are_fast(software: bool, level: Any) -> None:
    state, quality = started(software)
    turned(state, quality, FAST, 100)
    assert quality.level == level


@pytest.mark.parametrize("software", [True, False])
def test_slow_frames_lower_samples_then_resolution(software: bool) -> None:
    state, quality = started(software)
    levels = []
    for _ in range(40):
        turned(state, quality, LONG, 1)
        levels.append(LEVELS.index(quality.level))
    assert levels[0] == software and levels[-1] == len(LEVELS) - 1
    assert set(np.diff(levels)) == {0, 1}, "one after the other"
    assert levels.count(2) == SLOW_FRAMES


def test_the_slider_of_a_comparison_moves_the_picture_too() -> None:
    state, quality = started(software=True)
    state.documents.comparison = Comparison(CompareMode.SLIDER, 0.3)
    quality.step(state, FAST)
    assert quality.level == LEVELS[1]
    quality.step(state, REST)
    assert quality.level == FULL


def test_single_slow_frames_lower_nothing() -> None:
    state, quality = started(software=False)
    for _ in range(10):
        turned(state, quality, LONG, SLOW_FRAMES - 1)
        turned(state, quality, FAST, 1)
    assert quality.level == FULL


@pytest.mark.parametrize("dt", [0.0, FAST, LONG, 3.0])
def test_it_is_sharp_soon_after_the_movement(dt: float) -> None:
    state, quality = started(software=True)
    turned(state, quality, FAST, 2)
    assert quality.level != FULL and not quality.unsettled
    for _ in range(round(REST * 60) + 1):
        quality.step(state, dt)
    assert quality.level == FULL and not quality.unsettled


def test_a_pause_within_a_drag_is_no_rest_and_the_next_movement_tries_a_better_level() -> None:
    state, quality = started(software=False)
    turned(state, quality, LONG, SLOW_FRAMES * 2 + 1)
    quality.step(state, FAST)
    assert quality.level == LEVELS[2] and quality.unsettled
    turned(state, quality, FAST, 1)
    assert quality.level == LEVELS[2]
    for _ in range(20):
        quality.step(state, 0.1)
    turned(state, quality, FAST, 1)
    assert quality.level == LEVELS[1]


def test_the_time_between_two_movements_is_no_slow_frame() -> None:
    state, quality = started(software=False)
    for _ in range(3 * SLOW_FRAMES):
        turned(state, quality, 5.0, 1)
        quality.step(state, 5.0)
    assert quality.level == FULL


def test_full_quality_never_changes_and_saved_frames_are_full() -> None:
    state, quality = started(software=True)
    turned(state, quality, FAST, 2)
    quality.step(state, FAST, full=True)
    assert quality.level == FULL
    state.options.quality = Quality.FULL
    turned(state, quality, LONG, 20)
    assert quality.level == FULL


def target_of(app: App) -> tuple[tuple[int, int], int]:
    """The size and the samples of the picture in the window."""
    target = app._viewport._target
    assert target is not None
    return target.size, target.samples


def settle(app: App) -> None:
    """Draw with multisampling until nothing moves."""
    app.state.options.samples = 4
    app.frame(FAST)
    app.state.view.clock.pause()
    for _ in range(60):
        app.frame(FAST)
    assert not app.state.view.clock.playing and not app._viewport.quality.unsettled


def test_the_window_is_lowered_while_the_camera_turns_and_sharp_at_rest(m2_app: App, tmp_path: Path) -> None:
    app, state = m2_app, m2_app.state
    settle(app)
    (size, samples), picture = target_of(app), tmp_path / "moving.png"
    assert samples == 4

    def turn(dt: float) -> None:
        assert state.view.orbit is not None
        state.view.camera = state.view.orbit.turned(1.0, 0.0)
        app.frame(dt)

    for _ in range(12):
        turn(LONG)
    assert target_of(app) == ((round(size[0] / 2), round(size[1] / 2)), 0)
    assert state.view_info.triangles > 0
    app.post(Screenshot(str(picture), "window"))
    turn(LONG)
    assert target_of(app) == (size, samples)
    with Pillow.open(picture) as saved:
        assert saved.size == app.surface.pixels
    turn(LONG)
    assert target_of(app)[0] != size
    frames = 0
    while app._viewport.quality.unsettled or not frames:
        assert app.pause == 0 or not frames
        app.frame(FAST)
        frames += 1
    assert target_of(app) == (size, samples) and frames < 12


def test_the_picture_of_the_view_is_whole_while_a_clip_plays(
    m2_app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = list[Any]()
    monkeypatch.setattr("viewer.app.output.clipboard.put", copied.append)
    app, state = m2_app, m2_app.state
    settle(app)
    whole = target_of(app)[0]
    state.playback.choose(state.playback.animations[0])
    state.view.clock.play()
    for _ in range(12):
        app.frame(LONG)
    assert target_of(app)[0] != whole
    app.post(CopyPicture())
    app.post(Screenshot(str(tmp_path / "view.png")))
    app.frame(LONG)
    while app._tasks.busy:
        app._tasks.step()
    with Pillow.open(tmp_path / "view.png") as saved:
        assert saved.size == whole and saved.mode == "RGB"
    assert copied[0].shape[1::-1] == whole
    app.frame(LONG)
    assert target_of(app)[0] != whole


def test_a_clip_that_plays_moves_and_one_that_is_paused_does_not(m2_app: App) -> None:
    app, state = m2_app, m2_app.state
    settle(app)
    state.playback.choose(state.playback.animations[0])
    state.view.clock.play()
    for _ in range(3):
        app.frame(FAST)
    assert target_of(app)[1] == 0
    state.view.clock.pause()
    for _ in range(12):
        app.frame(FAST)
    assert target_of(app)[1] == 4


def test_the_choice_is_an_action_that_undo_takes_back(state_of_quality: State) -> None:
    state = state_of_quality
    state.undo.watch(1.0)
    next(each for each in ACTIONS if each.name == "quality_full").run(state, [].append)
    state.undo.watch(1.0)
    assert state.options.quality is Quality.FULL
    assert state.undo.undo() and state.options.quality is Quality.AUTOMATIC


@pytest.fixture
def state_of_quality(m2_app: App) -> State:
    m2_app.frame(FAST)
    return m2_app.state


def test_scrubbing_is_a_movement(tmp_path: Path) -> None:
    state, quality = opened_with_two_clips(tmp_path), AdaptiveQuality(True)
    state.playback.choose(state.playback.animations[0])
    state.view.clock.pause()
    quality.step(state, FAST)
    quality.step(state, FAST)
    assert quality.level == FULL
    state.view.clock.seek(0.25)
    quality.step(state, FAST)
    assert quality.level != FULL
    for _ in range(10):
        quality.step(state, FAST)
    assert quality.level == FULL
