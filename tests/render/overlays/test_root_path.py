"""The path of the root motion on the ground."""

from __future__ import annotations

import numpy as np

from tests.animation.bones import skeleton_of
from viewer.animation.pose import Layer
from viewer.render.overlays.root_path import root_path_segments
from viewer.scene.animation import Animation, Track

Z_UP = np.array([[0.0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
BONES = skeleton_of([-1, 0])


def walk(*values: tuple[float, float, float]) -> Animation:
    times = np.linspace(0, 2, len(values)).astype(np.float32)
    return Animation("Walk", 2.0, (Track("a", "position", times, np.array(values, np.float32)),), ("a",))


def test_the_path_lies_on_the_ground_and_the_dot_is_at_the_current_time() -> None:
    layers = (Layer(walk((0, 0, 3), (4, 0, 5)), 3.0),)
    rim, line, start, now = root_path_segments(BONES, layers, Z_UP)
    assert np.allclose(line["start"][:, 2], 0, atol=1e-6) and len(rim) == len(line)
    assert np.allclose(start["start"], (0, 0, 0), atol=1e-6)
    assert np.allclose(now["start"], (2, 0, 0), atol=1e-6), "3 s are 1 s of a loop of 2 s"


def test_the_arrowhead_is_at_the_end() -> None:
    line = root_path_segments(BONES, (Layer(walk((0, 0, 0), (4, 0, 0)), 0.0),), Z_UP)[1]
    assert np.allclose(line["start"][-2:], (4, 0, 0)) and (line["end"][-2:, 0] < 4).all()


def test_a_clip_without_root_motion_has_no_path() -> None:
    assert root_path_segments(BONES, (Layer(walk((0, 0, 0), (0, 0, 4)), 0.0),), Z_UP) == []
