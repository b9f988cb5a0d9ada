import numpy as np
import pytest

from viewer.scene.camera import FARTHEST, NEAREST, POLE, VIEWS, Camera, MatrixCamera, Orbit, seen_by


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


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_coming_nearer_to_a_point_keeps_its_place_in_the_picture(factor):
    orbit = Orbit(target=(0.5, -1, 2), distance=4, yaw=30, pitch=15)
    point = (1.0, 0.25, 1.0)

    def place(camera):
        x, y, z = camera.axes @ (np.array(point) - camera.position)
        return x / z, y / z

    nearer = orbit.nearer(factor, point)
    assert np.allclose(place(nearer), place(orbit))
    assert np.linalg.norm(nearer.position - point) == pytest.approx(
        factor * np.linalg.norm(orbit.position - point)
    )


def test_coming_nearer_ends_as_zooming_does():
    assert Orbit().nearer(0, (1, 2, 3)).distance == NEAREST
    assert Orbit().nearer(1e30, (1, 2, 3)).distance == FARTHEST


def test_looking_around_turns_the_target_around_the_camera():
    orbit = Orbit(target=(1, 2, 3), distance=4, yaw=0, pitch=0)
    looked = orbit.looking(90, 0)
    assert np.allclose(looked.position, orbit.position)
    assert np.allclose(looked.target, (1 - 4, 2, 3 + 4))


def test_flying_moves_camera_and_target_along_the_cameras_axes():
    orbit = Orbit(target=(1, 2, 3), distance=4, yaw=90, pitch=0)
    flown = orbit.flown(1, 2, 3)
    assert np.allclose(np.subtract(flown.target, orbit.target), (-3, 2, -1))
    assert np.allclose(flown.position - orbit.position, (-3, 2, -1))


def test_zooming_ends_before_nothing_and_before_infinity():
    assert Orbit().zoomed(0).distance == NEAREST
    assert Orbit().zoomed(1e30).distance == FARTHEST


def test_a_field_of_view_outside_of_what_a_picture_can_show_is_cut():
    assert 0 < Orbit(fov=0).slope < Orbit(fov=180).slope < 20
    assert [Orbit(fov=fov).angle for fov in (-5, 1, 45, 170, 999)] == [1, 1, 45, 170, 170]
    stored = [Camera("c", (0, 0, 0), (0, 0, 1), fov) for fov in (0, 45, 180, np.nan)]
    assert [camera.angle(1.0) for camera in stored] == [1, 45, 170, 1]


def test_an_unknown_view_is_a_key_error():
    with pytest.raises(KeyError):
        Orbit().seen_from("behind")


def test_a_camera_of_matrices_sees_the_same_of_another_file():
    """The other file has other axes: its point at the same place of the world is at the same pixel."""
    turned = np.array(((0, 0, 2, 0), (1, 0, 0, 1), (0, 1, 0, 0), (0, 0, 0, 1)), float)
    camera = MatrixCamera(np.array(((0, 1, 0, 3), (1, 0, 0, 4), (0, 0, -1, 5)), float), np.eye(4))
    place = np.array((1.0, 2.0, 3.0, 1.0))
    other = seen_by(camera, np.eye(4), turned)
    assert other.view @ np.linalg.solve(turned, place) == pytest.approx(camera.view @ place)
    assert seen_by(Orbit(yaw=3.0), np.eye(4), turned) == Orbit(yaw=3.0)


def test_a_camera_is_carried_along_by_a_shift_a_scale_and_a_turn():
    angle = np.radians(50)
    change = np.eye(4)
    change[:3, :3] = 3 * np.array(
        ((np.cos(angle), 0, np.sin(angle)), (0, 1, 0), (-np.sin(angle), 0, np.cos(angle)))
    )
    change[:3, 3] = 4, 5, 6
    camera = Orbit(target=(1.0, 2.0, 3.0), distance=7.0, yaw=20.0, pitch=15.0)
    carried = camera.carried(change)
    np.testing.assert_allclose(carried.position, change[:3, :3] @ camera.position + change[:3, 3])
    np.testing.assert_allclose(carried.axes, camera.axes @ change[:3, :3].T / 3, atol=1e-12)


def test_of_another_turn_the_target_follows():
    tipped = np.array(((1.0, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
    carried = Orbit(target=(0.0, 2.0, 0.0)).carried(tipped)
    assert carried.target == (0.0, 0.0, -2.0) and carried.yaw == Orbit().yaw
