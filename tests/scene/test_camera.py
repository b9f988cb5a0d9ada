import numpy as np
import pytest

from viewer.scene.camera import FARTHEST, NEAREST, POLE, VIEWS, Orbit


def test_the_front_view_stands_before_the_face_on_plus_z():
    assert np.allclose(Orbit(distance=3).seen_from("front").position, (0, 0, 3))


@pytest.mark.parametrize(
    ("view", "side"),
    [
        ("back", (0, 0, -1)),
        ("left", (1, 0, 0)),
        ("right", (-1, 0, 0)),
        ("top", (0, 1, 0)),
        ("bottom", (0, -1, 0)),
    ],
)
def test_a_named_view_stands_on_its_side(view, side):
    assert np.allclose(Orbit(distance=1).seen_from(view).position, side, atol=1e-12)


@pytest.mark.parametrize("view", VIEWS)
def test_axes_are_right_handed_and_orthonormal(view):
    axes = Orbit(roll=30).seen_from(view).axes
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1)


def test_turning_stops_at_the_pole():
    assert Orbit(pitch=80).turned(0, 50).pitch == POLE
    assert Orbit(pitch=-80).turned(0, -50).pitch == -POLE


def test_turning_the_top_view_sideways_keeps_it_on_the_pole():
    assert Orbit().seen_from("top").turned(30, 0).pitch == 90


def test_yaw_comes_round():
    assert Orbit(yaw=350).turned(20, 0).yaw == pytest.approx(10)


def test_panning_by_one_moves_the_target_by_the_pictures_height():
    orbit = Orbit(distance=2, yaw=0, pitch=0, fov=90)
    assert np.allclose(orbit.panned(1, 0.5).target, (4, 2, 0))


def test_zooming_keeps_the_point_under_the_pointer():
    orbit = Orbit(distance=4, yaw=30, pitch=15)
    closer = orbit.zoomed(0.5, 0.3, -0.2)
    height = 2 * orbit.slope

    def point_under_pointer(camera):
        return np.array(camera.target) + (camera.axes[:2].T @ (0.3, -0.2)) * height * camera.distance

    assert closer.distance == 2
    assert np.allclose(point_under_pointer(closer), point_under_pointer(orbit))


def test_zooming_ends_before_nothing_and_before_infinity():
    assert Orbit().zoomed(0).distance == NEAREST
    assert Orbit().zoomed(1e30).distance == FARTHEST


def test_a_field_of_view_outside_of_what_a_picture_can_show_is_cut():
    assert 0 < Orbit(fov=0).slope < Orbit(fov=180).slope < 20


def test_an_unknown_view_is_a_key_error():
    with pytest.raises(KeyError):
        Orbit().seen_from("behind")
