"""Lines, points, triangles without area, and the backs of triangles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.frames import frame_for
from tests.quads import FRONT, display_options, quad
from tests.synthetic import QUAD, model_of, vertex_buffer
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.choices import Shading
from viewer.scene.material import Material
from viewer.scene.model import Model, Primitive

Shot = Callable[..., Array]
WHITE = Material("white", unlit=True)


def drawn_as(primitive: Primitive, positions: Any) -> Model:
    """A white model of this primitive type, its vertices in order."""
    points = np.array(positions, np.float32)
    model = model_of(
        vertex_buffer(position=points),
        indices=np.arange(len(points), dtype=np.uint16),
        geometry={"material": 0},
        materials=(WHITE,),
    )
    lod = replace(model.geometries[0].lods[0], primitive=primitive)
    return replace(model, geometries=(replace(model.geometries[0], lods=(lod,)),))


@pytest.mark.parametrize("primitive", [Primitive.LINES, Primitive.LINE_STRIP])
@pytest.mark.parametrize("end", [(0.9, 0.0, 0.0), (0.0, 0.9, 0.0), (0.6, 0.6, 0.0)])
@pytest.mark.parametrize("density", [1.0, 2.0])
def test_lines_are_2_pixels_thick_at_density_1(
    ctx: Any, primitive: Primitive, end: tuple[float, float, float], density: float
) -> None:
    renderer, target = Renderer(ctx), RenderTarget(ctx, (64, 64))
    start = tuple(-each for each in end)
    mesh = renderer.upload(drawn_as(primitive, [start, end]), {})
    frame = frame_for(mesh, (64, 64), None, display_options(), FRONT, density=density)
    renderer.draw(mesh, frame, target.framebuffer)
    lit = target.read()[..., 0] > 128
    length = np.hypot(*np.ptp(np.argwhere(lit), axis=0)) + 1
    assert lit.sum() / length == pytest.approx(2 * density, rel=0.3)
    mesh.release()
    target.release()
    renderer.release()


def test_a_line_that_begins_behind_the_camera_is_drawn_up_to_it(shot: Shot) -> None:
    model = drawn_as(Primitive.LINES, [(0.0, 0.0, 0.0), (0.5, 0.0, 40.0)])
    assert (shot(model, display_options())[8, 9:, 0] > 128).any()


def test_points_are_at_least_2_pixels_wide(shot: Shot) -> None:
    pixels = shot(drawn_as(Primitive.POINTS, [(0.0, 0.0, 0.0)]), display_options())
    assert (pixels[..., 0] > 128).sum() >= 4


def test_triangles_without_area_are_points(shot: Shot) -> None:
    corner = np.repeat(QUAD[:1] * 0, 4, axis=0)
    pixels = shot(quad(WHITE, columns={"position": corner}), display_options())
    assert (pixels[..., 0] > 128).sum() >= 4


@pytest.mark.parametrize(("cull", "view"), [("back", "back"), ("front", "front")])
def test_the_culled_side_is_plain_on_request(shot: Shot, cull: str, view: str) -> None:
    model, camera = quad(Material("m", cull=cull, unlit=True)), FRONT.seen_from(view)
    assert shot(model, display_options(), camera)[8, 8, 0] == 0
    red, green, blue, _ = shot(model, display_options(back_faces=True), camera)[8, 8].astype(int)
    assert 60 < red <= green <= blue < 200
    assert shot(model, display_options(Shading.NORMALS, back_faces=True), camera)[8, 8].any()


@pytest.mark.parametrize(("cull", "blend"), [("none", "replace"), ("back", "replace"), ("none", "add")])
def test_sides_that_are_seen_stay_as_they_are(shot: Shot, cull: str, blend: str) -> None:
    model = quad(Material("m", cull=cull, blend=blend))
    plain = shot(model, display_options())
    assert (shot(model, display_options(back_faces=True)) == plain).all()


def test_the_backs_of_added_light_stay_hidden(shot: Shot) -> None:
    model = quad(Material("m", blend="add"))
    assert not shot(model, display_options(back_faces=True), FRONT.seen_from("back"))[8, 8, :3].any()
