"""A quad lit by the lights of its file, which mix colours as the bytes lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import display_options, middle, quad
from viewer.render.mesh.lights import LIGHTS, lights_in
from viewer.scene.choices import Shading
from viewer.scene.material import ClipTime, Material
from viewer.scene.model import Light

WHITE = Material("m", diffuse=(1.0, 1.0, 1.0, 1.0))
RED, DIM = (1.0, 0.0, 0.0), (0.0, 0.2, 0.0)
LIGHT = Light("point", -1, (0.0, 0.0, 1.0), RED, DIM, (2.0, 4.0))
FULL, PART = 255, 51
"""Of 1 and of 0.2."""


@pytest.mark.parametrize(
    ("light", "expected"),
    [
        (Light("point", -1, (0.0, 0.0, 1.0), RED, DIM, (2.0, 4.0)), [FULL, PART, 0]),
        (Light("point", -1, (0.0, 0.0, 3.0), RED, DIM, (2.0, 4.0)), [FULL // 2 + 1, PART // 2 + 1, 0]),
        (Light("point", -1, (0.0, 0.0, 9.0), RED, DIM, (2.0, 4.0)), [0, 0, 0]),
        (Light("point", -1, (0.0, 0.0, -1.0), RED, DIM, (2.0, 4.0)), [0, PART, 0]),
        (Light("directional", -1, (0.0, 0.0, 90.0), RED, DIM, (2.0, 4.0)), [FULL, PART, 0]),
    ],
    ids=["near", "half faded", "too far", "behind it there is only what is ambient", "from afar"],
)
def test_what_a_light_gives(shot: Any, light: Light, expected: list[int]) -> None:
    pixel = middle(shot(quad(WHITE, lights=(light,)), display_options(shading=Shading.LIT, file_lights=True)))
    assert np.abs(np.array(pixel[:3]) - expected).max() <= 4


def test_without_lights_the_studio_shines_on(shot: Any) -> None:
    bare = quad(WHITE)
    assert (
        shot(bare, display_options(shading=Shading.LIT, file_lights=True))
        == shot(bare, display_options(shading=Shading.LIT))
    ).all()


def test_a_light_changes_with_time(shot: Any) -> None:
    made = replace(LIGHT, motion=lambda clip_time: replace(LIGHT, diffuse=(clip_time.time, 0.0, 0.0)))
    for time, red in ((0.0, 0.0), (0.5, 0.5)):
        (row,) = lights_in((made,), None, np.eye(4), ClipTime(time))
        assert row["diffuse"].tolist()[:3] == [red, 0.0, 0.0]


def test_lights_that_are_off_make_room_for_others_and_leave_it_dark() -> None:
    off = replace(LIGHT, visible=False)
    found = lights_in((off, off, off, off, LIGHT), None, np.eye(4))
    assert [each["diffuse"].tolist()[:3] for each in found] == [list(RED), *[[0.0] * 3] * 3]
    (dark,) = lights_in((off,), None, np.eye(4))
    assert not dark["diffuse"][:3].any() and not dark["ambient"][:3].any()


@pytest.mark.usefixtures("any_numbers")
@pytest.mark.parametrize("far", [3e38, np.inf, np.nan])
def test_a_light_at_no_place_lies_at_some_place(far: float) -> None:
    view = np.diag((2.0, 2.0, 2.0, 1.0))
    view[:3, 3] = far
    (row,) = lights_in((Light("point", -1, (far, -far, 0.0)),), None, view)
    assert np.isfinite(row["position"]).all()


def test_a_light_follows_its_bone_and_only_so_many_count() -> None:
    class Posed:
        skin = np.array([[[1.0, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]]])

    pose: Any = Posed()
    made = lights_in((Light("point", 0, (1.0, 2.0, 3.0)),) * 9, pose, np.eye(4))
    assert len(made) == LIGHTS and made[0]["position"].tolist() == [6.0, 2.0, 3.0, 1.0]
