"""Lines over the picture: hitboxes, bounds, the selected vertex, tints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.frames import frame_for
from tests.quads import FRONT, display_options, quad
from viewer.animation.pose import rest
from viewer.arrays import Array
from viewer.gpu.target import RenderTarget
from viewer.render.overlays.marks import hitboxes
from viewer.render.overlays.segments import box_edges, circles
from viewer.render.renderer import Renderer
from viewer.scene.display import DisplayOptions
from viewer.scene.items import BoneItem, GeometryItem, VertexItem
from viewer.scene.model import Model
from viewer.scene.skeleton import Hitbox, Skeleton
from viewer.view.selection import Selection

SIZE = (64, 64)


@pytest.fixture
def drawn(ctx: Any) -> Any:
    """[64, 64, 4] u8 of a model with a selection; the top row first."""
    renderer, target = Renderer(ctx), RenderTarget(ctx, SIZE)

    def draw(model: Model, options: DisplayOptions, picked: Any = None, hover: Any = None) -> Array:
        mesh = renderer.upload(model)
        try:
            pose = rest(model.skeleton) if model.skeleton else None
            frame = frame_for(mesh, SIZE, pose, options, FRONT, selection=Selection(hover, picked))
            renderer.draw(mesh, frame, target.framebuffer)
            return target.read().astype(int)
        finally:
            mesh.release()

    yield draw
    target.release()
    renderer.release()


def boned(*hitboxes_: Hitbox | None) -> Skeleton:
    count = len(hitboxes_)
    places = np.zeros((count, 3))
    places[:, 0] = np.arange(count)
    rotations = np.tile((0.0, 0, 0, 1), (count, 1))
    names = tuple(f"b{n}" for n in range(count))
    return Skeleton(names, np.full(count, -1), places, rotations, np.full((count, 3), 2.0), None, hitboxes_)


BOX = np.array(((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)))


def test_a_box_has_twelve_edges_of_its_size() -> None:
    edges = box_edges(BOX)
    assert edges.shape == (12, 2, 3)
    assert np.allclose(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1), 1)


def test_circles_keep_their_radius() -> None:
    points = circles(np.array((1.0, 2, 3)), 0.5).reshape(-1, 3)
    assert np.allclose(np.linalg.norm(points - (1, 2, 3), axis=1), 0.5)


def test_boxes_follow_the_bone_and_spheres_keep_their_size() -> None:
    skeleton = boned(Hitbox(box=BOX), Hitbox(radius=0.5), None)
    box, sphere = hitboxes(skeleton, rest(skeleton), None)
    assert np.ptp(box["start"], axis=0) == pytest.approx([2, 2, 2]), "bones are scaled by 2"
    assert np.ptp(sphere["start"], axis=0) == pytest.approx([1, 1, 1])
    assert sphere["start"].mean(axis=0) == pytest.approx([1, 0, 0], abs=0.05)


@pytest.mark.usefixtures("any_numbers")
def test_a_box_of_any_bits_is_drawn_without_a_warning() -> None:
    signalling = np.full((2, 3), 0x7F800001, np.uint32).view(np.float32)
    skeleton = boned(Hitbox(box=signalling))
    (lines,) = hitboxes(skeleton, rest(skeleton), None)
    assert np.isnan(lines["start"]).all()


def test_a_bone_with_both_is_hit_by_its_box_alone() -> None:
    skeleton = boned(Hitbox(0.5, BOX))
    assert len(hitboxes(skeleton, rest(skeleton), None)) == 1
    assert len(hitboxes(skeleton, rest(skeleton), 0)) == 2, "the chosen one shows both"


def middle_row_colors(pixels: Array) -> Array:
    return pixels[32, :, :3]


def test_the_files_bounds_and_the_true_ones_are_drawn(drawn: Callable[..., Array]) -> None:
    wide = quad(bounds=np.array(((-1.5, -1.5, 0.0), (1.5, 1.5, 0.0))))
    plain = drawn(wide, display_options())
    shown = drawn(wide, display_options(bounds=True))
    columns = np.flatnonzero((plain != shown).any(axis=2)[32])
    slope = FRONT.slope * 4
    expected = [32 + side * half / slope * 32 for half in (1.5, 1.0) for side in (-1, 1)]
    assert all(np.abs(columns + 0.5 - place).min() < 1.5 for place in expected)


def test_a_selected_vertex_has_a_dot(drawn: Callable[..., Array]) -> None:
    changed = (drawn(quad(), display_options()) != drawn(quad(), display_options(), VertexItem(0, 2))).any(
        axis=2
    )
    rows, columns = np.nonzero(changed)
    offset = 32 / (FRONT.slope * 4)
    assert columns.mean() == pytest.approx(31.5 + offset, abs=1)
    assert rows.mean() == pytest.approx(31.5 - offset, abs=1)


def test_a_vertex_that_nothing_draws_has_none(drawn: Callable[..., Array]) -> None:
    assert (drawn(quad(), display_options()) == drawn(quad(), display_options(), VertexItem(0, 900))).all()


def test_the_selected_geometry_is_tinted_more_than_the_hovered(drawn: Callable[..., Array]) -> None:
    red = [
        int(drawn(quad(), display_options(), *marked)[32, 32, 0])
        for marked in ((), (None, GeometryItem(0)), (GeometryItem(0),))
    ]
    assert red[0] > red[1] > red[2]


def test_a_selected_bone_shows_without_the_skeleton(drawn: Callable[..., Array]) -> None:
    model = quad(skeleton=boned(None, None))
    plain = drawn(model, display_options())
    assert (plain != drawn(model, display_options(), BoneItem(0))).any()
    assert (plain == drawn(model, display_options())).all()
