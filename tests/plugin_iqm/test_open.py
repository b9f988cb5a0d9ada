"""What a good file gives: counts, attributes, bones, clips, materials."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rigscope_iqm.write import Joint, Mesh, VertexArray

from tests.plugin_iqm import samples
from tests.plugin_iqm.samples import FIGURE, alone, data, figure, model, opened
from viewer.animation.pose import pose
from viewer.binary import unexplained
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.mesh.vertices import drawn_vertices, influences


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return opened(tmp_path)


def with_array(array: VertexArray) -> bytes:
    """The figure with another array of this type."""
    return data(arrays=[each if each.type != array.type else array for each in figure().arrays])


def column(document: Document, semantic: str) -> np.ndarray:
    buffers = model(document).vertex_buffers
    return next(found for each in buffers if (found := each.column(semantic)) is not None)


def test_a_whole_file_has_nothing_to_report(document: Document) -> None:
    assert document.report.count == 0 and document.version == "version 2"


def test_meshes_are_geometries(document: Document) -> None:
    geometries = model(document).geometries
    assert [each.name for each in geometries] == [name for name, *_ in FIGURE]
    assert [(each.lods[0].start, each.lods[0].count) for each in geometries[:2]] == [(0, 36), (36, 36)]


def test_attributes_are_views_of_the_file(document: Document) -> None:
    buffers = model(document).vertex_buffers
    elements = [element for buffer in buffers for element in buffer.elements]
    assert [(each.semantic, each.type, each.components, each.normalized) for each in elements] == [
        ("position", "f32", 3, False),
        ("uv0", "f32", 2, False),
        ("normal", "f32", 3, False),
        ("joints", "u8", 4, False),
        ("weights", "u8", 4, True),
        ("color0", "u8", 4, True),
    ]
    assert all(np.shares_memory(each.data, np.frombuffer(document.data, np.uint8)) for each in buffers)


def test_joints_are_bones(document: Document) -> None:
    skeleton = model(document).skeleton
    assert skeleton is not None and skeleton.names == ("hips", "spine", "head", "arm")
    assert skeleton.parents.tolist() == [-1, 0, 1, 1]
    assert np.allclose(pose(skeleton).skin, np.eye(3, 4))


def test_the_inverse_bind_matrices_are_those_of_the_base_pose(document: Document) -> None:
    skeleton = model(document).skeleton
    assert skeleton is not None and skeleton.inverse_bind is not None
    assert np.allclose(skeleton.inverse_bind[3], np.eye(3, 4) - np.eye(4)[3] * [[0], [-0.42], [1.4]])


def test_clips_have_names_lengths_and_keys(document: Document) -> None:
    wave, still = document.animations
    assert (wave.name, wave.duration, wave.keyframes) == ("wave", 8 / 25, 8 + 8 + 1 + 1)
    assert (still.name, still.duration) == ("still", 2.0), "frames 0 to 2 at one a second"
    assert wave.targets == ("hips", "spine", "head", "arm") and dict(wave.facts) == {"flags": 1}
    assert np.allclose(wave.bounds, [(-0.2, -1.4, 0), (0.4, 0.4, 2.5)])


def test_up_and_front_are_those_of_quake(document: Document) -> None:
    to_world = model(document).to_world[:3, :3]
    assert (to_world @ (0, 0, 1)).tolist() == [0, 1, 0] and (to_world @ (1, 0, 0)).tolist() == [0, 0, 1]
    assert np.linalg.det(to_world) == 1


def test_triangles_are_turned_round(document: Document) -> None:
    content = model(document)
    corners = content.index_buffers[0].data.reshape(-1, 3)
    points, normals = (column(document, name)[corners] for name in ("position", "normal"))
    across = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    assert ((across * normals[:, 0]).sum(axis=1) > 0).all()


def test_the_tree_has_the_files_own_triangles(document: Document) -> None:
    stored = document.root.child("triangles").children[5].children[0].value
    assert stored == figure().triangles[5].tolist()
    assert model(document).index_buffers[0].data[15:18].tolist() == [stored[0], stored[2], stored[1]]


def test_vertices_without_bones_and_clips_are_a_model(tmp_path: Path) -> None:
    document = opened(tmp_path, data(joints=(), frames=np.empty((0, 0, 10)), clips=(), bounds=()))
    assert model(document).skeleton is None and not document.animations and document.report.count == 0


def test_joints_alone_are_a_model_of_bones(tmp_path: Path) -> None:
    whole = figure()
    document = opened(tmp_path, alone(joints=whole.joints))
    assert not model(document).geometries and len(document.animations) == 2


def test_bones_may_come_before_their_parents(tmp_path: Path) -> None:
    joints = [Joint("tip", 1, (0, 0, 1)), Joint("base", -1, (0, 0, 2))]
    skeleton = model(opened(tmp_path, data(joints=joints, frames=np.empty((0, 0, 10)), clips=()))).skeleton
    assert skeleton is not None and skeleton.inverse_bind is not None
    assert skeleton.inverse_bind[0, :, 3].tolist() == [0, 0, -3]


def test_names_may_share_their_ends(tmp_path: Path) -> None:
    joints = [
        each._replace(name=name) for each, name in zip(figure().joints, ("arm", "m", "rm", ""), strict=True)
    ]
    content = data(joints=joints, meshes=[])
    skeleton = model(opened(tmp_path, content)).skeleton
    assert skeleton is not None and skeleton.names == ("arm", "m", "rm", "")
    assert content.count(b"rm\0") == 1


# --- animations alone


def test_a_file_of_animations_moves_joints_by_number(tmp_path: Path) -> None:
    document = opened(tmp_path, alone())
    assert isinstance(document.content, Animation) and document.content is document.animations[0]
    assert document.animations[0].targets == ("#0", "#1", "#2", "#3") and document.report.count == 0


def test_it_gets_the_names_of_the_model_beside_it(tmp_path: Path) -> None:
    opened(tmp_path)
    other = [each._replace(name=f"other {each.name}") for each in figure().joints]
    opened(tmp_path, data(joints=other), "bear.iqm")
    document = opened(tmp_path, alone(), "figure_walk.iqm")
    assert document.animations[0].targets == ("hips", "spine", "head", "arm")
    assert document.report.notes == ["the animations move the joints of figure.iqm by number"]


def test_a_model_with_another_number_of_joints_gives_no_names(tmp_path: Path) -> None:
    opened(tmp_path, data(joints=figure().joints[:2], frames=np.empty((0, 0, 10)), clips=()))
    (tmp_path / "broken.iqm").write_bytes(data()[:60])
    document = opened(tmp_path, alone(), "figure_walk.iqm")
    assert document.animations[0].targets[0] == "#0"


# --- formats of vertex arrays


@pytest.mark.parametrize("type", ["f2", "f4", "f8"])
def test_positions_of_each_float(type: str, tmp_path: Path) -> None:
    points = figure().arrays[0].values
    document = opened(tmp_path, with_array(VertexArray(samples.POSITION, points.astype(type))))
    found = column(document, "position")
    assert np.allclose(found, points, atol=1e-3) and found.dtype == ("f2" if type == "f2" else "f4")
    assert document.report.count == 0 and unexplained(document.root) == 0


@pytest.mark.parametrize("type", ["u1", "i4"])
def test_bone_numbers_of_each_type(type: str, tmp_path: Path) -> None:
    array = VertexArray(samples.JOINTS, figure().arrays[3].values.astype(type))
    content = model(opened(tmp_path, with_array(array)))
    head = content.geometries[2]
    bones, _ = influences(content, head, head.lods[0], drawn_vertices(content, head.lods[0]), 4)  # type: ignore[misc]
    assert set(bones[:, 0].tolist()) == {samples.HEAD}


def test_weights_may_be_floats(tmp_path: Path) -> None:
    array = VertexArray(samples.WEIGHTS, figure().arrays[4].values.astype("f4") / 255)
    document = opened(tmp_path, with_array(array))
    element = next(e for b in model(document).vertex_buffers if (e := b.element("weights")) is not None)
    assert (element.type, element.normalized) == ("f32", False)
    assert np.allclose(pose(model(document).skeleton).skin, np.eye(3, 4))  # type: ignore[arg-type]


def test_weights_need_not_sum_to_one(tmp_path: Path) -> None:
    array = VertexArray(samples.WEIGHTS, np.full((120, 4), 10, np.uint8))
    assert opened(tmp_path, with_array(array)).report.count == 0


def test_colors_may_be_floats(tmp_path: Path) -> None:
    array = VertexArray(samples.COLOR, np.full((120, 4), 0.5, np.float32))
    document = opened(tmp_path, with_array(array))
    assert (column(document, "color0") == 0.5).all() and model(document).materials[0].vertex_color


def test_tangents_have_a_sign(tmp_path: Path) -> None:
    tangents = VertexArray(samples.TANGENT, np.tile((1, 0, 0, -1), (120, 1)).astype("f4"))
    document = opened(tmp_path, data(arrays=[*figure().arrays, tangents]))
    assert column(document, "tangent")[7].tolist() == [1, 0, 0, -1]


def test_custom_arrays_have_names_of_their_own(tmp_path: Path) -> None:
    custom = VertexArray(samples.CUSTOM, np.ones((120, 1), np.float32), "position")
    document = opened(tmp_path, data(arrays=[*figure().arrays, custom]))
    assert model(document).vertex_buffers[-1].elements[0].semantic == "custom position"
    assert document.report.count == 0


def test_texture_coordinates_may_come_twice(tmp_path: Path) -> None:
    second = VertexArray(samples.UV, np.ones((120, 2), np.float16))
    document = opened(tmp_path, data(arrays=[*figure().arrays, second]))
    assert (column(document, "uv1") == 1).all() and document.report.count == 0


# --- materials


def textured(*names: str) -> bytes:
    meshes = [each._replace(material=name) for each, name in zip(figure().meshes, names, strict=False)]
    return data(meshes=meshes)


def paint(path: Path) -> None:
    Image.new("RGB", (2, 2), (255, 0, 0)).save(path)


def test_a_material_is_often_the_name_of_a_picture(tmp_path: Path) -> None:
    paint(tmp_path / "Skin.tga")
    document = opened(tmp_path, textured("skin.tga", "skin.tga"))
    content = model(document)
    assert [each.name for each in content.materials] == ["skin.tga"] and content.materials[0].units == {
        "diffuse": 0
    }
    assert content.textures[0].path == str(tmp_path / "Skin.tga") and document.report.count == 0
    assert [each.material for each in content.geometries] == [0, 0]


def test_a_missing_picture_is_told(tmp_path: Path) -> None:
    document = opened(tmp_path, textured("skin.tga"))
    assert document.report.warnings[0].startswith("texture skin.tga is missing")


def test_a_name_without_a_picture_is_only_a_name(tmp_path: Path) -> None:
    document = opened(tmp_path, textured("models/hero/skin", "skin.001", ""))
    content = model(document)
    assert [each.name for each in content.materials] == ["models/hero/skin", "skin.001"]
    assert not content.textures and document.report.count == 0
    assert [each.material for each in content.geometries] == [0, 1, None]


def test_the_picture_of_this_name_beside_the_model_is_shown(tmp_path: Path) -> None:
    paint(tmp_path / "skin.png")
    content = model(opened(tmp_path, textured("models/hero/skin")))
    assert content.textures[0].path == str(tmp_path / "skin.png")
    assert content.textures[0].decode is not None and content.textures[0].decode().size == (2, 2)


def test_meshes_may_overlap(tmp_path: Path) -> None:
    document = opened(
        tmp_path, data(meshes=[Mesh("all", "", 0, 120, 0, 60), Mesh("part", "", 24, 24, 12, 12)])
    )
    assert [each.lods[0].count for each in model(document).geometries] == [180, 36]
