import json

import numpy as np
import pytest

from viewer.errors import FormatError
from viewer.scene.camera import VIEWS, MatrixCamera, Orbit
from viewer.view.camera import camera_from_json, camera_json, matrices

SIZE = (640, 480)
BOX = np.array(((-1.0, 0.0, -1.0), (1.0, 2.0, 1.0)))
MIRROR = np.diag((1.0, 1.0, -1.0, 1.0))
GL_ORTHO = np.diag((1.0, 1.0, -1.0, 1.0))


def on_screen(camera, point, extent=BOX, size=SIZE):
    """Normalised device coordinates [3] of a point in the file's axes."""
    made = matrices(camera, np.eye(4), size, extent)
    clip = made.projection @ made.view @ (*point, 1.0)
    return clip[:3] / clip[3]


@pytest.mark.parametrize("ortho", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_the_target_is_in_the_middle(view, ortho):
    camera = Orbit(target=(0.5, 1, -0.25), ortho=ortho).seen_from(view)
    assert np.allclose(on_screen(camera, camera.target)[:2], 0, atol=1e-9)


def test_right_and_up_are_right_and_up():
    x, y, _ = on_screen(Orbit(yaw=0, pitch=0), (0.5, 0.25, 0))
    assert x > 0 and y > 0


def test_what_is_nearer_has_less_depth():
    for ortho in (False, True):
        camera = Orbit(yaw=0, pitch=0, ortho=ortho)
        assert on_screen(camera, (0, 0, 0.5))[2] < on_screen(camera, (0, 0, -0.5))[2]


def test_ortho_shows_the_target_as_large_as_perspective_does():
    camera = Orbit(yaw=20, pitch=10, distance=7)
    point = camera.axes[1] * 0.8
    assert np.allclose(
        on_screen(camera, point)[:2], on_screen(Orbit(yaw=20, pitch=10, distance=7, ortho=True), point)[:2]
    )


def test_half_the_picture_is_half_the_field_of_view():
    camera = Orbit(distance=1, yaw=0, pitch=0, fov=90)
    assert np.allclose(on_screen(camera, (0, 1, 0))[:2], (0, 1))
    assert np.allclose(on_screen(camera, (4 / 3, 0, 0))[:2], (1, 0))


@pytest.mark.parametrize("ortho", [False, True])
@pytest.mark.parametrize("distance", [0.01, 1.0, 5.0, 300.0, 1e5])
def test_the_whole_scene_lies_between_the_planes(distance, ortho):
    camera = Orbit(target=(0, 1, 0), distance=distance, ortho=ortho)
    made = matrices(camera, np.eye(4), SIZE, BOX)
    corners = np.array([(x, y, z, 1) for x in (-1, 1) for y in (0, 2) for z in (-1, 1)], float)
    clip = corners @ (made.projection @ made.view).T
    ahead = (clip[:, 3] > distance * 0.02) | ortho
    assert ahead.any() and (np.abs(clip[ahead, 2]) <= clip[ahead, 3]).all()


@pytest.mark.parametrize(
    "extent",
    [None, BOX * np.nan, BOX * [[1], [np.inf]], BOX * 0, BOX * 1e30],
    ids=["none", "nan", "inf", "point", "huge"],
)
@pytest.mark.parametrize(
    "camera", [Orbit(), Orbit(ortho=True), Orbit(distance=0), Orbit(fov=0), Orbit(fov=200)]
)
@pytest.mark.parametrize("size", [SIZE, (0, 0)])
def test_matrices_are_finite_for_any_extent(camera, extent, size):
    made = matrices(camera, np.eye(4), size, extent)
    for matrix in (made.view, made.world_view, made.projection, made.eye):
        assert np.isfinite(matrix).all()


@pytest.mark.parametrize("ortho", [False, True])
def test_a_mirrored_file_turns_its_front_faces(ortho):
    assert matrices(Orbit(ortho=ortho), np.eye(4), SIZE).front_face == "ccw"
    assert matrices(Orbit(ortho=ortho), MIRROR, SIZE).front_face == "cw"


def test_view_takes_the_files_axes_and_world_view_those_of_the_viewer():
    made = matrices(Orbit(), MIRROR, SIZE)
    assert np.allclose(made.view, made.world_view @ MIRROR)
    assert np.allclose(made.world_view @ (*made.eye, 1), (0, 0, 0, 1))


def test_a_fixed_camera_is_used_as_it_is():
    view = np.hstack((np.eye(3), [[0], [0], [-4]]))
    made = matrices(MatrixCamera(view, GL_ORTHO), MIRROR, SIZE)
    assert np.array_equal(made.view[:3], view) and np.array_equal(made.projection, GL_ORTHO)
    assert np.allclose(made.eye, (0, 0, -4)), "the place is in viewer space: the file's +Z is behind"


@pytest.mark.parametrize(("sign", "mirrored"), [(-1.0, False), (1.0, True)])
def test_a_fixed_camera_is_mirrored_by_the_sign_of_the_whole(sign, mirrored):
    given = MatrixCamera(np.eye(3, 4), np.diag((1.0, 1.0, sign, 1.0)))
    assert matrices(given, MIRROR, SIZE).mirrored is mirrored


def test_rows_and_flat_lists_mean_the_same():
    view, projection = np.arange(12.0).reshape(3, 4) ** 2, np.diag((1.0, 2, 3, 4))
    nested = camera_from_json(json.dumps({"view": view.tolist(), "projection": projection.tolist()}))
    flat = camera_from_json(
        json.dumps({"view": view.ravel().tolist(), "projection": projection.ravel().tolist()})
    )
    for camera in (nested, flat):
        assert np.array_equal(camera.view, view) and np.array_equal(camera.projection, projection)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{", "camera"),
        ("[]", "camera"),
        ('{"projection": []}', "camera/view"),
        ('{"view": [1, 2, 3]}', "camera/view"),
        ('{"view": {"a": 1}}', "camera/view"),
        ('{"view": [[1, 2, 3, 4], [1]]}', "camera/view"),
        ('{"view": [1,0,0,0, 0,1,0,0, 0,0,"x",0]}', "camera/view"),
        ('{"view": [1,0,0,0, 0,1,0,0, 0,0,NaN,0]}', "camera/view"),
        ('{"view": [1,0,0,0, 0,1,0,0, 0,0,1,0]}', "camera/projection"),
        ('{"view": [1,0,0,0, 0,1,0,0, 0,0,1,0], "projection": ' + str([0] * 16) + "}", "camera"),
    ],
)
def test_nonsense_is_refused_by_the_name_of_the_field(text, path):
    with pytest.raises(FormatError) as caught:
        camera_from_json(text)
    assert caught.value.path == path


def test_the_engines_camera_gives_the_engines_place(oracle):
    shot = json.loads((oracle / "urho3d/pictures/sil_jack_walk_0.5.json").read_text())
    camera = camera_from_json(json.dumps({"view": shot["view"], "projection": shot["gpuProj"]}))
    made = matrices(camera, MIRROR, SIZE)
    x, y, z = shot["cam"]
    assert np.allclose(made.eye, (x, y, -z), atol=1e-5)
    assert made.mirrored, "the engine is left-handed"


def test_a_left_handed_camera_is_at_the_place_that_its_matrix_says():
    """At (1, 2, -3) of a left-handed file, looking along +Z, its projection has depth 0 to 1."""
    view = [1, 0, 0, -1, 0, 1, 0, -2, 0, 0, 1, 3]
    projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1.1, -0.11, 0, 0, 1, 0]
    camera = camera_from_json(json.dumps({"view": view, "projection": projection}))
    made = matrices(camera, MIRROR, SIZE)
    assert np.allclose(made.eye, (1, 2, 3))
    assert made.mirrored


def test_an_orbit_is_written_and_read_as_json():
    orbit = Orbit((1.0, 2.0, 3.0), 4.0, yaw=-10.0, roll=5.0, fov=30.0, ortho=True)
    assert camera_from_json(camera_json(orbit)) == orbit
    assert json.loads(camera_json(Orbit(distance=2.0))) == {"distance": 2.0}


def test_matrices_are_written_and_read_as_json():
    camera = MatrixCamera(np.arange(12.0).reshape(3, 4) + np.eye(3, 4), np.eye(4))
    again = camera_from_json(camera_json(camera))
    assert np.array_equal(again.view, camera.view) and np.array_equal(again.projection, camera.projection)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"distance": 0}, "distance"),
        ({"distance": True}, "distance"),
        ({"distance": 1, "yaw": "left"}, "yaw"),
        ({"distance": 1, "target": [0, 1]}, "target"),
        ({"distance": 1, "target": [0, 1, 1e999]}, "target"),
        ({"distance": 1, "ortho": 1}, "ortho"),
        ({"distance": 1, "zoom": 1}, "zoom"),
        ({"distance": 1, "pitch": [[1], [2, 3]]}, "pitch"),
        ({"distance": 1, "fov": 10**400}, "fov"),
    ],
)
def test_a_bad_field_of_an_orbit_is_named(fields, field):
    with pytest.raises(FormatError) as error:
        camera_from_json(json.dumps(fields))
    assert error.value.path == f"camera/{field}"
