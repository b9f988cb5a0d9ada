from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests import m2_files
from tests.m2_files import CLASSIC, GENERATIONS, WRATH
from viewer.animation.pose import Layer, pose
from viewer.binary import unexplained
from viewer.families.wow.m2.clips.sequences import BLENDED, key_sequences
from viewer.families.wow.m2.layout.fields import VersionTraits
from viewer.families.wow.m2.layout.records import SEQUENCE, SKIN
from viewer.families.wow.m2.layout.writer import skin_bytes
from viewer.families.wow.m2.mesh.views import read_skin
from viewer.scene.document import Document
from viewer.scene.maths import transform
from viewer.scene.mesh.vertices import VertexMotion, drawn_vertices, posed
from viewer.scene.skeleton import Billboard
from viewer.storage.documents import open_document

BY_VERSION = pytest.mark.parametrize("generation", GENERATIONS, ids=lambda each: str(each.version))


def opened(folder: Path, generation: VersionTraits = CLASSIC, **changes: Any) -> Document:
    path = folder / "Made.m2"
    path.write_bytes(m2_files.model(generation, **changes))
    (folder / "Made00.skin").write_bytes(m2_files.skin())
    return open_document(path)


@BY_VERSION
def test_every_generation_opens_and_leaves_nothing_unexplained(
    tmp_path: Path, generation: VersionTraits
) -> None:
    document = opened(tmp_path, generation)
    assert document.report.errors == []
    assert document.version == f"MD20 version {generation.version}"
    assert unexplained(document.root) == 0


@BY_VERSION
def test_a_submesh_is_a_geometry_with_its_layers_and_bone_window(
    tmp_path: Path, generation: VersionTraits
) -> None:
    model = opened(tmp_path, generation).model
    assert model is not None
    assert [each.geoset for each in model.geometries] == [0, 702]
    assert [each.bone_map.tolist() for each in model.geometries if each.bone_map is not None] == [
        [0, 0],
        [0, 2],
    ]
    assert [each.lods[0].count for each in model.geometries] == [3, 3]


def test_the_vertices_stay_in_file_order_whatever_order_a_view_has(tmp_path: Path) -> None:
    model = opened(tmp_path).model
    assert model is not None
    lod = model.geometries[0].lods[0]
    assert drawn_vertices(model, lod).tolist() == [3, 4, 5]
    rest = posed(model, model.geometries[0], lod, drawn_vertices(model, lod), VertexMotion())
    assert rest.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    joints = model.vertex_buffers[lod.streams[1]].column("joints")
    assert joints is not None and joints[:, 0].tolist() == [1, 1, 1, 0, 0, 0]


def test_a_vertex_with_other_joints_in_each_submesh_is_copied(tmp_path: Path) -> None:
    view = m2_files.view()
    view["vertices"][:3] = [0, 4, 5]
    model = opened(tmp_path, views=[view]).model
    assert model is not None
    lod = model.geometries[0].lods[0]
    assert drawn_vertices(model, lod).tolist() == [0, 1, 2]
    rest = posed(model, model.geometries[0], lod, drawn_vertices(model, lod), VertexMotion())
    assert rest[0].tolist() == [1, 0, 0]


@BY_VERSION
def test_bones_turn_around_their_pivots(tmp_path: Path, generation: VersionTraits) -> None:
    document = opened(tmp_path, generation)
    model = document.model
    assert model is not None and model.skeleton is not None
    walk = document.animations[1]
    skin = pose(model.skeleton, [Layer(walk, 0.5)]).skin
    # bone 0 moves by (2, 0, 0); bone 2 turns a quarter around (1, 0, 0), bone 1 hangs below it
    assert transform(skin[0], np.array((0.0, 0, 0))) == pytest.approx((2, 0, 0), abs=1e-4)
    assert transform(skin[2], np.array((1.0, 0, 0))) == pytest.approx((3, 0, 0), abs=1e-4)
    assert transform(skin[2], np.array((2.0, 0, 0))) == pytest.approx((3, 1, 0), abs=1e-4)
    assert transform(skin[1], np.array((2.0, 0, 1))) == pytest.approx((3, 1, 2), abs=1e-4)


@BY_VERSION
def test_keys_are_mixed_within_their_sequence_and_held_at_its_ends(
    tmp_path: Path, generation: VersionTraits
) -> None:
    document = opened(tmp_path, generation)
    assert document.model is not None and document.model.skeleton is not None
    skeleton, stand = document.model.skeleton, document.animations[0]
    heights = [pose(skeleton, [Layer(stand, time, looped=False)]).skin[0][2, 3] for time in (0, 0.25, 1, 9)]
    assert heights == pytest.approx([0, 0.25, 1, 1])


@BY_VERSION
def test_global_sequences_run_through_whatever_plays(tmp_path: Path, generation: VersionTraits) -> None:
    document = opened(tmp_path, generation)
    assert document.model is not None and document.model.skeleton is not None
    skeleton = document.model.skeleton
    stand = document.animations[0]
    at = [pose(skeleton, [Layer(stand, time)]).skin[3][0, 3] for time in (0.0, 0.25, 1.75, 7.0)]
    assert at == pytest.approx([0, 0.5, 0.5, 0])


def test_names_durations_and_facts_of_sequences(tmp_path: Path) -> None:
    document = opened(tmp_path, WRATH)
    names = [(each.name, each.duration, each.facts["id"]) for each in document.animations]
    assert names == [("Stand", 1, 0), ("Walk", 2, 4), ("Walkbackwards", 2, 13), ("EmoteTalk", 1, 60)]


def test_an_alias_plays_what_it_stands_for(tmp_path: Path) -> None:
    document = opened(tmp_path, WRATH)
    assert document.model is not None and document.model.skeleton is not None
    skin = pose(document.model.skeleton, [Layer(document.animations[2], 0.0)]).skin
    assert skin[0][0, 3] == pytest.approx(2)


def test_an_alias_that_leads_round_in_a_circle_is_itself(tmp_path: Path) -> None:
    listed = m2_files.sequences(WRATH)
    listed[2]["alias"] = 2
    assert opened(tmp_path, WRATH, sequences=listed).animations[2].tracks is not None


@BY_VERSION
def test_events_belong_to_the_sequence_in_which_they_happen(
    tmp_path: Path, generation: VersionTraits
) -> None:
    stand, walk = opened(tmp_path, generation).animations[:2]
    assert [(each.time, each.name) for each in stand.events] == [(0.25, "$CSD 7")]
    assert walk.events == ()


def test_an_external_sequence_without_its_file_is_named(tmp_path: Path) -> None:
    document = opened(tmp_path, WRATH)
    assert any("Made0060-00.anim" in text for text in document.report.warnings)


def test_the_keys_of_an_external_sequence_come_from_its_file(tmp_path: Path) -> None:
    data = np.array([0, 1000], "<u4").tobytes() + np.array([(0, 0, 0), (0, 4, 0)], "<f4").tobytes()
    (tmp_path / "Made0060-00.anim").write_bytes(data)
    document = opened(tmp_path, WRATH)
    assert document.model is not None and document.model.skeleton is not None
    path = tmp_path / "Made.m2"
    changed = bytearray(path.read_bytes())
    _point_outside(changed)
    path.write_bytes(changed)
    document = open_document(path)
    assert document.model is not None and document.model.skeleton is not None
    skin = pose(document.model.skeleton, [Layer(document.animations[3], 0.5)]).skin
    assert skin[0][1, 3] == pytest.approx(2)


def _point_outside(data: bytearray) -> None:
    """Give the first bone's translation a fourth row of keys, which lies in the .anim."""
    from viewer.binary.tables import REF
    from viewer.families.wow.m2.layout.header import HEADER
    from viewer.families.wow.m2.layout.records import BONE

    header = np.frombuffer(bytes(data), HEADER.dtype(WRATH), 1)[0]
    at = int(header["bones"]["offset"])
    bone = np.frombuffer(bytes(data), BONE.dtype(WRATH), 1, at).copy()
    for name, offset in (("times", 0), ("values", 8)):
        rows = np.zeros(4, REF)
        rows[3] = 2, offset
        bone["translation"][name] = 4, len(data)
        data += rows.tobytes()
    data[at : at + bone.nbytes] = bone.tobytes()


def test_a_missing_view_is_named_and_the_skeleton_stays(tmp_path: Path) -> None:
    path = tmp_path / "Alone.m2"
    path.write_bytes(m2_files.model(WRATH))
    document = open_document(path)
    assert document.model is not None and document.model.skeleton is not None
    assert document.model.geometries == ()
    assert any("Alone00.skin" in text for text in document.report.warnings)


def test_a_broken_optional_table_never_costs_the_mesh(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    data = bytearray(m2_files.model())
    data[0x13C:0x144] = np.array([4, 0x7FFFFFFF], "<u4").tobytes()  # particles
    path.write_bytes(data)
    document = open_document(path)
    assert document.model is not None and len(document.model.geometries) == 2
    assert [(error.path, error.offset) for error in document.report.errors] == [("particles", 0x13C)]


def test_the_stride_of_bones_is_found_where_the_version_does_not_say(tmp_path: Path) -> None:
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_files.model(replace(m2_files.CRUSADE, version=258)))
    model = open_document(path).model
    assert model is not None and model.skeleton is not None
    assert model.skeleton.parents.tolist() == [-1, 2, 0, 0]


def test_a_patch_beside_a_view_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "Made.m2").write_bytes(b"PTCH" + bytes(60))
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    warning, *_ = open_document(tmp_path / "Made00.skin").report.warnings
    assert "no model in its folder uses this view" in warning


def test_a_chunked_file_shows_its_model_and_names_what_is_ignored(tmp_path: Path) -> None:
    block = m2_files.model(WRATH)
    chunks = b"MD21" + len(block).to_bytes(4, "little") + block
    path = tmp_path / "Made.m2"
    path.write_bytes(chunks + b"TXID\4\0\0\0\1\0\0\0" + b"LDV1\2\0\0\0ab")
    (tmp_path / "Made00.skin").write_bytes(m2_files.skin())
    document = open_document(path)
    assert document.model is not None and len(document.model.geometries) == 2
    assert any("LDV1" in text for text in document.report.notes)
    assert unexplained(document.root) == 2


def test_the_variants_of_a_group_are_not_all_shown(tmp_path: Path) -> None:
    changed = m2_files.view()
    changed["submeshes"][0]["id"] = 701
    model = opened(tmp_path, views=[changed]).model
    assert model is not None
    assert [(each.geoset, each.shown) for each in model.geometries] == [(701, False), (702, True)]


def test_each_target_says_who_points_at_it_and_each_reference_where(tmp_path: Path) -> None:
    root = opened(tmp_path).root
    header = root.child("header")
    bones = root.child("bones")
    assert header.child("bones").target == bones.offset
    translation = bones.children[0].child("translation").child("values")
    found = root.at(translation.target or 0)[-1 if translation.target is None else 1]
    named = [span for span in (found, *found.children) if span.offset == translation.target]
    assert named[-1].name == "bones[0].translation.values"
    assert named[-1].sources == (translation.offset,)
    assert bones.sources == (header.child("bones").offset,)


def test_the_note_of_referenced_data_names_the_row_or_the_header(tmp_path: Path) -> None:
    root = opened(tmp_path).root
    assert root.child("bones").note.endswith("from the header")
    target = root.child("bones").children[0].child("translation").child("values").target
    assert target is not None
    notes = {each.name: each.note for each in root.at(target)}
    assert notes["bones[0].translation.values"].endswith("from bones[0].translation.values")


@pytest.mark.parametrize("version", [257, 261, 262, 263, 265, 272, 274])
def test_the_versions_between_open_as_their_records_lie(tmp_path: Path, version: int) -> None:
    generation = VersionTraits(version, bone_names=version >= 260, split_blend=version >= 262)
    document = opened(tmp_path, generation)
    assert document.report.errors == []
    assert document.model is not None and document.model.skeleton is not None
    assert document.model.skeleton.parents.tolist() == [-1, 2, 0, 0]
    assert document.model.emitters[0].type == "plane" and document.model.emitters[0].blend == 4
    assert any("version" in text for text in document.report.warnings) == (version > 264)


def test_a_version_that_nobody_knows_is_told(tmp_path: Path) -> None:
    document = opened(tmp_path, replace(WRATH, version=300))
    assert any("version 300" in text for text in document.report.warnings)
    assert document.model is not None and len(document.model.geometries) == 2


def test_views_that_split_a_submesh_are_levels_of_the_same_geometry(tmp_path: Path) -> None:
    """A submesh of two bones becomes two of one bone each where fewer bones are allowed."""
    coarse = m2_files.view()
    fine = {
        **coarse,
        "submeshes": [
            {**coarse["submeshes"][0], "vertex_count": 6, "index_count": 6, "bone_start": 1, "bone_count": 2}
        ],
        "batches": [{"submesh": 0, "color": -1, "texture_count": 1}],
    }
    coarse["submeshes"] = [
        {**each, "id": 0, "bone_start": start, "bone_count": 1}
        for each, start in zip(coarse["submeshes"], (1, 2), strict=True)
    ]
    coarse["batches"] = [{"submesh": number, "color": -1, "texture_count": 1} for number in (0, 1)]
    coarse["joints"] = [(0, 0, 0, 0)] * 6
    model = opened(tmp_path, views=[fine, coarse]).model
    assert model is not None
    (geometry,) = model.geometries
    assert geometry.bone_map is not None and geometry.bone_map.tolist() == [0, 2]
    assert [lod.count for lod in geometry.lods] == [6, 6]
    joints = [model.vertex_buffers[lod.streams[1]].column("joints") for lod in geometry.lods]
    assert [each[:, 0].tolist() for each in joints if each is not None] == [[1, 1, 1, 0, 0, 0]] * 2


def test_each_sequence_has_a_box_of_its_own(tmp_path: Path) -> None:
    listed = m2_files.sequences(m2_files.CLASSIC)
    listed[0]["bounds"] = (0, 0, 0, 1, 2, 3)
    listed[1]["bounds"] = (0, 0, 0, -1, 2, 3)
    stand, walk = opened(tmp_path, sequences=listed).animations
    assert stand.bounds is not None and stand.bounds.tolist() == [[0, 0, 0], [1, 2, 3]]
    assert walk.bounds is None, "it is inside out"


def test_aliases_are_followed_unless_they_lead_nowhere() -> None:
    listed = np.zeros(7, SEQUENCE.dtype(WRATH))
    listed["flags"] = [0, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40]
    listed["alias"] = [5, 0, 1, 4, 3, 3, 99]
    assert key_sequences(listed).tolist() == [0, 0, 0, 3, 4, 5, 6], (
        "3 and 4 go round, 5 leads there, 6 past the end"
    )
    assert key_sequences(listed[:0]).tolist() == []


def test_a_chain_of_thousands_of_aliases_is_followed_at_once() -> None:
    chain = np.zeros(8192, SEQUENCE.dtype(WRATH))
    chain["flags"][1:] = 0x40
    chain["alias"][1:] = np.arange(8191)
    assert not key_sequences(chain).any()


@BY_VERSION
def test_a_model_without_vertices_has_columns_without_rows(tmp_path: Path, generation: VersionTraits) -> None:
    model = opened(tmp_path, generation, vertices=[]).model
    assert model is not None
    column = model.vertex_buffers[0].column("position")
    assert column is not None and column.shape == (0, 3)


def test_a_centre_follows_no_bone_if_the_skeleton_is_refused(tmp_path: Path) -> None:
    bones = [{"key_bone": -1, "parent": 1}, {"key_bone": -1, "parent": 0}]
    model = opened(tmp_path, bones=bones).model
    assert model is not None and model.skeleton is None
    assert {each.center_bone for each in model.geometries} == {None}


def test_flags_of_a_sequence_are_told_as_tags(tmp_path: Path) -> None:
    listed = m2_files.sequences(WRATH)
    listed[0]["flags"] |= BLENDED
    walk, alias = (opened(tmp_path, WRATH, sequences=listed).animations[number] for number in (0, 2))
    assert "blends" in walk.tags and "alias of Walk" in alias.tags


def test_bytes_of_no_record_are_named(tmp_path: Path) -> None:
    data = m2_files.model() + b"own bytes of somebody"
    (tmp_path / "Made.m2").write_bytes(data)
    root = open_document(tmp_path / "Made.m2").root
    assert (root.children[-1].name, root.children[-1].size) == ("unreferenced", 21)
    assert unexplained(root) == 21


@pytest.mark.parametrize(("count", "name"), [(16, "zero fill"), (600, "zero fill"), (5, "padding")])
def test_zeros_of_no_record_are_called_so_and_explained(tmp_path: Path, count: int, name: str) -> None:
    (tmp_path / "Made.m2").write_bytes(m2_files.model() + bytes(count))
    root = open_document(tmp_path / "Made.m2").root
    assert (root.children[-1].name, root.children[-1].size, unexplained(root)) == (name, count, 0)


@pytest.mark.parametrize("stored", [WRATH, m2_files.LEGION], ids=lambda each: str(each.version))
@pytest.mark.parametrize("model", [WRATH, m2_files.LEGION], ids=lambda each: str(each.version))
def test_a_view_has_the_header_of_its_own_generation(stored: VersionTraits, model: VersionTraits) -> None:
    data = skin_bytes(stored, m2_files.view())
    document, found = read_skin("Made00.skin", data, model)
    header = document.root.children[0]
    assert found is not None and header.size == SKIN.dtype(stored).itemsize
    assert found.vertices.tolist() == m2_files.view()["vertices"]


def test_of_several_billboard_flags_the_lowest_counts(tmp_path: Path) -> None:
    kinds = {
        0: Billboard.NONE,
        0x8: Billboard.WHOLE,
        0x10: Billboard.X,
        0x20: Billboard.Y,
        0x40: Billboard.Z,
        0x78: Billboard.WHOLE,
        0x60: Billboard.Y,
        0x207: Billboard.NONE,
    }
    model = opened(tmp_path, bones=[{"key_bone": -1, "parent": -1, "flags": flags} for flags in kinds]).model
    assert model is not None and model.skeleton is not None
    assert model.skeleton.billboards.tolist() == list(kinds.values())
