"""Broken parts are told and left out, and never cost the mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigscope_iqm.layout import ANIM, EXTENSION, JOINT, MESH, POSE, VERTEX_ARRAY
from rigscope_iqm.write import Clip, Extension, Joint, VertexArray

from tests.damage import check
from tests.plugin_iqm import samples
from tests.plugin_iqm.samples import alone, data, figure, model, number, opened, patched
from viewer.binary import unexplained
from viewer.errors import FormatError, Topic
from viewer.scene.document import Document
from viewer.scene.items import AnimationItem
from viewer.storage.documents import open_document

HUGE = 0xFFFFFFF0


def at(content: bytes, table: str, row: int, dtype: np.dtype[Any], field: str, more: int = 0) -> int:
    """The offset of a field in a row of a table."""
    assert dtype.fields is not None
    return number(content, table) + row * dtype.itemsize + dtype.fields[field][1] + more


def with_row(table: str, row: int, dtype: np.dtype[Any], field: str, value: float, more: int = 0) -> bytes:
    """The figure with another number in a row."""
    content = data()
    return patched(content, at(content, table, row, dtype, field, more), value)


def errors(document: Document) -> list[str]:
    check(document, len(document.data))
    return [f"{each.path}: {each.why}" for each in document.report.errors]


def drawn(document: Document) -> int:
    """The number of indices that are drawn."""
    return sum(lod.count for geometry in model(document).geometries for lod in geometry.lods)


# --- the header


def test_another_magic_is_another_format(tmp_path: Path) -> None:
    (tmp_path / "x.iqm").write_bytes(b"INTERQUAKEMODEM" + data()[15:])
    with pytest.raises(FormatError, match="the format is unknown"):
        open_document(tmp_path / "x.iqm")


def test_another_version_is_not_read(tmp_path: Path) -> None:
    document = opened(tmp_path, patched(data(), "version", 1))
    assert errors(document) == ["header/version: version 1 is not read, only 2"]
    assert document.content is None and document.report.errors[0].topic is Topic.VERSION


def test_a_cut_header_is_told(tmp_path: Path) -> None:
    document = opened(tmp_path, data()[:90])
    assert errors(document) == ["header/ofs_anims: 4 bytes needed, 2 left"]
    assert unexplained(document.root) == 0 + 2 and document.content is None


def test_a_file_shorter_than_it_says_is_cut(tmp_path: Path) -> None:
    document = opened(tmp_path, data()[:-10])
    assert "the header declares" in document.report.warnings[0]
    assert errors(document) == ["header/ofs_comment: comment: 17 bytes needed, 7 left"]
    assert drawn(document) == 180 and len(document.animations) == 2


TABLES = ("text", "meshes", "vertexarrays", "triangles", "joints", "poses", "anims", "frames", "comment")


@pytest.mark.parametrize("table", [*TABLES, "adjacency", "bounds", "extensions"])
def test_a_table_outside_the_file_is_told(table: str, tmp_path: Path) -> None:
    document = opened(tmp_path, patched(data(), f"ofs_{table}", HUGE))
    (error,) = document.report.errors
    assert errors(document) and table.replace("arrays", "_arrays") in f"{error.path} {error.why}"
    assert (drawn(document) == 180) == (table not in ("meshes", "vertexarrays", "triangles"))
    assert (model(document).skeleton is None) == (table == "joints")
    assert bool(document.animations) == (table not in ("joints", "poses", "anims", "frames"))


COUNTS = (
    "meshes",
    "vertexarrays",
    "vertexes",
    "triangles",
    "joints",
    "poses",
    "anims",
    "frames",
    "framechannels",
)


@pytest.mark.parametrize("count", [*COUNTS, "text", "comment", "extensions"])
def test_a_huge_count_is_told(count: str, tmp_path: Path) -> None:
    document = opened(tmp_path, patched(data(), f"num_{count}", HUGE))
    errors(document)
    assert document.report.count


@pytest.mark.parametrize(
    "table", ["meshes", "vertexarrays", "triangles", "joints", "poses", "anims", "frames"]
)
def test_rows_without_an_offset_are_told(table: str, tmp_path: Path) -> None:
    document = opened(tmp_path, patched(data(), f"ofs_{table}", 0))
    assert "but the offset is 0" in errors(document)[0]


@pytest.mark.parametrize("table", ["adjacency", "bounds"])
def test_some_tables_may_be_absent(table: str, tmp_path: Path) -> None:
    document = opened(tmp_path, data(**{table: ()}))
    assert document.report.count == 0 and (document.animations[0].bounds is None) == (table == "bounds")


def test_more_tables_on_the_same_bytes_are_cut_in_the_tree(tmp_path: Path) -> None:
    content = data()
    document = opened(tmp_path, patched(content, "ofs_adjacency", number(content, "ofs_triangles")))
    assert errors(document) == [] and drawn(document) == 180


# --- names


def test_a_name_outside_the_text_is_empty(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_meshes", 1, MESH, "name", 5000))
    assert model(document).geometries[1].name == "" and errors(document) == []
    assert document.report.warnings[0].startswith("a name is not in the text")


def test_a_name_may_not_be_endless(tmp_path: Path) -> None:
    joints = [each._replace(name="x" * 300) for each in figure().joints]
    document = opened(tmp_path, data(joints=joints))
    assert document.report.warnings == [
        "a name is not in the text, or has more than 255 bytes; it is left empty"
    ]


def test_a_text_without_its_last_zero_keeps_the_other_names(tmp_path: Path) -> None:
    content = data(extensions=(), clips=())
    document = opened(tmp_path, patched(content, "num_text", number(content, "num_text") - 1))
    assert model(document).geometries[0].name == "legs" and len(document.report.warnings) == 1


# --- vertices and triangles


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("format", 9, "has 3 components of format 9"),
        ("size", 0, "has 0 components of format 7"),
        ("size", HUGE, "bytes needed"),
        ("offset", HUGE, "bytes needed"),
    ],
)
def test_a_broken_vertex_array_is_left_out(field: str, value: int, told: str, tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_vertexarrays", 2, VERTEX_ARRAY, field, value))
    (why,) = errors(document)
    assert why.startswith("vertex_arrays[2]: ") and told in why.replace("2 components", "3 components")
    assert drawn(document) == 180 and len(model(document).vertex_buffers) == 5


def test_vertices_without_positions_are_not_drawn(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_vertexarrays", 0, VERTEX_ARRAY, "format", 9))
    assert (
        errors(document)[1]
        == "header/num_vertexarrays: the vertices have no positions: the meshes are not drawn"
    )
    assert model(document).skeleton is not None and len(model(document).geometries) == 5


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_position_that_is_not_finite_becomes_0(value: float, tmp_path: Path) -> None:
    points = figure().arrays[0].values.copy()
    points[3, 1] = value
    arrays = [VertexArray(samples.POSITION, points), *figure().arrays[1:]]
    document = opened(tmp_path, data(arrays=arrays))
    assert document.report.warnings == ["1 vertex without a finite position: 0 is used instead"]
    assert model(document).vertex_buffers[0].column("position")[3].tolist() == [0, 0, 0]  # type: ignore[index]


def test_a_double_beyond_the_range_of_floats_is_no_position(tmp_path: Path) -> None:
    points = figure().arrays[0].values.astype(np.float64)
    points[3, 1] = 1e300
    document = opened(tmp_path, data(arrays=[VertexArray(samples.POSITION, points), *figure().arrays[1:]]))
    assert drawn(document) == 180 and len(document.report.warnings) == 1


def test_many_components_are_kept_and_not_drawn(tmp_path: Path) -> None:
    wide = VertexArray(samples.CUSTOM, np.ones((120, 7), np.float32), "wide")
    document = opened(tmp_path, data(arrays=[*figure().arrays, wide]))
    assert document.report.warnings == ["custom wide: of 7 components at most 4 can be drawn"]
    assert errors(document) == [] and unexplained(document.root) == 0


@pytest.mark.parametrize("kind", [7, 15])
def test_reserved_types_are_kept(kind: int, tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_vertexarrays", 5, VERTEX_ARRAY, "type", kind))
    assert model(document).vertex_buffers[5].elements[0].semantic == f"type {kind}"


def test_a_type_that_comes_twice_is_told(tmp_path: Path) -> None:
    document = opened(tmp_path, data(arrays=[*figure().arrays, figure().arrays[0]]))
    assert document.report.warnings == ["several vertex arrays have the type position; the first one is used"]


def test_triangles_with_missing_vertices_are_not_drawn(tmp_path: Path) -> None:
    triangles = figure().triangles.copy()
    triangles[7] = 0, 1, 4000
    document = opened(tmp_path, data(triangles=triangles))
    assert document.report.warnings == ["1 triangle with missing vertices: 120 exist"]
    assert model(document).index_buffers[0].data[21:24].tolist() == [0, 0, 0] and drawn(document) == 180


def test_a_mesh_with_missing_triangles_is_left_out(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_meshes", 3, MESH, "num_triangles", 100))
    assert errors(document) == ["meshes[3]: has the triangles from 36 to 136, of 60"]
    assert drawn(document) == 144 and [each.name for each in model(document).geometries][3] == "nose"


def test_a_mesh_with_missing_vertices_is_told(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_meshes", 3, MESH, "first_vertex", 100))
    assert document.report.warnings == ["a mesh has more vertices than exist"] and drawn(document) == 180


# --- joints


def test_a_circle_of_joints_costs_the_skeleton_alone(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_joints", 0, JOINT, "parent", 2))
    assert errors(document) == ["header/ofs_joints: joints: bones in a parent cycle: hips, spine, head, arm"]
    assert document.report.errors[0].topic is Topic.CYCLE and drawn(document) == 180
    assert model(document).skeleton is None and not document.animations
    assert unexplained(document.root) == 0 and document.origin.span(AnimationItem(0)) is None


def test_a_joint_that_is_its_own_parent_is_a_circle(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_joints", 2, JOINT, "parent", 2))
    assert errors(document) == ["header/ofs_joints: joints: bones in a parent cycle: head"]


def test_a_parent_that_does_not_exist_is_none(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_joints", 2, JOINT, "parent", 44))
    assert document.report.warnings == ["a joint has a parent that does not exist; it is a root"]
    assert model(document).skeleton.parents.tolist() == [-1, 0, -1, 1]  # type: ignore[union-attr]


@pytest.mark.parametrize("field", ["translate", "rotate", "scale"])
def test_a_base_pose_that_is_not_finite_costs_the_skeleton_alone(field: str, tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_joints", 1, JOINT, field, float("nan")))
    assert errors(document) == ["header/ofs_joints: joints: the base pose is not finite"]
    assert drawn(document) == 180


def test_a_scale_of_0_has_no_inverse(tmp_path: Path) -> None:
    joints = [*figure().joints[:3], Joint("arm", 1, scale=(0, 0, 0))]
    document = opened(tmp_path, data(joints=joints))
    skeleton = model(document).skeleton
    assert skeleton is not None and skeleton.inverse_bind is not None
    assert skeleton.inverse_bind[3].tolist() == np.eye(3, 4).tolist()
    assert errors(document) == [] and len(document.animations) == 2


def test_a_chain_of_many_joints_is_read_at_once(tmp_path: Path) -> None:
    joints = [Joint(f"{number}", number - 1, (0, 0, 1)) for number in range(5000)]
    document = opened(tmp_path, data(joints=joints, frames=np.empty((0, 0, 10)), clips=(), bounds=()))
    inverse = model(document).skeleton.inverse_bind  # type: ignore[union-attr]
    assert inverse is not None and inverse[-1, 2, 3] == -5000


# --- animations


def test_other_numbers_of_poses_cost_the_animations(tmp_path: Path) -> None:
    document = opened(tmp_path, patched(data(), "num_joints", 3))
    assert errors(document) == ["header/num_poses: 4 poses for 3 joints: the animations are left out"]
    assert not document.animations and len(model(document).skeleton or ()) == 3 and drawn(document) == 180


@pytest.mark.parametrize("changed", [{"joints": ()}, {"frames": np.empty((0, 0, 10)), "bounds": ()}])
def test_poses_without_joints_and_joints_without_poses_do_not_fit(changed: Any, tmp_path: Path) -> None:
    document = opened(tmp_path, data(**changed))
    assert "the animations are left out" in errors(document)[0] and not document.animations
    assert unexplained(document.root) == 0


def test_a_clip_past_the_frames_is_left_out(tmp_path: Path) -> None:
    clips = [Clip("wave", 0, 8, 24.0), Clip("late", 5, 4, 24.0), Clip("end", 6, 2, 24.0)]
    document = opened(tmp_path, data(clips=clips))
    assert errors(document) == ["anims[1]: has the frames from 5 to 9, of 8"]
    assert [each.name for each in document.animations] == ["wave", "end"]


def test_a_clip_may_not_begin_so_late_that_its_end_wraps(tmp_path: Path) -> None:
    document = opened(tmp_path, data(clips=[Clip("late", 0xFFFFFFFF, 2, 24.0)]))
    assert errors(document) == [f"anims[0]: has the frames from {0xFFFFFFFF} to {0xFFFFFFFF + 2}, of 8"]


def test_masks_that_do_not_fit_the_frames_cost_the_animations(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_poses", 0, POSE, "mask", 0x3FF))
    assert errors(document) == [
        "header/num_framechannels: the poses have 13 channels: the animations are left out"
    ]


def test_bits_of_the_mask_without_a_channel_mean_nothing(tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_poses", 0, POSE, "mask", 0xFFFFFC00))
    assert errors(document) == [] and len(document.animations[0].tracks) == 12


@pytest.mark.parametrize("field", ["offset", "scale"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), 3e38])
def test_channels_that_are_not_finite_cost_the_animations(field: str, value: float, tmp_path: Path) -> None:
    content = with_row("ofs_poses", 2, POSE, field, value, more=8)
    document = opened(tmp_path, content)
    if field == "offset" and value == 3e38:
        assert np.isfinite(document.animations[0].tracks[6].values).all()
    else:
        assert errors(document) == ["header/ofs_poses: a channel is not finite: the animations are left out"]


@pytest.mark.parametrize("rate", [float("nan"), float("inf"), -5.0])
def test_a_rate_that_is_none_is_one_a_second(rate: float, tmp_path: Path) -> None:
    document = opened(tmp_path, with_row("ofs_anims", 0, ANIM, "framerate", rate))
    assert document.animations[0].duration == 8 and "one a second is used" in document.report.warnings[0]


def test_many_clips_of_the_same_frames_end_somewhere(tmp_path: Path) -> None:
    frames = np.tile(samples.waving(), (100, 1, 1))
    document = opened(tmp_path, data(frames=frames, bounds=(), clips=[Clip("same", 0, 800, 24.0)] * 1000))
    (why,) = errors(document)
    assert "more values than a file of this size may" in why and 10 < len(document.animations) < 100


def test_numbers_of_clips_behind_a_missing_one_select_nothing(tmp_path: Path) -> None:
    document = opened(tmp_path, data(clips=[Clip("late", 5, 4), Clip("end", 6, 2)]))
    assert document.origin.item(number(document.data, "ofs_anims")) is None


def test_a_broken_file_of_animations_keeps_what_it_has(tmp_path: Path) -> None:
    document = opened(tmp_path, alone(clips=[Clip("late", 5, 9), Clip("end", 6, 2)]))
    assert document.content is document.animations[0] and document.animations[0].name == "end"


# --- extensions


def with_extensions(change: str, value: int) -> bytes:
    content = data(extensions=[Extension("a", b"123"), Extension("b", b"45")])
    return patched(content, at(content, "ofs_extensions", 0, EXTENSION, change), value)


def test_a_list_of_extensions_that_goes_round_is_told(tmp_path: Path) -> None:
    first = number(with_extensions("name", 0), "ofs_extensions")
    document = opened(tmp_path, with_extensions("ofs_extensions", first))
    assert errors(document) == ["extensions[1]: the list of extensions goes round"] and drawn(document) == 180


@pytest.mark.parametrize("field", ["ofs_extensions", "ofs_data", "num_data"])
def test_an_extension_outside_the_file_is_told(field: str, tmp_path: Path) -> None:
    document = opened(tmp_path, with_extensions(field, HUGE))
    (why,) = errors(document)
    assert why.startswith("extensions[1]: ") and "needed" in why


def test_a_wrong_number_of_extensions_is_told(tmp_path: Path) -> None:
    document = opened(tmp_path, with_extensions("ofs_extensions", 0))
    assert document.report.warnings == ["2 extensions declared, 1 found"]
