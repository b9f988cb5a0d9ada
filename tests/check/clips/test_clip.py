"""Of files with very many clips the first ones are checked."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.checked import STRAIGHT, TURNED, chain, texts
from viewer.budget import BUDGET
from viewer.check import check_context as context
from viewer.check.clips import clip
from viewer.scene.animation import Animation, Track


def turning(number: int) -> Animation:
    """A clip of two tracks, the keys of which are out of order."""
    times, values = np.array([0.0, 2.0, 1.0], np.float32), np.array([STRAIGHT, TURNED, STRAIGHT], np.float32)
    tracks = [Track(name, "rotation", times, values) for name in ("a", "b")]
    return Animation(f"clip {number}", 2.0, tracks)


CLIPS = [turning(number) for number in range(6)]
BONES = chain("a", "b")


def test_all_clips_of_a_plain_file_are_checked() -> None:
    assert len(texts("animation/key-order", BONES, *CLIPS)) == 6
    assert texts("animation/unchecked", BONES, *CLIPS) == []


def test_clips_behind_the_limit_of_tracks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip, "FEW_TRACKS", 4)
    monkeypatch.setattr(clip, "BYTES_OF_A_TRACK", 1 << 20)
    assert len(texts("animation/key-order", BONES, *CLIPS)) == 2
    assert texts("animation/unchecked", BONES, *CLIPS) == [
        "4 of 6 clips are not checked: there are too many tracks or keys"
    ]


def test_clips_behind_the_limit_of_keys_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip, "FEW_KEY_BYTES", 3 * 2 * (3 * 4 + 3 * 16))
    monkeypatch.setattr(clip, "TIMES_THE_FILE", 0)
    assert len(texts("animation/key-order", BONES, *CLIPS)) == 3
    (text,) = texts("animation/unchecked", BONES, *CLIPS)
    assert text.startswith("3 of 6 clips")


def test_clips_behind_the_limit_of_bones_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "BUDGET", replace(BUDGET, checked_tracks=6))
    assert len(texts("animation/key-order", BONES, *CLIPS)) == 3
    (text,) = texts("animation/unchecked", BONES, *CLIPS)
    assert text.startswith("3 of 6 clips")
