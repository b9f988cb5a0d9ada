import time

import numpy as np
import pytest
from msgspec.structs import replace

from viewer.animation.pose import Pose
from viewer.scene.camera import VIEWS, Orbit
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive, VertexBuffer, VertexElement
from viewer.view.camera import matrices
from viewer.view.framing import EXACT, TIGHT, box_corners, enclose, fit, geometry_corners, posed_bounds

SIZES = [(640, 480), (1280, 300), (200, 900), (64, 64)]
TALL = np.array(((-0.3, 0.0, -0.2), (0.3, 1.9, 0.2)))
WIDE = np.array(((-9.0, 1.0, -2.0), (11.0, 1.5, 3.0)))
FLAT = np.array(((-1.0, 0.0, -1.0), (1.0, 0.0, 1.0)))
MIRROR = np.diag((1.0, 1.0, -1.0, 1.0))


def vertex_buffer(positions, joints=None, weights=None):
    """Float positions, u8 joints and float weights, interleaved."""
    fields = [("position", "<f4", (3,))]
    elements = [VertexElement("position", "f32", 3, 0)]
    if joints is not None:
        fields += [("joints", "u1", (4,)), ("weights", "<f4", (4,))]
        elements += [VertexElement("joints", "u8", 4, 12), VertexElement("weights", "f32", 4, 16)]
    table = np.zeros(len(positions), fields)
    table["position"] = positions
    if joints is not None:
        table["joints"], table["weights"] = joints, weights
    data = table.view(np.uint8).reshape(len(positions), -1)
    return VertexBuffer(data.ravel(), len(positions), table.itemsize, tuple(elements))


def model(buffer, indices=None, bone_map=None, **fields):
    buffers = () if indices is None else (IndexBuffer(np.array(indices, np.uint16)),)
    count = buffer.count if indices is None else len(indices)
    lod = Lod(0, (0,), None if indices is None else 0, 0, count, Primitive.POINTS)
    return Model("m", (buffer,), buffers, (Geometry("g", (lod,), bone_map),), **fields)


def pose(*offsets):
    """Bones that move what hangs on them by these offsets, and stand there."""
    matrices = np.stack([np.hstack((np.eye(3), np.array(offset, float)[:, None])) for offset in offsets])
    count = len(offsets)
    return Pose(
        matrices[:, :, 3], np.tile((0.0, 0, 0, 1), (count, 1)), np.ones((count, 3)), matrices, matrices
    )


SQUARE = np.array(((0, 0, 0), (1, 0, 0), (1, 2, 0), (50, 50, 50)), float)


def test_only_used_vertices_count():
    assert np.allclose(posed_bounds(model(vertex_buffer(SQUARE), [0, 1, 2])), [[0, 0, 0], [1, 2, 0]])


def test_vertices_without_indices_count_as_they_lie():
    assert np.allclose(posed_bounds(model(vertex_buffer(SQUARE))), [[0, 0, 0], [50, 50, 50]])


def test_the_box_is_in_viewer_space():
    buffer = vertex_buffer(SQUARE + np.array((0, 0, 3)))
    assert np.allclose(posed_bounds(model(buffer, [0, 1, 2], to_world=MIRROR)), [[0, 0, -3], [1, 2, -3]])


def test_vertices_follow_their_bones_through_the_bone_map():
    buffer = vertex_buffer(SQUARE[:2], [[0] * 4, [1] * 4], [[1, 0, 0, 0], [0.5, 0.5, 0, 0]])
    bounds = posed_bounds(model(buffer, bone_map=np.array([2, 1])), pose((9, 9, 9), (0, 4, 0), (0, 0, -5)))
    assert np.allclose(bounds, [[0, 0, -5], [1, 4, 0]])


def test_skinning_mixes_the_matrices():
    buffer = vertex_buffer(np.ones((1, 3)), [[0, 1, 0, 0]], [[0.25, 0.75, 0, 0]])
    bounds = posed_bounds(model(buffer), pose((4, 0, 0), (0, 4, 0)))
    assert np.allclose(bounds, [[2, 4, 1]] * 2)


def test_indices_past_the_vertices_do_not_count():
    assert np.allclose(posed_bounds(model(vertex_buffer(SQUARE[:3]), [0, 1, 2, 900])), [[0, 0, 0], [1, 2, 0]])


@pytest.mark.usefixtures("any_numbers")
def test_values_that_are_not_finite_do_not_count():
    positions = np.vstack((SQUARE[:3], [[np.nan, 0, 0]], [[0, np.inf, 0]], [[0, 0, 3e38]]))
    assert np.allclose(posed_bounds(model(vertex_buffer(positions))), [[0, 0, 0], [1, 2, 0]])


def test_without_a_mesh_the_bones_count():
    assert np.allclose(posed_bounds(Model("m"), pose((0, 1, 0), (2, 0, 0))), [[0, 0, 0], [2, 1, 0]])


def test_without_bones_the_files_bounds_count():
    assert np.allclose(posed_bounds(Model("m", bounds=TALL)), TALL)


@pytest.mark.parametrize("bounds", [None, TALL * np.nan])
def test_nothing_at_all_is_a_unit_box(bounds):
    assert np.allclose(np.diff(posed_bounds(Model("m", bounds=bounds)), axis=0), 1)


def test_of_a_huge_mesh_every_nth_vertex_is_looked_at():
    positions = np.zeros((EXACT * 3, 3), "f4")
    positions[:, 0] = np.linspace(0, 1, len(positions))
    assert np.allclose(posed_bounds(model(vertex_buffer(positions))), [[0, 0, 0], [1, 0, 0]], atol=1e-4)


def framed(orbit, bounds, size):
    """The corners of a box on the screen, [8, 2]."""
    made = matrices(orbit, np.eye(4), size, bounds)
    clip = np.hstack((box_corners(bounds), np.ones((8, 1)))) @ made.world_clip.T
    assert (clip[:, 3] > 0).all()
    return clip[:, :2] / clip[:, 3:]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("bounds", [TALL, WIDE, FLAT])
@pytest.mark.parametrize("ortho", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_the_whole_box_is_in_the_picture_and_fills_it(bounds, size, view, ortho):
    corners = framed(fit(Orbit(ortho=ortho, roll=10).seen_from(view), bounds, size), bounds, size)
    assert 0.9 < np.abs(corners).max() <= 0.97


@pytest.mark.parametrize("bounds", [TALL, WIDE])
@pytest.mark.parametrize("ortho", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_the_points_fill_the_free_part_of_the_picture(bounds, view, ortho):
    left, top, right, bottom = margins = 100, 20, 40, 60
    orbit = enclose(Orbit(ortho=ortho).seen_from(view), box_corners(bounds), (640, 480), free=margins)
    low = -1 + 2 * left / 640, -1 + 2 * bottom / 480
    high = 1 - 2 * right / 640, 1 - 2 * top / 480
    ends = (framed(orbit, bounds, (640, 480)) - low) / np.subtract(high, low)
    first, last = (1 - TIGHT) / 2, (1 + TIGHT) / 2
    assert ends.min() > first - 1e-6 and ends.max() < last + 1e-6
    assert np.isclose((ends.min(axis=0), ends.max(axis=0)), ((first,) * 2, (last,) * 2)).all(axis=0).any()


def test_the_factor_moves_the_camera_away():
    near, far = fit(Orbit(), TALL, SIZES[0]), fit(Orbit(), TALL, SIZES[0], 2)
    assert far.distance == pytest.approx(2 * near.distance) and far.target == near.target


def test_fitting_keeps_the_angles():
    fitted = fit(Orbit(yaw=77, pitch=-12, roll=3), WIDE, SIZES[0])
    assert (fitted.yaw, fitted.pitch, fitted.roll) == (77, -12, 3)
    assert np.allclose(fitted.target, WIDE.mean(axis=0))


def test_a_single_point_is_looked_at_from_somewhere():
    fitted = fit(Orbit(), np.ones((2, 3)), SIZES[0])
    assert fitted.distance > 0 and fitted.target == (1, 1, 1)


def test_twenty_thousand_skinned_vertices_take_milliseconds():
    count = 20_000
    buffer = vertex_buffer(
        np.random.default_rng(1).random((count, 3)), np.zeros((count, 4)), np.full((count, 4), 0.25)
    )
    made, posed = model(buffer), pose((1, 0, 0))
    best = min(_seconds(made, posed) for _ in range(5))
    assert best < 0.05, f"{best * 1e3:.1f} ms"


def _seconds(made, posed):
    start = time.thread_time()
    posed_bounds(made, posed)
    return time.thread_time() - start


def test_the_corners_of_a_geometry_are_those_of_its_used_vertices():
    made = model(vertex_buffer(SQUARE), [0, 1, 2])
    corners = geometry_corners(replace(made, geometries=(*made.geometries, Geometry("empty", ()))))
    assert corners.shape == (2, 8, 3)
    assert {tuple(each) for each in corners[0].tolist()} == {(x, y, 0) for x in (0, 1) for y in (0, 2)}
    assert not corners[1].any()
