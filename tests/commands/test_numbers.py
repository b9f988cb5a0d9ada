"""What the verbs say of the numbers and names that a file holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.lib.recfunctions as rfn
import pytest

from tests import m2_files, ogre_skeletons
from tests.blp_files import blp2
from tests.ogre_files import level, lods, pose, rich_mesh, rows, simple
from tests.synthetic import VERTEX, model_bytes, model_record
from viewer.binary import Struct, stream
from viewer.commands.cli import main
from viewer.families.ogre import extras_layout as extras
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.ogre import skeleton_layout as skeletons
from viewer.families.ogre.versions import MeshVersion
from viewer.families.urho3d.model_layout import MODEL

CUT = 0x103 + 5
"""A place among the indices of the first submesh of `rich_mesh`."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))


def rules_of(capsys: Any, *words: str) -> set[str]:
    """The rules of the findings of `check`."""
    main(["check", *words, "--json"])
    return {each["rule"] for each in json.loads(capsys.readouterr().out)["findings"]}


def test_no_rule_speaks_of_points_that_the_program_made(capsys: Any) -> None:
    Path("c.mesh").write_bytes(rich_mesh(MeshVersion.V1_100)[:CUT])
    Path("c.mdl").write_bytes(model_bytes()[:900])
    found = rules_of(capsys, "c.mesh", "c.mdl")
    assert "bytes/cut-off" in found and not {rule for rule in found if rule.startswith(("mesh/", "weights/"))}


def info(capsys: Any, *words: str) -> str:
    """What `info` prints."""
    main(["info", *words])
    return str(capsys.readouterr().out)


def test_a_geometry_without_weights_has_no_skin(capsys: Any) -> None:
    whole, other = model_record(morphs=[]), model_record()
    (bare,) = other.vertex_buffers
    kept = [name for name in VERTEX.names or () if name not in ("weights", "joints")]
    bare.vertices, bare.elements = rfn.repack_fields(bare.vertices[kept]), bare.elements[:3]
    bare.morph_count = 0
    (second,) = other.geometries
    second.lods["vertex_buffer"], second.bone_map = 1, np.empty(0, "<u4")
    whole.vertex_buffers.append(bare)
    whole.geometries.append(second)
    whole.centers = np.zeros((2, 3), "<f4")
    Path("two.mdl").write_bytes(MODEL.pack(whole))
    rows = [line.split() for line in info(capsys, "two.mdl").splitlines() if " geometry " in line]
    assert [row[-4:] for row in rows] == [["2", "bones", "no", "material"], ["10", "none", "no", "material"]]


def edges(level: int, vertex_set: int) -> tuple[Any, Struct]:
    """An edge list of one empty group."""
    group = Struct(vertex_set=vertex_set, first_triangle=0, triangle_count=0, edges=np.empty(0, mesh.EDGE))
    one = Struct(
        level=level,
        manual=0,
        closed=1,
        triangle_count=0,
        group_count=1,
        triangles=np.empty(0, mesh.TRIANGLE),
        chunks=stream((mesh.EDGE_GROUP, group)),
    )
    return mesh.EDGE_LISTS, Struct(chunks=stream((mesh.EDGE_LIST, one)))


def extremes(submesh: int) -> tuple[Any, Struct]:
    """One outermost point."""
    return extras.EXTREMES, Struct(declared=20, submesh=submesh, points=np.zeros((1, 3), "<f4"))


def named(submesh: int) -> tuple[Any, Struct]:
    """A table of one name."""
    return mesh.NAMES, Struct(chunks=stream((mesh.SUBMESH_NAME, Struct(submesh=submesh, name="square"))))


def poses(target: int) -> tuple[Any, Struct]:
    """One pose."""
    shape = pose("up", MeshVersion.V1_100, target=target)
    return extras.POSES, Struct(chunks=stream((extras.POSE_SHAPE, shape)))


def talking(target: int, number: int) -> tuple[Any, Struct]:
    """A clip of one key with one pose."""
    influences = stream((extras.INFLUENCES, rows(extras.INFLUENCES, (number, 1.0))))
    key = (extras.POSE_KEY, Struct(time=0.0, chunks=influences))
    track = Struct(kind=extras.POSE, target=target, chunks=stream(key))
    clip = Struct(name="talk", length=2.0, chunks=stream((extras.VERTEX_TRACK, track)))
    return extras.ANIMATIONS, Struct(chunks=stream((extras.VERTEX_ANIMATION, clip)))


@pytest.mark.parametrize(
    ("good", "bad", "text"),
    [
        ([extremes(0)], [extremes(77)], "extremes of submesh 77 of 1 submesh"),
        ([edges(0, 0)], [edges(0, 42)], "an edge list of vertex set 42 of 1 vertex set"),
        ([edges(0, 0)], [edges(1, 0)], "an edge list of level 1 of 1 level"),
        ([named(0)], [named(99), named(0)], "a name of submesh 99 of 1 submesh"),
        ([poses(1)], [poses(0)], "a pose moves target 0, which has no geometry"),
        ([poses(1)], [poses(77)], "a pose moves target 77, which has no geometry"),
        (
            [poses(1), talking(1, 0)],
            [poses(1), talking(77, 0)],
            "a track moves target 77, which has no geometry",
        ),
        (
            [poses(1), talking(1, 0)],
            [poses(1), talking(1, 1)],
            "a track has influences of pose 1; there are 1 poses",
        ),
    ],
)
def test_a_number_that_refers_to_nothing_is_an_error(good: Any, bad: Any, text: str, capsys: Any) -> None:
    Path("good.mesh").write_bytes(simple(*good))
    Path("bad.mesh").write_bytes(simple(*bad))
    assert "mesh/number" not in rules_of(capsys, "good.mesh")
    assert main(["check", "bad.mesh"]) == 1
    assert f"error mesh/number: {text}" in capsys.readouterr().out


def test_a_morph_of_missing_vertices_is_an_error(capsys: Any) -> None:
    record = model_record()
    record.morphs[0].targets[0].records["vertex"][1] = 99
    Path("a.mdl").write_bytes(MODEL.pack(record))
    assert main(["check", "a.mdl"]) == 1
    found = "error mesh/number: morph 'taller': 1 deltas move vertices that are not in buffer 0"
    assert found in capsys.readouterr().out


def test_a_cut_mesh_has_no_findings_about_parts_that_it_may_have_lost(capsys: Any) -> None:
    Path("c.mesh").write_bytes(rich_mesh(MeshVersion.V1_100)[:CUT])
    assert "mesh/number" not in rules_of(capsys, "c.mesh")


@pytest.mark.parametrize(("encoding", "told"), [(1, True), (3, False)])
def test_a_picture_with_a_palette_needs_all_levels(encoding: int, told: bool, capsys: Any) -> None:
    size = 1 if encoding == 1 else 4
    levels = [bytes(8 * size), bytes(2 * size), bytes(size)]
    Path("all.blp").write_bytes(blp2(encoding, 0, 8, levels, 4, 2))
    Path("two.blp").write_bytes(blp2(encoding, 0, 8, levels[:2], 4, 2))
    assert "texture/missing-mips" not in rules_of(capsys, "all.blp")
    assert ("texture/missing-mips" in rules_of(capsys, "two.blp")) is told


def test_a_picture_with_a_palette_may_have_a_single_level(capsys: Any) -> None:
    Path("one.blp").write_bytes(blp2(1, 0, 8, [bytes(8)], 4, 2))
    assert "texture/missing-mips" not in rules_of(capsys, "one.blp")


def skeleton(cumulative: bool, *moved: int) -> bytes:
    """Two bones, and a clip for each number of `moved`, which keys the bone with this number."""
    mode = (skeletons.BLEND_MODE, Struct(mode=int(cumulative)))
    clips = [
        ogre_skeletons.clip(
            f"clip {place}",
            1.0,
            ogre_skeletons.track(bone, ogre_skeletons.keys((0, ogre_skeletons.NO_TURN, (0, 0, 1)))),
        )
        for place, bone in enumerate(moved)
    ]
    return ogre_skeletons.skeleton_bytes(mode, *ogre_skeletons.two_bones(), *clips)


def test_clips_of_a_cumulative_skeleton_that_key_the_same_bone_are_told(capsys: Any) -> None:
    Path("both.skeleton").write_bytes(skeleton(True, 0, 0))
    assert main(["check", "both.skeleton"]) == 0
    text = "note animation/added-clips: clips 'clip 0', 'clip 1' of a cumulative skeleton key 1 bone: "
    assert text in capsys.readouterr().out
    Path("apart.skeleton").write_bytes(skeleton(True, 0, 1))
    Path("average.skeleton").write_bytes(skeleton(False, 0, 0))
    assert "animation/added-clips" not in rules_of(capsys, "apart.skeleton", "average.skeleton")


def test_a_mesh_that_is_named_as_another_format_is_told(capsys: Any) -> None:
    Path("a.m2").write_bytes(simple())
    Path("a.mesh").write_bytes(simple())
    Path("a.new").write_bytes(simple())
    main(["check", "a.m2", "--select", "name/suffix"])
    text = "the file is named .m2, as files of WoW M2 model are, but it is OGRE mesh"
    assert f"warning name/suffix: {text}" in capsys.readouterr().out
    assert rules_of(capsys, "a.mesh", "a.new", "--select", "name/suffix") == set()


@pytest.mark.parametrize(
    ("strategy", "kind", "unit"),
    [
        ("PixelCount", "pixels", "pixels"),
        ("pixel_count", "pixels", "pixels"),
        ("screen_ratio_pixel_count", "screen", "screen ratio"),
        ("distance_box", "distance", "distance"),
        ("moon_phase", "unknown", "value of an unknown strategy"),
    ],
)
def test_levels_are_named_by_their_strategy(strategy: str, kind: str, unit: str, capsys: Any) -> None:
    levels = lods(MeshVersion.V1_100, level(MeshVersion.V1_100, 40000.0), strategy=strategy)
    Path("a.mesh").write_bytes(simple(levels))
    lines = info(capsys, "a.mesh").splitlines()
    head = next(line for line in lines if "levels from" in line)
    assert f"levels from {unit} " in head and " 0 40000 " in lines[lines.index(head) + 1]
    (geometry,) = json.loads(info(capsys, "a.mesh", "--json"))["geometries"]
    known = 40000.0 if kind == "distance" else None
    assert geometry["strategy"] == kind
    assert [(each["distance"], each["value"]) for each in geometry["lods"]][1] == (known, 40000.0)


def test_a_difference_says_that_the_strategy_changed(capsys: Any) -> None:
    for name, strategy, value in (("a", "Distance", 100.0), ("b", "PixelCount", 900.0)):
        levels = lods(MeshVersion.V1_100, level(MeshVersion.V1_100, value), strategy=strategy)
        Path(f"{name}.mesh").write_bytes(simple(levels))
    assert main(["diff", "a.mesh", "b.mesh"]) == 1
    told = capsys.readouterr().out
    assert "levels of detail by distance → by pixels" in told and "100 → 900" not in told


def test_manual_levels_by_pixels_begin_with_the_finest(capsys: Any) -> None:
    Path("far.mesh").write_bytes(simple())
    manual = [(extras.MANUAL, Struct(value=value, mesh="far.mesh")) for value in (900.0, 100.0)]
    Path("a.mesh").write_bytes(simple(lods(MeshVersion.V1_100, *manual, strategy="PixelCount")))
    (geometry,) = json.loads(info(capsys, "a.mesh", "--json"))["geometries"]
    assert [each["value"] for each in geometry["lods"]] == [0, 900, 100]


@pytest.mark.parametrize(("cumulative", "mode"), [(True, "cumulative"), (False, "average")])
def test_info_says_the_blend_mode(cumulative: bool, mode: str, capsys: Any) -> None:
    Path("a.skeleton").write_bytes(skeleton(cumulative, 0))
    Path("a.mdl").write_bytes(model_bytes())
    assert f"  blend mode {mode}" in info(capsys, "a.skeleton").splitlines()
    assert json.loads(info(capsys, "a.skeleton", "--json"))["blend_mode"] == mode
    assert json.loads(info(capsys, "a.mdl", "--json"))["blend_mode"] is None


def strayed(view: dict[str, Any], id: int) -> dict[str, Any]:
    """A view whose submeshes have this geoset, and indices past its own."""
    submeshes = [each | {"id": id, "index_start": 600} for each in view["submeshes"]]
    return view | {"submeshes": submeshes}


@pytest.mark.parametrize(
    ("views", "parts"),
    [
        ([m2_files.view()], 2),
        ([m2_files.view(), strayed(m2_files.view(), 900)], 2),
        ([m2_files.view(), strayed(m2_files.view(), 702)], 2),
        ([strayed(m2_files.view(), 0)], 0),
        ([m2_files.view(), m2_files.view() | {"batches": []}], 4),
    ],
)
def test_parts_without_triangles_of_a_view_that_does_not_fit_are_no_parts(
    views: list[dict[str, Any]], parts: int, capsys: Any
) -> None:
    """Submeshes with other batches are parts of their own. The last view fits, and its parts stay."""
    Path("a.m2").write_bytes(m2_files.model(views=views))
    facts = json.loads(info(capsys, "a.m2", "--json"))
    assert len(facts["geometries"]) == parts
    misfit = any(submesh.get("index_start") == 600 for view in views for submesh in view["submeshes"])
    assert any("exceed the view's" in text for text in facts["warnings"]) is misfit
