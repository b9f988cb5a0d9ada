"""Ghosts: the mesh in other poses, behind the mesh."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from tests.frames import frame_for
from tests.synthetic import QUAD, model_of, pose_of, skeleton_of, vertex_buffer
from viewer.animation.pose import Pose
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.renderer import Renderer
from viewer.render.statistics import DrawStatistics
from viewer.scene.camera import Orbit
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions
from viewer.scene.material import Material
from viewer.scene.model import Model
from viewer.view.motion_marks import Ghost, Trail, TrailPoint

SIZE = (96, 48)
PLAIN = {"grid": False, "axes": False, "background": (0.0, 0.0, 0.0, 1.0), "samples": 0}
GREEN = Material("m", diffuse=(0.0, 1.0, 0.0, 1.0), unlit=True, cull="none")
RIGGED = {
    "joints": np.zeros((4, 4), np.uint8),
    "weights": np.tile(np.array((1, 0, 0, 0), np.float32), (4, 1)),
}
Draw = Callable[..., tuple[Array, DrawStatistics]]


def square(blend: str = "replace") -> Model:
    material = Material("m", diffuse=GREEN.diffuse, unlit=True, cull="none", blend=blend)
    return model_of(
        vertex_buffer(position=QUAD * np.float32(0.5), **RIGGED),
        geometry={"material": 0},
        materials=(material,),
        skeleton=skeleton_of(1),
    )


def moved(along: float) -> Pose:
    """The bone moved along x."""
    return pose_of(np.array([[[1, 0, 0, along], [0, 1, 0, 0], [0, 0, 1, 0]]], np.float64))


@pytest.fixture
def draw(ctx: Any) -> Iterator[Draw]:
    """Draws the model in the pose that is not moved; returns the picture [48, 96, 4] and the statistics."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def shown(model: Model, shading: Shading = Shading.LIT, **more: Any) -> tuple[Array, DrawStatistics]:
        mesh = renderer.upload(model)
        options = DisplayOptions(**PLAIN, shading=shading)  # type: ignore[arg-type]
        camera = Orbit((0.0, 0.0, 0.0), 5.0, yaw=0.0, pitch=0.0)
        statistics = renderer.draw(
            mesh, frame_for(mesh, SIZE, moved(0.0), options, camera, **more), target.framebuffer
        )
        mesh.release()
        return target.read().astype(int), statistics

    yield shown
    target.release()
    renderer.release()


GHOSTS = (Ghost(-0.1, moved(1.5)), Ghost(0.1, moved(-1.5)))


def test_ghosts_stand_beside_the_mesh_in_two_colours(draw: Draw) -> None:
    bare, ghosts = draw(square())[0], draw(square(), ghosts=GHOSTS)[0]
    changed = (bare != ghosts).any(axis=-1)
    middle = changed[:, 40:56]
    assert not middle.any() and changed[:, :40].any() and changed[:, 56:].any()
    left, right = ghosts[24, 8:36].max(axis=0), ghosts[24, 60:88].max(axis=0)
    one, other = (left, right) if left[0] > left[2] else (right, left)
    assert one[0] > one[2] and other[2] > other[0], "earlier ones are warm, later ones are cold"


def test_the_mesh_hides_the_ghosts(draw: Draw) -> None:
    bare, ghosts = draw(square())[0], draw(square(), ghosts=(Ghost(-0.1, moved(0.0)),))[0]
    assert (bare == ghosts).all()


def test_a_ghost_is_one_draw_for_each_geometry(draw: Draw) -> None:
    assert draw(square(), ghosts=GHOSTS)[1].draws - draw(square())[1].draws == len(GHOSTS)


def test_surfaces_that_add_light_have_no_ghosts(draw: Draw) -> None:
    assert (draw(square("add"), ghosts=GHOSTS)[0] == draw(square("add"))[0]).all()


def test_a_silhouette_has_no_ghosts(draw: Draw) -> None:
    plain = draw(square(), Shading.SILHOUETTE)[0]
    assert (draw(square(), Shading.SILHOUETTE, ghosts=GHOSTS)[0] == plain).all()


def test_a_trail_marks_its_frames_its_keys_and_the_present(draw: Draw) -> None:
    path = np.array([(-1.5, -0.9, 0), (0.0, -0.9, 0), (1.5, -0.9, 0)], np.float64)
    trail = Trail(TrailPoint(0), path, path[:1])
    changed = (draw(square(), trails=(trail,))[0] != draw(square())[0]).any(axis=-1)
    line = changed.sum(axis=0)
    assert line[30:66].min() > 0, "the line is drawn over all frames"
    assert changed[20:28, 44:52].any(), "the present position of the bone has a dot"
    left, right = line[14:30].max(), line[66:82].max()
    assert left > right, "a key has a larger dot than a frame"
