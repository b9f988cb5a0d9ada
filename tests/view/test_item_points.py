"""Points that follow bones."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import quad
from viewer.scene.display import DisplayOptions
from viewer.scene.items import BoneItem, EventItem, GeometryItem, LightItem, MaterialItem
from viewer.scene.material import ClipTime, Material
from viewer.scene.model import Attachment, EventPoint, Light, Model
from viewer.view.item_points import item_points, markers_of, positions, shown_markers

MODEL = Model(
    "",
    attachments=(
        Attachment(1, "HandRight", 1, (1.0, 0.0, 0.0)),
        Attachment(2, "HandLeft", 7, (0.0, 1.0, 0.0)),
    ),
    events=(EventPoint("$HIT", 0, (0.0, 0.0, 1.0)),),
    lights=(Light("point", -1, (2.0, 2.0, 2.0)),),
)
HALF_TURN = [[-1.0, 0, 0, 10], [0, -1.0, 0, 0], [0, 0, 1.0, 0]]


def test_all_of_them_have_a_name() -> None:
    assert [each.name for each in markers_of(MODEL)] == ["HandRight 1", "HandLeft 2", "$HIT", "point light 0"]


def test_only_those_whose_overlay_is_on_or_that_are_marked_show() -> None:
    assert shown_markers(MODEL, DisplayOptions(), (None, BoneItem(0))) == []
    assert [
        each.item for each in shown_markers(MODEL, DisplayOptions(light_markers=True), (EventItem(0), None))
    ] == [
        EventItem(0),
        LightItem(0),
    ]
    assert len(shown_markers(MODEL, DisplayOptions(attachments=True), ())) == 2


def test_they_follow_their_bones_and_stay_where_there_is_none() -> None:
    skin = np.array([np.eye(3, 4), HALF_TURN])
    found = positions(markers_of(MODEL), skin)
    assert found == pytest.approx(np.array([(9, 0, 0), (0, 1, 0), (0, 0, 1), (2, 2, 2)]))
    assert positions(markers_of(MODEL), None)[0] == pytest.approx((1, 0, 0))
    assert positions([], skin).shape == (0, 3)


def test_a_light_that_does_not_change_is_itself_at_any_time() -> None:
    still, later = MODEL.lights[0], Light("point", 1, (0.0, 0.0, 0.0))
    clip_time = ClipTime(0.5, None, 0.5)
    assert still.at(clip_time) is still
    assert replace(still, motion=lambda time: later if time.at else still).at(clip_time) is later


def test_a_material_has_the_points_of_its_geometries() -> None:
    model = quad(Material("m"))
    model = replace(model, geometries=(*model.geometries, replace(model.geometries[0], material=None)))
    one, found = (item_points(model, None, {}, item) for item in (GeometryItem(0), MaterialItem(0)))
    assert one is not None and found is not None and len(one)
    assert found == pytest.approx(one)
    assert item_points(model, None, {}, MaterialItem(7)) is None
