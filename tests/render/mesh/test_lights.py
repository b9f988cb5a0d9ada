"""A quad lit by the studio, the headlamp, or the lights of its file, which mix colours as the bytes lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import display_options, middle, quad
from viewer.render.mesh.lights import MOST_LIGHTS, Illumination, frame_lights, illumination, lights_in
from viewer.scene.choices import LIGHT_DIRECTIONS, Lighting, LightKind, Shading
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
    pixel = middle(
        shot(quad(WHITE, lights=(light,)), display_options(shading=Shading.LIT, light=LightKind.FILE))
    )
    assert np.abs(np.array(pixel[:3]) - expected).max() <= 4


def test_without_lights_the_studio_shines_on(shot: Any) -> None:
    bare = quad(WHITE)
    assert (
        shot(bare, display_options(shading=Shading.LIT, light=LightKind.FILE))
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
    assert len(made) == MOST_LIGHTS and made[0]["position"].tolist() == [6.0, 2.0, 3.0, 1.0]


GREY = Material("m", diffuse=(0.5, 0.5, 0.5, 1.0))
HEADLAMP, UNLIT = LightKind.HEADLAMP, LightKind.UNLIT


def lit(light: LightKind, direction: tuple[float, float] | None = None) -> Any:
    """The options with a light."""
    return display_options(Shading.LIT, light=light, light_direction=direction)


def test_the_studio_that_was_turned_to_its_own_direction_looks_the_same(shot: Any) -> None:
    model, own = quad(GREY), LIGHT_DIRECTIONS[LightKind.STUDIO]
    fixed, turned = (shot(model, lit(LightKind.STUDIO, each)).astype(int) for each in (None, own))
    assert np.abs(fixed - turned).max() <= 1


def test_the_headlamp_is_brightest_from_the_viewer(shot: Any) -> None:
    model = quad(GREY)
    directions = ((0.0, 0.0), (45.0, 0.0), (90.0, 0.0), (180.0, 0.0))
    values = [middle(shot(model, lit(HEADLAMP, each)))[0] for each in directions]
    assert values[0] > values[1] > values[2] == values[3] > 0


@pytest.mark.parametrize(("pitch", "brighter"), [(60.0, True), (-60.0, False)])
def test_a_lamp_from_above_lights_what_faces_up(shot: Any, pitch: float, brighter: bool) -> None:
    normals = (np.tile(np.array((0, y, 0.7), np.float32), (4, 1)) for y in (0.7, -0.7))
    models = (quad(GREY, columns={"normal": each}) for each in normals)
    faces_up, faces_down = (middle(shot(each, lit(HEADLAMP, (0.0, pitch))))[0] for each in models)
    assert (faces_up > faces_down) is brighter


def test_a_lamp_from_the_right_lights_what_faces_right(shot: Any) -> None:
    model = quad(GREY, columns={"normal": np.tile(np.array((0.7, 0, 0.7), np.float32), (4, 1))})
    right, left = (middle(shot(model, lit(HEADLAMP, (yaw, 0.0))))[0] for yaw in (45.0, -45.0))
    assert right > left


@pytest.mark.parametrize("direction", [None, (90.0, 0.0)])
def test_without_light_the_colours_are_those_of_the_file(shot: Any, direction: Any) -> None:
    assert middle(shot(quad(GREY), lit(UNLIT, direction)))[0] == 128


def test_lights_of_the_file_and_other_shadings_have_no_direction(shot: Any) -> None:
    model = quad(WHITE, lights=(LIGHT,))
    assert (shot(model, lit(LightKind.FILE, (90.0, 0.0))) == shot(model, lit(LightKind.FILE))).all()
    normals = [
        display_options(Shading.NORMALS, light=HEADLAMP, light_direction=each) for each in (None, (90.0, 0.0))
    ]
    assert (shot(model, normals[0]) == shot(model, normals[1])).all()


def test_only_a_light_that_moved_needs_lamps() -> None:
    kinds = [illumination(each, ()) for each in (Lighting(), Lighting(HEADLAMP), Lighting().turned(1, 0))]
    assert kinds == [Illumination.STUDIO, Illumination.LAMPS, Illumination.LAMPS]


def test_the_key_of_the_studio_comes_from_the_chosen_direction() -> None:
    key, *_ = frame_lights(Lighting(LightKind.STUDIO, (90.0, 0.0)), (), None, np.eye(4)).rows
    assert key["position"][:3] == pytest.approx((1.0, 0.0, 0.0), abs=0.01)
