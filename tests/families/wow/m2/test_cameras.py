"""Cameras that move: curves through keys that are a value and two tangents."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from viewer.families.wow.m2.effects.cameras import bezier, hermite
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.scene.camera import Camera
from viewer.scene.document import Document
from viewer.scene.material import ClipTime
from viewer.storage.documents import open_document

CATACLYSM = VersionTraits(265, bone_names=True, split_blend=True)
STILL = {"type": 0, "far": 100, "near": 0.1, "position": (5, 0, 1), "target": (0, 0, 1)}


def spline(*rows: tuple[Any, Any, Any]) -> list[Any]:
    """Keys of values with an incoming and an outgoing tangent."""
    return [np.ravel(row).tolist() for row in rows]


ZERO = (0.0, 0.0, 0.0)
PATH = spline((ZERO, ZERO, (0, 4, 0)), ((0, 2, 0), (0, -4, 0), ZERO))
ROLL = spline((0, 0, 0), (math.pi, 0, 0))


def opened(folder: Path, generation: VersionTraits, camera: dict[str, Any]) -> Document:
    path = folder / "Made.m2"
    changes = {"particles": [], "ribbons": []} if generation.version > 264 else {}
    path.write_bytes(m2_files.model(generation, cameras=[STILL | camera], **changes))
    (folder / "Made00.skin").write_bytes(m2_files.skin())
    return open_document(path)


def at(document: Document, seconds: float, animation: int = 0) -> Camera:
    assert document.model is not None
    clip = document.animations[animation]
    return document.model.cameras[0].at(ClipTime(seconds, clip, seconds))


def test_the_weights_of_both_curves_add_up_and_meet_the_ends() -> None:
    for t in (0.0, 0.3, 1.0):
        assert sum(bezier(t)) == pytest.approx(1)
        start, _, _, end = hermite(t)
        assert start + end == pytest.approx(1)
    assert bezier(0) == hermite(0) == (1, 0, 0, 0)
    assert bezier(1) == hermite(1) == (0, 0, 0, 1)


@pytest.mark.parametrize("generation", m2_files.GENERATIONS, ids=lambda each: str(each.version))
@pytest.mark.parametrize(
    ("interpolation", "expected"),
    [
        (0, 0.0),
        (1, 0.5),
        # Bezier: 27/64·0 + 27/64·4 + 9/64·(-4) + 1/64·2
        (2, 27 / 64 * 4 - 9 / 64 * 4 + 2 / 64),
        # Hermite: h10(¼) = 9/64, h11(¼) = -3/64, h01(¼) = 10/64
        (3, 9 / 64 * 4 + 3 / 64 * 4 + 10 / 64 * 2),
    ],
)
def test_the_place_follows_its_track(
    tmp_path: Path, generation: VersionTraits, interpolation: int, expected: float
) -> None:
    track = m2_files.keys(generation, [([0, 1000], PATH), ([0], PATH[:1])], interpolation=interpolation)
    document = opened(tmp_path, generation, {"fov": 1.0, "position_track": track})
    assert at(document, 0.25).position == pytest.approx((5, expected, 1), abs=1e-6)
    assert at(document, 1.0).position == pytest.approx((5, 2, 1))


def test_roll_and_target_follow_theirs(tmp_path: Path) -> None:
    roll = m2_files.keys(m2_files.CLASSIC, [([0, 1000], ROLL), ([0], ROLL[:1])])
    target = m2_files.keys(m2_files.CLASSIC, [([0, 1000], PATH), ([0], PATH[1:])])
    document = opened(tmp_path, m2_files.CLASSIC, {"fov": 1.0, "roll": roll, "target_track": target})
    seen = at(document, 0.5)
    assert seen.roll == pytest.approx(90)
    assert seen.target == pytest.approx((0, 1, 1))
    assert at(document, 0.5, animation=1).target == pytest.approx((0, 2, 1)), "another sequence, other keys"


def test_a_camera_without_moving_tracks_stays_one(tmp_path: Path) -> None:
    document = opened(tmp_path, m2_files.CLASSIC, {"fov": 1.0})
    assert document.model is not None
    camera = document.model.cameras[0]
    assert camera.motion is None
    assert camera.diagonal == pytest.approx(math.degrees(1.0))
    assert (camera.near, camera.far) == pytest.approx((0.1, 100))


def test_since_265_the_field_of_view_is_a_track(tmp_path: Path) -> None:
    widening = m2_files.keys(CATACLYSM, [([0, 1000], spline((0.5, 0, 0), (1.5, 0, 0)))])
    document = opened(tmp_path, CATACLYSM, {"fov_track": widening})
    assert at(document, 0.5).diagonal == pytest.approx(math.degrees(1.0))


def test_numbers_that_are_none_become_a_camera_all_the_same(tmp_path: Path) -> None:
    nowhere = spline(((math.nan,) * 3, ZERO, ZERO), ((math.inf,) * 3, ZERO, ZERO))
    track = m2_files.keys(m2_files.CLASSIC, [([0, 1000], nowhere), ([0], nowhere[:1])])
    document = opened(tmp_path, m2_files.CLASSIC, {"fov": 1.0, "position_track": track})
    assert np.isfinite(at(document, 0.25).position).all()


@pytest.mark.parametrize(("kind", "name"), [(0, "portrait"), (1, "character info"), (-1, "camera 0")])
def test_a_camera_is_named_by_its_type(tmp_path: Path, kind: int, name: str) -> None:
    document = opened(tmp_path, m2_files.CLASSIC, {"fov": 1.0, "type": kind})
    assert document.model is not None
    assert document.model.cameras[0].name == name
