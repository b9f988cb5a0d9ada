"""Overlays of points and of the collision mesh."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, display_options, quad
from viewer.gpu.target import RenderTarget
from viewer.render.overlays.marks import collision_edges, spot_segments
from viewer.render.overlays.segments import ACCENT
from viewer.render.renderer import Renderer
from viewer.scene.display import DisplayOptions
from viewer.scene.items import AttachmentItem, BoneItem, LightItem
from viewer.scene.model import Attachment, Collision, Light, Model
from viewer.scene.parts import PART_KINDS
from viewer.view.selection import Selection

SIZE = (64, 64)
MODEL = Model(
    "",
    attachments=(Attachment(1, "HandRight", -1, (0.0, 0.0, 0.0)),),
    lights=(Light("point", -1, (0.0, 0.0, 0.0), (4.0, 2.0, 0.0), attenuation=(0.5, 2.0)),),
)


def test_each_edge_of_the_collision_mesh_is_there_once() -> None:
    corners = np.array([(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    edges = collision_edges(Collision(corners, np.array([(0, 1, 2), (0, 2, 3)])))
    assert edges.shape == (5, 2, 3)


def test_a_light_has_its_own_colour_and_its_reach_where_it_is_picked() -> None:
    plain = np.concatenate(spot_segments(MODEL, None, DisplayOptions(light_markers=True), ()))
    assert len(plain) == 2
    assert plain["color"][1] == pytest.approx((1, 0.5, 0, 1)), "the brightest part as bright as can be"
    marked = np.concatenate(spot_segments(MODEL, None, DisplayOptions(), (LightItem(0),)))
    assert marked["color"][0] == pytest.approx(ACCENT)
    reach = np.linalg.norm(marked["start"][2:], axis=1)
    assert set(np.round(reach, 4)) == {0.5, 2.0}


@pytest.mark.usefixtures("any_numbers")
def test_a_marker_at_a_place_that_f32_does_not_have_is_made_without_a_warning() -> None:
    far = replace(MODEL, lights=(replace(MODEL.lights[0], position=(1e300, -np.inf, np.nan)),))
    made = np.concatenate(spot_segments(far, None, DisplayOptions(), (LightItem(0),)))
    assert not np.isfinite(made["start"]).any()


def test_nothing_is_made_where_nothing_shows() -> None:
    assert spot_segments(MODEL, None, DisplayOptions(), (BoneItem(3), None)) == []


@pytest.mark.parametrize(
    ("options", "color"),
    [
        ({"attachments": True}, PART_KINDS[AttachmentItem].color),
        ({"collision": True}, (0.94, 0.40, 0.36, 1.0)),
    ],
)
def test_overlays_are_seen(ctx: Any, options: dict[str, bool], color: tuple[float, ...]) -> None:
    cross = np.array([(-0.5, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.0, 0.0)])
    model = replace(quad(), attachments=MODEL.attachments, collision=Collision(cross, np.array([(0, 1, 2)])))
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    mesh = renderer.upload(model)

    def picture(options: DisplayOptions) -> np.ndarray:
        frame = frame_for(mesh, SIZE, None, options, FRONT, selection=Selection())
        renderer.draw(mesh, frame, target.framebuffer)
        return target.read().astype(int)[..., :3]

    before, after = picture(display_options()), picture(replace(display_options(), **options))
    mesh.release()
    target.release()
    renderer.release()
    changed = np.abs(after - before).max(axis=2) > 30
    assert 3 < changed.sum() < 400
    hue = after[changed].mean(axis=0)
    assert np.argmax(hue) == np.argmax(color[:3])
