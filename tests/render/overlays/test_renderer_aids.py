import numpy as np
import pytest

from tests.frames import frame_for
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions
from viewer.scene.model import Geometry, Lod, Model, Primitive, VertexBuffer, VertexElement
from viewer.scene.skeleton import Skeleton

SIZE = (96, 96)
GROUND = (0.1, 0.1, 0.1, 1.0)
PLAIN = {"grid": False, "axes": False, "background": GROUND, "samples": 0}
BONES = Skeleton(
    ("a", "b"),
    np.array((-1, 0), "i4"),
    np.array(((0, -0.8, -1), (0, 1.6, 0))),
    np.tile((0.0, 0, 0, 1), (2, 1)),
    np.ones((2, 3)),
)
"""A bone that stands behind the wall."""


def wall():
    """A square at z = 0 with bones behind it."""
    corners = np.array(((-1, -1, 0), (1, -1, 0), (-1, 1, 0), (1, 1, 0)), "<f4")
    buffer = VertexBuffer(corners.view(np.uint8).ravel(), 4, 12, (VertexElement("position", "f32", 3, 0),))
    lod = Lod(0, (0,), None, 0, 4, Primitive.TRIANGLE_STRIP)
    return Model("wall", (buffer,), (), (Geometry("wall", (lod,)),), skeleton=BONES)


@pytest.fixture
def shoot(ctx):
    """Draws a model with a look: [height, width, 4] numbers."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)
    meshes = []

    def draw(model, camera=None, **display_options):
        meshes.append(renderer.upload(model))
        camera = camera or Orbit(distance=4).seen_from("front")
        frame = frame_for(meshes[-1], SIZE, None, DisplayOptions(**{**PLAIN, **display_options}), camera)
        renderer.draw(meshes[-1], frame, target.framebuffer)
        return target.read().astype(int)

    yield draw
    for item in (*meshes, target, renderer):
        item.release()


def test_the_mesh_hides_the_ground_but_not_the_bones(shoot):
    bare, ground, bones = shoot(wall()), shoot(wall(), grid=True), shoot(wall(), skeleton=True)
    inside = np.s_[20:76, 40:56]
    assert (ground[inside] == bare[inside]).all() and (bones[inside] != bare[inside]).any()


def test_the_ground_is_drawn_behind_the_mesh(shoot):
    above = Orbit(distance=5, yaw=0, pitch=30)
    assert (shoot(wall(), above, grid=True) != shoot(wall(), above)).any(axis=-1).sum() > 200


def test_bones_without_a_mesh_always_show(shoot):
    assert np.ptp(shoot(Model("bones", skeleton=BONES))[..., 0]) > 60


def test_the_axes_are_in_their_corner_only(shoot):
    changed = (shoot(wall(), axes=True) != shoot(wall())).any(axis=-1)
    assert changed[:48, 48:].any() and not changed[48:].any() and not changed[:, :48].any()


def test_a_silhouette_has_no_aids(shoot):
    aids = {"grid": True, "axes": True, "skeleton": True}
    plain = shoot(wall(), shading=Shading.SILHOUETTE)
    assert (shoot(wall(), shading=Shading.SILHOUETTE, **aids) == plain).all()
