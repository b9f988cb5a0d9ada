"""Model records to the scene: what the engine does with them, and what is reported."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.synthetic import bone, model_record
from viewer.binary import Struct
from viewer.errors import Report
from viewer.families.urho3d.elements import ELEMENT
from viewer.families.urho3d.model import build_model
from viewer.families.urho3d.model_layout import LOD, MODEL
from viewer.scene.model import Model, Primitive


def build(report: Report | None = None, **changed: Any) -> Model:
    """The scene of the synthetic model, written and read back, with some records changed."""
    from viewer.binary import Cursor

    record = MODEL.read(Cursor(MODEL.pack(model_record(**changed))))
    return build_model("post", record, report if report is not None else Report())


def lods(**fields: Any) -> list[Struct]:
    levels = np.zeros(1, LOD)
    for name, value in fields.items():
        levels[name] = value
    return [Struct(bone_map=np.empty(0, "<u4"), lods=levels)]


def test_vertex_buffers_are_views_of_the_file() -> None:
    buffer = build().vertex_buffers[0]
    assert buffer.data.base is not None
    assert buffer.data.nbytes == buffer.count * buffer.stride
    position = buffer.column("position")
    assert position is not None and np.shares_memory(position, buffer.data)


def test_a_geometry_keeps_its_bone_map() -> None:
    assert build().geometries[0].bone_map is not None


def test_an_empty_bone_map_means_none() -> None:
    assert build(geometries=lods(count=3)).geometries[0].bone_map is None


def test_no_lods_is_no_error() -> None:
    report = Report()
    model = build(report, geometries=[Struct(bone_map=[], lods=np.empty(0, LOD))])
    assert model.geometries[0].lods == ()
    assert report.complete


@pytest.mark.parametrize(
    ("field", "value"), [("primitive", 6), ("vertex_buffer", 1), ("index_buffer", 9), ("start", 90)]
)
def test_a_level_that_names_what_is_not_there_is_reported_with_its_place(field: str, value: int) -> None:
    report = Report()
    model = build(report, geometries=lods(**({"count": 30} | {field: value})))
    (error,) = report.errors
    assert error.path == f"model/geometries[0]/lods[0]/{field}"
    assert error.offset > 0
    assert model.geometries[0].lods == ()


@pytest.mark.parametrize("field", ["vertex_buffer", "index_buffer", "start"])
def test_an_empty_level_that_names_what_is_not_there_is_reported_too(field: str) -> None:
    report = Report()
    model = build(report, geometries=lods(**{field: 99}))
    assert [error.path for error in report.errors] == [f"model/geometries[0]/lods[0]/{field}"]
    assert model.geometries[0].lods == ()


def test_a_level_may_end_with_the_last_index_and_not_behind_it() -> None:
    """The synthetic model has 96 indices."""
    report = Report()
    assert build(report, geometries=lods(start=66, count=30)).geometries[0].lods[0].count == 30
    assert report.complete
    build(report, geometries=lods(start=67, count=30))
    assert [error.why for error in report.errors] == ["indices 67 to 97 lie outside index buffer 0"]


@pytest.mark.parametrize("kind", list(range(6)))
def test_primitives(kind: int) -> None:
    assert (
        build(geometries=lods(count=6, primitive=kind)).geometries[0].lods[0].primitive
        is list(Primitive)[kind]
    )


def test_indices_past_the_vertices_are_dropped_with_a_warning() -> None:
    indices = np.array([0, 1, 2, 0, 1, 999, 3, 4, 5], "<u2")
    buffer = Struct(index_count=9, index_size=2, indices=indices)
    report = Report()
    model = build(report, index_buffers=[buffer], geometries=lods(count=9))
    level = model.geometries[0].lods[0]
    assert level.indices is not None
    assert model.index_buffers[level.indices].data[level.start : level.start + level.count].tolist() == [
        0,
        1,
        2,
        3,
        4,
        5,
    ]
    assert "1 primitives use missing vertices: only 20 exist" in report.warnings[0]


def test_a_strip_with_a_stray_index_becomes_a_list_of_the_same_winding() -> None:
    buffer = Struct(index_count=5, index_size=2, indices=np.array([0, 1, 2, 3, 999], "<u2"))
    model = build(index_buffers=[buffer], geometries=lods(count=5, primitive=3))
    level = model.geometries[0].lods[0]
    assert level.indices is not None and level.primitive is Primitive.TRIANGLES
    assert model.index_buffers[level.indices].data.tolist() == [0, 1, 2, 2, 1, 3]


def test_morphs() -> None:
    (morph,) = build(magic="UMD3", version=2).morphs
    assert (morph.name, morph.weight, morph.vertices) == ("taller", 0.25, 4)
    assert morph.targets[0].positions is not None
    assert morph.targets[0].tangents is None


def test_umd2_morphs_start_at_zero() -> None:
    assert build().morphs[0].weight == 0


def test_morph_deltas_past_the_vertices_are_left_out() -> None:
    record = model_record()
    records = record.morphs[0].targets[0].records.copy()
    records["vertex"][0] = 20
    report = Report()
    model = build(
        report, morphs=[Struct(name="m", targets=[Struct(vertex_buffer=0, mask=3, records=records)])]
    )
    assert model.morphs[0].vertices == 3
    assert "1 deltas" in report.warnings[0]


def test_a_morph_of_a_buffer_that_does_not_exist_has_no_target() -> None:
    records = model_record().morphs[0].targets[0].records
    report = Report()
    model = build(
        report, morphs=[Struct(name="m", targets=[Struct(vertex_buffer=1, mask=3, records=records)])]
    )
    assert model.morphs[0].targets == ()
    assert "4 deltas move vertices that are not in buffer 1" in report.warnings[0]


def test_a_buffer_that_comes_twice_in_a_morph_counts_once_the_later() -> None:
    records = model_record().morphs[0].targets[0].records
    targets = [
        Struct(vertex_buffer=0, mask=3, records=records),
        Struct(vertex_buffer=0, mask=3, records=records[:1]),
    ]
    assert build(morphs=[Struct(name="m", targets=targets)]).morphs[0].vertices == 1


def test_rotations_come_out_as_xyzw() -> None:
    skeleton = build().skeleton
    assert skeleton is not None
    assert skeleton.rotations.tolist() == [[0, 0, 0, 1], [0, 0, 0, 1]]


def test_the_last_bone_that_is_its_own_parent_is_the_root() -> None:
    skeleton = build(bones=[bone("a", 0, 0, 0), bone("b", 1, 0, 0), bone("c", 1, 0, 0)]).skeleton
    assert skeleton is not None
    assert skeleton.root == 1
    assert skeleton.parents.tolist() == [-1, -1, 1]


def test_a_parent_past_the_bones_is_a_root_that_is_not_animated() -> None:
    skeleton = build(bones=[bone("a", 99, 0, 0), bone("b", 0, 0, 0)]).skeleton
    assert skeleton is not None
    assert (skeleton.parents.tolist(), skeleton.root) == ([-1, 0], None)


def test_bones_in_a_circle_are_refused_by_name_and_the_mesh_stays() -> None:
    report = Report()
    model = build(report, bones=[bone("a", 0, 0, 0), bone("b", 2, 0, 0), bone("c", 1, 0, 0)])
    assert model.skeleton is None
    assert "b, c" in report.errors[0].why
    assert model.geometries[0].lods[0].count


def test_hitboxes() -> None:
    from viewer.families.urho3d.model_layout import AABB

    box = np.array(((-1, -1, -1), (1, 1, 1)), AABB)
    both = bone("a", 0, 0, 0, radius=0.5, box=box)
    both.collision = 3
    skeleton = build(bones=[both, bone("b", 0, 0, 0)]).skeleton
    assert skeleton is not None
    hitbox, none = skeleton.hitboxes
    assert hitbox is not None and hitbox.radius == 0.5 and hitbox.box is not None
    assert none is None


@pytest.mark.parametrize("corners", [(np.inf, -np.inf), (np.nan, np.nan), (1, -1)])
def test_undefined_bounds_are_none(corners: tuple[float, float]) -> None:
    from viewer.families.urho3d.model_layout import AABB

    box = np.array(((corners[0],) * 3, (corners[1],) * 3), AABB)
    assert build(bounds=box).bounds is None


def test_a_buffer_without_vertices() -> None:
    empty = Struct(
        vertex_count=0, elements=np.empty(0, ELEMENT), morph_start=0, morph_count=0, vertices=np.empty(0, [])
    )
    assert build(vertex_buffers=[empty], geometries=[], morphs=[]).vertex_buffers[0].count == 0
