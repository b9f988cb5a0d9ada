"""What arrives in the picture: small quads, a few pixels looked at."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import FRONT, MIRROR, WHITE, display_options, middle, quad
from tests.synthetic import QUAD, model_of, pose_of, skeleton_of, vertex_buffer
from viewer.arrays import Array
from viewer.render.renderer import Renderer
from viewer.scene.camera import MatrixCamera
from viewer.scene.choices import Shading, UpAxis
from viewer.scene.display import DisplayOptions, ModelDisplay
from viewer.scene.material import Material
from viewer.scene.model import Geometry, IndexBuffer, Lod, Model, Primitive

Shot = Callable[..., Array]


def test_faces_are_seen_from_the_front_only(shot: Shot) -> None:
    model = quad(Material("m", diffuse=(1.0, 0.0, 0.0, 1.0)))
    assert middle(shot(model, display_options())) == [255, 0, 0, 255]
    assert middle(shot(model, display_options(), FRONT.seen_from("back"))) == [0, 0, 0, 255]


def test_a_mirrored_model_turns_its_front_faces_too(shot: Shot) -> None:
    model = quad(Material("m"), to_world=MIRROR)
    assert middle(shot(model, display_options())) == list(WHITE)
    assert middle(shot(model, display_options(), FRONT.seen_from("back"))) == [0, 0, 0, 255]


def test_a_given_left_handed_camera_decides_by_the_whole(shot: Shot) -> None:
    view = np.array(((-1.0, 0, 0, 0), (0, 1, 0, 0), (0, 0, -1, 4)))
    projection = np.array(((2.0, 0, 0, 0), (0, 2, 0, 0), (0, 0, 1, -0.2), (0, 0, 1, 0)))
    pixels = shot(quad(Material("m")), display_options(), MatrixCamera(view, projection))
    assert middle(pixels) == list(WHITE)


def test_blended_geometries_are_drawn_from_far_to_near(shot: Shot) -> None:
    near = vertex_buffer(position=QUAD + np.array((0, 0, 0.5), np.float32))
    far = vertex_buffer(position=QUAD - np.array((0, 0, 0.5), np.float32))
    materials = tuple(
        Material("m", diffuse=color, blend="alpha", depth_write=False)
        for color in ((1.0, 0.0, 0.0, 0.6), (0.0, 1.0, 0.0, 0.6))
    )
    geometries = tuple(
        Geometry("g", (Lod(0, (n,), 0, 0, 6, Primitive.TRIANGLES),), material=n, center=(0.0, 0.0, z))
        for n, z in ((0, 0.5), (1, -0.5))
    )
    indices = (IndexBuffer(np.array((0, 1, 2, 0, 2, 3), np.uint16)),)
    model = Model("m", (near, far), indices, geometries, materials=materials)
    red, green, _, _ = middle(shot(model, display_options()))
    assert red == pytest.approx(153, abs=2) and green == pytest.approx(61, abs=2)


def test_light_falls_from_the_viewer_also_without_normals(shot: Shot) -> None:
    with_normals = middle(shot(quad(), display_options(Shading.LIT)))[0]
    flat = middle(shot(model_of(vertex_buffer(position=QUAD)), display_options(Shading.LIT)))[0]
    assert flat == pytest.approx(with_normals, abs=2) and 120 < flat < 240


def test_normals_are_shown_in_viewer_space(shot: Shot) -> None:
    red, green, blue, _ = middle(shot(quad(), display_options(Shading.NORMALS)))
    assert (red, green, blue) == (pytest.approx(128, abs=1), pytest.approx(128, abs=1), 255)


def test_a_silhouette_is_white_on_black(shot: Shot) -> None:
    pixels = shot(
        quad(Material("m", diffuse=(0.2, 0.0, 0.0, 1.0))), DisplayOptions(shading=Shading.SILHOUETTE)
    )
    assert {tuple(pixel) for pixel in pixels.reshape(-1, 4).tolist()} == {WHITE, (0, 0, 0, 255)}


def rigged() -> Model:
    columns = {
        "joints": np.array(((0, 1, 0, 0),) * 4, np.uint8),
        "weights": np.array(((0.25, 0.75, 0, 0),) * 4, np.float32),
    }
    return quad(columns=columns, skeleton=skeleton_of(3))


def test_weights_show_the_chosen_bone(shot: Shot) -> None:
    much, little, none = (
        middle(shot(rigged(), display_options(Shading.WEIGHTS), display=ModelDisplay(bone=bone)))
        for bone in (1, 0, 2)
    )
    assert much[0] > much[2] and little[2] > little[0]
    assert max(none[:3]) - min(none[:3]) < 60


def test_without_a_chosen_bone_sums_are_checked(shot: Shot) -> None:
    red, green, _, _ = middle(shot(rigged(), display_options(Shading.WEIGHTS)))
    assert green > red
    columns = {"joints": np.zeros((4, 4), np.uint8), "weights": np.full((4, 4), 0.1, np.float32)}
    red, green, _, _ = middle(
        shot(quad(columns=columns, skeleton=skeleton_of(1)), display_options(Shading.WEIGHTS))
    )
    assert red > green


def test_bones_show_the_strongest_one(shot: Shot) -> None:
    second = middle(shot(rigged(), display_options(Shading.BONES)))
    only = {"joints": np.full((4, 4), 1, np.uint8), "weights": np.array(((1, 0, 0, 0),) * 4, np.float32)}
    other = {"joints": np.full((4, 4), 2, np.uint8), "weights": only["weights"]}
    assert second == middle(shot(quad(columns=only, skeleton=skeleton_of(3)), display_options(Shading.BONES)))
    assert second != middle(
        shot(quad(columns=other, skeleton=skeleton_of(3)), display_options(Shading.BONES))
    )


def test_a_pose_moves_the_picture(shot: Shot) -> None:
    skin = np.tile(np.eye(3, 4), (3, 1, 1))
    skin[:2, 0, 3] = 50.0
    assert middle(shot(rigged(), display_options(Shading.SILHOUETTE)))[0] == 255
    assert middle(shot(rigged(), display_options(Shading.SILHOUETTE), pose=pose_of(skin)))[0] == 0


def test_edges_are_drawn_over_the_surface(shot: Shot) -> None:
    plain = shot(quad(Material("m")), display_options())
    edges = shot(quad(Material("m")), display_options(wireframe=True))
    darker = edges[..., 0] < plain[..., 0]
    assert 8 < darker.sum() < (plain[..., 0] > 0).sum()


def test_hidden_geometries_are_not_drawn(shot: Shot) -> None:
    assert middle(shot(quad(), display_options(), display=ModelDisplay(hidden={0})))[0] == 0


@pytest.mark.parametrize("primitive", list(Primitive))
def test_every_primitive_is_drawn(shot: Shot, primitive: Primitive) -> None:
    model = model_of(vertex_buffer(position=QUAD), indices=np.array((0, 1, 3, 2, 0, 2), np.uint32))
    geometry = model.geometries[0]
    lod = replace(geometry.lods[0], primitive=primitive)
    pixels = shot(replace(model, geometries=(replace(geometry, lods=(lod,)),)), display_options())
    assert (pixels[..., 0] > 100).any()


def test_the_frame_block_is_uploaded_only_if_it_changed(renderer: Renderer) -> None:
    mesh, eye = renderer.upload(quad()), np.eye(4)
    mesh.write(None, DisplayOptions(), ModelDisplay(), eye, eye)
    first = mesh.frame.read()
    mesh.frame.write(b"\xff" * len(first))
    mesh.write(None, DisplayOptions(), ModelDisplay(), eye.copy(), eye)
    assert mesh.frame.read() == b"\xff" * len(first)
    for changed in (
        (DisplayOptions(), ModelDisplay(), eye * 2, eye),
        (DisplayOptions(), ModelDisplay(), eye, eye * 2),
        (DisplayOptions(shading=Shading.UV), ModelDisplay(), eye, eye),
        (DisplayOptions(), ModelDisplay(bone=1), eye, eye),
        (DisplayOptions(), ModelDisplay(up=UpAxis.Z), eye, eye),
    ):
        before = mesh.frame.read()
        mesh.write(None, *changed)
        assert mesh.frame.read() != before
    mesh.release()
