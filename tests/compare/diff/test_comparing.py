"""Two documents compared: versions, kinds of content, bounds, and files that could not be found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import m2_files
from tests.compared_files import NEAR, compared, lines, opened
from tests.ogre_files import rich_mesh
from tests.ogre_skeletons import rich_skeleton
from tests.synthetic import animation_bytes, model_bytes, model_record
from viewer.compare.diff.comparing import compare
from viewer.errors import FormatError
from viewer.families.ogre.versions import MeshVersion
from viewer.families.urho3d.model_layout import AABB
from viewer.storage.documents import open_document


def test_equal_bytes_are_the_same(tmp_path: Path) -> None:
    found = compared(tmp_path, model_bytes(), model_bytes())
    assert found.same and found.summary == "same bytes"


def test_another_version_of_the_same_model_differs_in_its_version_alone(tmp_path: Path) -> None:
    found = compared(tmp_path, model_bytes("UMD2", morphs=[]), model_bytes("UMD3", morphs=[]))
    assert lines(found) == ["version changed version: Urho3D model UMD2 → Urho3D model UMD3 version 2"]
    assert found.summary == "same picture and motion, different: version"


@pytest.mark.parametrize("version", list(MeshVersion)[2:])
def test_an_upgraded_mesh_is_the_same_mesh(version: MeshVersion, tmp_path: Path) -> None:
    found = compared(tmp_path, rich_mesh(version), rich_mesh(MeshVersion.V1_100, ">"), "square.mesh")
    assert {each.group.word for each in found.found} <= {"version", "bounds", "geometries", "morphs"}
    assert "version" in found.summary


def test_the_bounds_differ(tmp_path: Path) -> None:
    bounds = np.zeros((), AABB)
    bounds["min"], bounds["max"] = (-0.1, 0, -0.1), (0.1, 3, 0.1)
    found = compared(tmp_path, model_bytes(), model_bytes(bounds=bounds))
    assert lines(found) == ["bounds changed bounds: a corner moved by 2"] and found.minor


def test_bytes_without_a_known_meaning_are_noted(tmp_path: Path) -> None:
    found = compared(tmp_path, animation_bytes() + b"\1\2", animation_bytes() + b"\1\3", "Bend.ani")
    assert found.summary == "same meaning, 1 byte differs"
    assert found.notes == ("1 part of unknown meaning differs",)


def test_contents_of_other_kinds_are_told(tmp_path: Path) -> None:
    one, other = opened(tmp_path, model_bytes(), "a.mdl"), opened(tmp_path, animation_bytes(), "a.ani")
    assert lines(compare(one, other)) == ["content changed content: a model → an animation"]


def test_bones_that_were_not_found_are_not_compared(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "bones.skeleton").write_bytes(rich_skeleton())
    (tmp_path / "one" / "square.mesh").write_bytes(rich_mesh(MeshVersion.V1_100))
    one = open_document(str(tmp_path / "one" / "square.mesh"), NEAR)
    other = opened(tmp_path, rich_mesh(MeshVersion.V1_100), "square.mesh", NEAR)
    for pair in ((one, other), (other, one)):
        found = compare(*pair)
        assert found.same and any("bones.skeleton was not found" in note for note in found.notes)


def test_a_view_that_was_not_found_is_not_compared(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "Made.m2").write_bytes(m2_files.model(m2_files.WRATH))
    (tmp_path / "one" / "Made00.skin").write_bytes(m2_files.skin())
    one = open_document(str(tmp_path / "one" / "Made.m2"), NEAR)
    other = opened(tmp_path, m2_files.model(m2_files.WRATH), "Made.m2", NEAR)
    for pair in ((one, other), (other, one)):
        found = compare(*pair)
        assert found.same and any(note.startswith("geometries are not compared") for note in found.notes)


@pytest.mark.parametrize("generation", m2_files.GENERATIONS)
def test_generations_of_one_model_are_compared(generation: m2_files.VersionTraits, tmp_path: Path) -> None:
    found = compared(tmp_path, m2_files.model(), m2_files.model(generation), "Made.m2")
    assert {each.group.word for each in found.found} <= {"version", "animations", "effects", "bones"}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["Post.mdl", "Bend.ani", "square.mesh", "bones.skeleton", "Made.m2"])
def test_damaged_files_are_compared_without_errors(name: str, seed: int, tmp_path: Path) -> None:
    whole = {
        "Post.mdl": model_bytes(),
        "Bend.ani": animation_bytes(),
        "square.mesh": rich_mesh(MeshVersion.V1_100),
        "bones.skeleton": rich_skeleton(),
        "Made.m2": m2_files.model(),
    }[name]
    random = np.random.default_rng(seed)
    damaged = np.frombuffer(whole, np.uint8).copy()
    damaged[random.integers(40, len(damaged), 12)] = random.choice([0, 127, 128, 255], 12)
    try:
        other = opened(tmp_path, damaged.tobytes(), name)
    except FormatError:
        return
    one = opened(tmp_path, whole, name)
    for pair in ((one, other), (other, one)):
        assert compare(*pair).unequal_bytes
        assert compare(*pair, 0).unequal_bytes


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((1, 1, -1), "the Z axis is mirrored"),
        ((0.01, 0.01, 0.01), "the unit is 100 times as large"),
    ],
)
def test_a_mirrored_or_scaled_copy_is_different_and_a_note_says_why(
    change: tuple[float, ...], told: str, tmp_path: Path
) -> None:
    record = model_record()
    vertices = record.vertex_buffers[0].vertices
    vertices["position"] *= (1, 2, 3)
    vertices["position"] += (0, 0, 0.3)
    one = model_bytes(vertex_buffers=record.vertex_buffers)
    vertices["position"] *= change
    found = compared(tmp_path, one, model_bytes(vertex_buffers=record.vertex_buffers))
    assert not found.same
    assert found.notes == (
        f"vertices nearly match apart from a change of axes or unit: in the second file {told}",
    )
