"""What an independent library found in real files: counts, sums, sequences, bones, emitters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import SHARED, read_json
from viewer.binary import unexplained
from viewer.binary.tables import RecordTables
from viewer.errors import Report
from viewer.families.wow.m2.layout.tables import read_records
from viewer.scene.mesh.vertices import drawn_vertices
from viewer.storage.documents import open_document

FILES = sorted((SHARED / "oracle" / "m2").glob("*.json"))
MODELS = sorted((SHARED / "corpus" / "m2").glob("**/*.[mM]2"))
OURS = {"texAnims": "transforms"}
PARAMETERS = {
    "speed": "speed",
    "speedVar": "speed_variation",
    "vertRange": "vertical_range",
    "horizRange": "horizontal_range",
    "gravity": "gravity",
    "lifespan": "lifespan",
    "rate": "rate",
    "areaLen": "length",
    "areaWid": "width",
    "zSource": "z_source",
}

pytestmark = pytest.mark.skipif(not FILES, reason="needs the library's numbers and the real files")
EACH = pytest.mark.parametrize("numbers", FILES, ids=lambda path: path.stem.split("__")[-1])


def real(numbers: Path) -> Path:
    return SHARED / "corpus" / "m2" / numbers.stem.replace("__", "/")


def records_of(numbers: Path) -> RecordTables:
    data = real(numbers).read_bytes()
    return read_records(data, 0, len(data), Report())


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_real_file_opens_whole(path: Path) -> None:
    document = open_document(path)
    assert document.report.errors == []
    assert document.model is not None
    for animation in document.animations:
        assert all(len(track.times) == len(track.values) for track in animation.tracks)


@EACH
def test_counts(numbers: Path) -> None:
    records, expected = records_of(numbers), read_json(numbers)
    nested = records.generation.nested
    ours = {
        name: int(records.header["view_count"])
        if name == "views" and nested
        else len(records.tables[OURS.get(name, name)])
        for name in expected["counts"]
    }
    assert ours == expected["counts"]
    assert records.tables["global_sequences"].tolist() == expected["globalSequences"]


@EACH
def test_sums_of_vertices(numbers: Path) -> None:
    vertices = records_of(numbers).tables["vertices"]
    found = [*vertices["position"].sum(0, np.float64), vertices["normal"].sum(0, np.float64)[2]]
    expected = read_json(numbers)["vertexSums"]
    uv = vertices["uv0"].sum(0, np.float64)
    assert found[:3] == pytest.approx(expected[:3], rel=1e-5, abs=1e-3)
    assert uv.tolist() == pytest.approx(expected[4:6], rel=1e-5, abs=1e-3)


@EACH
def test_sequences_and_bones(numbers: Path) -> None:
    expected, document = read_json(numbers), open_document(real(numbers))
    ours = [
        (each.facts["id"], each.facts["variation"], round(each.duration * 1000))
        for each in document.animations
    ]
    assert ours == [(each[0], each[1], each[3]) for each in expected["sequences"]]
    skeleton = document.model.skeleton if document.model else None
    assert skeleton is not None and skeleton.pivots is not None
    assert skeleton.parents.tolist() == [bone[0] for bone in expected["bones"]]
    assert skeleton.pivots == pytest.approx(np.array([bone[2:5] for bone in expected["bones"]]), abs=1e-5)
    flags = records_of(numbers).tables["bones"]["flags"].tolist()
    assert flags == [bone[1] for bone in expected["bones"]]


@EACH
def test_the_first_view(numbers: Path) -> None:
    submeshes, batches, indices = read_json(numbers)["view0"]
    model = open_document(real(numbers)).model
    assert model is not None
    drawn = [geometry for geometry in model.geometries if geometry.lods[0].count]
    assert len(drawn) == submeshes
    assert sum(geometry.lods[0].count for geometry in drawn) == indices
    assert sum(1 + len(geometry.layers) for geometry in drawn) == batches


@EACH
def test_emitters(numbers: Path) -> None:
    expected = read_json(numbers)["particles"]
    model, rows = open_document(real(numbers)).model, records_of(numbers).tables["particles"]
    assert model is not None and len(model.emitters) == len(expected)
    for emitter, row, known in zip(model.emitters, rows, expected, strict=True):
        plain = {"flags": "flags", "tex": "texture", "bone": "bone", "blend": "blend", "emitter": "type"}
        if "color_index" in row.dtype.names:
            del plain["emitter"]  # two bytes in a converted file: the library reads them as one number
        assert {name: int(row[ours]) for name, ours in plain.items()} == {name: known[name] for name in plain}
        for name, ours in PARAMETERS.items():
            if known[name]:
                # the library drops keys outside of sequences, so its last key may be another
                assert emitter.parameters[ours][0] == pytest.approx(_number(known[name][0]), nan_ok=True)


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_what_is_unexplained_is_named_and_unreferenced(path: Path) -> None:
    root = open_document(path).root
    gaps = [span for span in root.children if span.type == "unknown"]
    assert all(span.name == "unreferenced" for span in gaps)
    assert unexplained(root) < len(path.read_bytes()) / 20


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_joints_and_bone_maps_lead_to_the_bones_that_the_vertices_name(path: Path) -> None:
    model = open_document(path).model
    assert model is not None
    for geometry in model.geometries:
        for lod in geometry.lods:
            if not lod.count:
                continue
            rows = drawn_vertices(model, lod)
            joints = model.vertex_buffers[lod.streams[1]].column("joints")
            base = model.vertex_buffers[lod.streams[0]]
            bones, weights = base.column("bones"), base.column("weights")
            assert joints is not None and bones is not None and weights is not None
            assert geometry.bone_map is not None
            heavy = weights[rows] > 0
            found = np.append(geometry.bone_map, -1)[np.minimum(joints[rows], len(geometry.bone_map))]
            assert (found[heavy] == bones[rows][heavy]).all()
