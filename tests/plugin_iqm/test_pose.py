"""Poses of clips against numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigscope_iqm.write import Clip

from tests.plugin_iqm.samples import ARM, FRAMES, JOINT_ROWS, RATE, data, model, opened, turned, waving
from viewer.animation.pose import Layer, pose
from viewer.scene.animation import Composition, Track
from viewer.scene.document import Document

STEP = 1.0 / 65535


def matrix(channels: Any) -> Any:
    """[4, 4]: T·R·S of ten channels."""
    x, y, z, w = channels[3:7] / np.linalg.norm(channels[3:7])
    out = np.eye(4)
    out[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ] * np.asarray(channels[7:])
    out[:3, 3] = channels[:3]
    return out


def skin(channels: Any) -> Any:
    """[P, 3, 4]: the skin matrices of channels [P, 10]: world pose times inverse world base."""
    base = [matrix(np.array((*j.translate, *j.rotate, *j.scale), float)) for j in JOINT_ROWS]
    found = []
    for number in range(len(JOINT_ROWS)):
        above, posed, rest = number, np.eye(4), np.eye(4)
        while above >= 0:
            posed, rest = matrix(channels[above]) @ posed, base[above] @ rest
            above = JOINT_ROWS[above].parent
        found.append((posed @ np.linalg.inv(rest))[:3])
    return np.array(found)


def posed(document: Document, clip: int, time: float, looped: bool = True) -> Any:
    skeleton = model(document).skeleton
    assert skeleton is not None
    return pose(skeleton, [Layer(document.animations[clip], time, looped=looped)])


@pytest.mark.parametrize("frame", range(FRAMES))
def test_each_frame_is_the_one_of_numpy(frame: int, tmp_path: Path) -> None:
    found = posed(opened(tmp_path), 0, frame / RATE)
    assert np.allclose(found.skin, skin(waving()[frame]), atol=1e-4)


def test_uneven_scales_of_parents_shear_their_children(tmp_path: Path) -> None:
    frames = waving()
    frames[:, 1, 7:] = (1, 2, 0.5)
    found = posed(opened(tmp_path, data(frames=frames)), 0, 3 / RATE)
    assert np.allclose(found.skin, skin(frames[3]), atol=1e-4)


def test_between_frames_values_are_mixed(tmp_path: Path) -> None:
    found = posed(opened(tmp_path), 0, 2.5 / RATE)
    assert found.positions[2, 2] == pytest.approx(0.5 + 0.05 * 2.5, abs=1e-4)


def test_the_last_frame_of_a_loop_is_followed_by_the_first(tmp_path: Path) -> None:
    document = opened(tmp_path)
    middle = (0.5 + 0.05 * 7 + 0.5) / 2
    assert posed(document, 0, 7.5 / RATE).positions[2, 2] == pytest.approx(middle, abs=1e-4)
    assert posed(document, 0, 7.9 / RATE, looped=False).positions[2, 2] == pytest.approx(0.85, abs=1e-4)


def test_a_rate_of_0_is_one_frame_a_second(tmp_path: Path) -> None:
    document = opened(tmp_path)
    assert document.animations[1].tracks[6].times.tolist() == [0, 1, 2]
    assert np.allclose(posed(document, 1, 1.0).skin, skin(waving()[3]), atol=1e-4), "frames 2 to 4"


@pytest.fixture
def tracks(tmp_path: Path) -> list[Track]:
    clip = opened(tmp_path).animations[0]
    assert clip.composition is Composition.ABSOLUTE
    return list(clip.tracks)


def test_channels_that_no_frame_stores_have_one_key(tracks: list[Track]) -> None:
    assert [len(track.times) for track in tracks] == [1] * 6 + [FRAMES, 1, 1, 1, FRAMES, 1]


def test_rotations_have_length_1(tracks: list[Track]) -> None:
    assert np.allclose(np.linalg.norm(tracks[3 * ARM + 1].values, axis=1), 1, atol=1e-6)


def test_a_rotation_that_is_not_normalised_turns_as_much(tmp_path: Path) -> None:
    frames = waving()
    frames[:, ARM, 3:7] *= 3
    found = opened(tmp_path, data(frames=frames)).animations[0].tracks[3 * ARM + 1].values
    assert np.allclose(found[4], turned(80), atol=1e-4)


def test_a_rotation_of_length_0_turns_nothing(tmp_path: Path) -> None:
    frames = waving()
    frames[:, ARM, 3:7] = 0
    found = opened(tmp_path, data(frames=frames)).animations[0].tracks[3 * ARM + 1].values
    assert found.tolist() == [[0, 0, 0, 1]]


def test_keys_are_read_when_they_are_used(tmp_path: Path) -> None:
    clips = [Clip(f"clip {number}", 0, FRAMES, 24.0) for number in range(50)]
    document = opened(tmp_path, data(clips=clips))
    assert all("_tracks" not in vars(each.tracks) for each in document.animations)
    assert len(document.animations[7].tracks) == 12 and "_tracks" in vars(document.animations[7].tracks)


def test_a_clip_without_frames_has_no_tracks_to_match(tmp_path: Path) -> None:
    document = opened(tmp_path, data(clips=[Clip("empty", 8, 0, 24.0)]))
    clip = document.animations[0]
    assert (clip.duration, clip.targets, clip.keyframes) == (0, (), 0) and document.report.count == 0
    assert np.allclose(posed(document, 0, 1.0).skin, np.eye(3, 4))


def test_nothing_that_moves_needs_no_numbers(tmp_path: Path) -> None:
    frames = np.repeat(waving()[:1], 5, axis=0)
    document = opened(tmp_path, data(frames=frames, clips=[Clip("stand", 0, 5, 10.0)], bounds=()))
    clip = document.animations[0]
    assert clip.keyframes == 4 and clip.duration == 0.4 and clip.bounds is None
    assert np.allclose(posed(document, 0, 0.2).skin, skin(frames[0]), atol=1e-4)
