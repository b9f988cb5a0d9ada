"""Vertices of OGRE-Next meshes: half floats, quaternions of normals, weights, several buffers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.ogre_files import COORDINATES, NORMALS, POSITIONS, column, model_of, opened
from tests.ogre_next_files import COLUMNS, FLOATS, array, geometry, mesh_bytes, submesh
from viewer.families.ogre.next.vertices import tangent_frames
from viewer.scene.model import Model


def model_with(tmp_path: Path, columns: dict[str, object], *sources: tuple[tuple[int, int], ...]) -> Model:
    return model_of(opened(tmp_path, mesh_bytes(submesh(array(own=geometry(columns, *sources))))))


def test_half_floats_stay_as_they_are_stored(tmp_path: Path) -> None:
    halves = np.concatenate((POSITIONS, np.ones((4, 1))), axis=1)
    model = model_with(tmp_path, {"position": halves, "uv0": COORDINATES}, ((36, 1), (35, 7)))
    (buffer,) = model.vertex_buffers
    assert [(each.semantic, each.type, each.components) for each in buffer.elements] == [
        ("position", "f16", 4),
        ("uv0", "f16", 2),
    ]
    assert column(model, "position")[:, :3].tolist() == POSITIONS.tolist()


def test_the_type_of_half_floats_is_not_that_of_ogre(tmp_path: Path) -> None:
    """In OGRE 35 is a packed direction."""
    model = model_with(tmp_path, COLUMNS, ((2, 1), (2, 4), (35, 7)))
    assert column(model, "uv0").dtype == np.float16


@pytest.mark.parametrize(
    ("quaternion", "normal", "tangent"),
    [
        ((0, 0, 0, 1), (1, 0, 0), (0, 1, 0, 1)),
        ((0, 0, 0, -1), (1, 0, 0), (0, 1, 0, -1)),
        ((0, 0, 0.5**0.5, 0.5**0.5), (0, 1, 0), (-1, 0, 0, 1)),
        ((0, -(0.5**0.5), 0, 0.5**0.5), (0, 0, 1), (0, 1, 0, 1)),
        ((0.5, 0.5, 0.5, -0.5), (0, 0, 1), (1, 0, 0, -1)),
    ],
)
def test_a_quaternion_turns_x_to_the_normal_and_y_to_the_tangent(
    quaternion: tuple[float, ...], normal: tuple[float, ...], tangent: tuple[float, ...]
) -> None:
    frames = tangent_frames(np.rint(np.array([quaternion]) * 32767).astype(np.int16))
    assert np.allclose(frames["normal"], [normal], atol=1e-4)
    assert np.allclose(frames["tangent"], [tangent], atol=1e-4)


def test_a_zero_quaternion_is_finite() -> None:
    assert np.isfinite(tangent_frames(np.zeros((1, 4), np.int16))["normal"]).all()


def test_normals_stored_as_quaternions_become_normals_and_tangents(tmp_path: Path) -> None:
    turned = np.tile(np.array((0, -23170, 0, 23170), np.int16), (4, 1))
    columns = {"position": POSITIONS, "normal": turned, "uv0": COORDINATES}
    model = model_with(tmp_path, columns, ((2, 1), (32, 4), (1, 7)))
    assert np.allclose(column(model, "normal"), NORMALS, atol=1e-4)
    assert column(model, "tangent").shape == (4, 4)
    assert model.vertex_buffers[0].element("stored quaternion") is not None


def test_buffers_number_their_texture_coordinates_together(tmp_path: Path) -> None:
    columns = {"position": POSITIONS, "uv0": COORDINATES, "uv1": COORDINATES + 1}
    model = model_with(tmp_path, columns, ((2, 1), (1, 7)), ((1, 7),))
    assert column(model, "uv1").tolist() == (COORDINATES + 1).tolist()
    assert len(model.vertex_buffers) == 2


def test_the_four_strongest_of_eight_joints_move_a_vertex(tmp_path: Path) -> None:
    columns = COLUMNS | {
        "weights": np.array([(0.4, 0.1, 0, 0)] * 4, np.float32),
        "joints": np.array([(7, 1, 0, 0)] * 4, np.uint8),
        "more weights": np.array([(0.3, 0.15, 0.05, 0)] * 4, np.float32),
        "more joints": np.array([(2, 3, 4, 0)] * 4, np.uint8),
    }
    own = geometry(columns, (*FLOATS, (3, 2), (9, 3), (3, 10), (9, 11)))
    document = opened(tmp_path, mesh_bytes(submesh(array(own=own), bones=range(8))))
    model = model_of(document)
    joints, weights = column(model, "joints")[0], column(model, "weights")[0]
    assert sorted(joints.tolist()) == [1, 2, 3, 7]
    assert weights.sum() == pytest.approx(1)
    assert dict(zip(joints.tolist(), weights.tolist(), strict=True))[7] == pytest.approx(0.4 / 0.95)


def test_normalised_weights_keep_their_type(tmp_path: Path) -> None:
    columns = COLUMNS | {
        "weights": np.array([(255, 0, 0, 0)] * 4, np.uint8),
        "joints": np.array([(1, 0, 0, 0)] * 4, np.uint8),
    }
    own = geometry(columns, (*FLOATS, (30, 2), (9, 3)))
    model = model_of(opened(tmp_path, mesh_bytes(submesh(array(own=own), bones=(0, 1)))))
    element = model.vertex_buffers[0].element("weights")
    assert element is not None
    assert (element.type, element.components, element.normalized) == ("u8", 4, True)


def test_a_vertex_larger_than_its_elements_is_a_warning(tmp_path: Path) -> None:
    data = bytearray(mesh_bytes(submesh(array(own=geometry(COLUMNS, FLOATS)))))
    at = data.index(b"\x31\x43")
    data[at + 6] = 2  # the declaration loses its last element
    del data[at + 11 : at + 13]
    document = opened(tmp_path, bytes(data))
    assert any(
        "a vertex of buffer 0 has 32 bytes, its elements 24" in text for text in document.report.warnings
    )


def test_no_vertices_have_no_packed_colours(tmp_path: Path) -> None:
    none = {name: values[:0] for name, values in COLUMNS.items()} | {"color0": np.empty(0, np.uint32)}
    own = geometry(none, (*FLOATS, (10, 5)))
    document = opened(tmp_path, mesh_bytes(submesh(array(own=own))))
    assert model_of(document).geometries[0].lods[0].count == 0
