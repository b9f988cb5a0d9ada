"""What links files: names in any encoding, missing ones, linked skeletons."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ogre_files import (
    NEWEST,
    model_of,
    opened,
    rich_mesh,
)
from tests.ogre_skeletons import (
    NO_TURN,
    bone,
    clip,
    keys,
    rich_skeleton,
    skeleton_bytes,
    track,
    two_bones,
)
from viewer.animation.pose import Layer
from viewer.animation.pose import pose as posed
from viewer.binary import Struct
from viewer.families.ogre import skeleton_layout as skeleton
from viewer.families.ogre.names import BytesName
from viewer.families.ogre.versions import MeshVersion
from viewer.scene.skeleton import Skeleton


@pytest.mark.parametrize("version", list(MeshVersion))
def test_a_mesh_brings_its_skeleton(tmp_path: Path, version: MeshVersion) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    document = opened(tmp_path, rich_mesh(version))
    model = model_of(document)
    assert document.report.complete
    assert model.skeleton is not None
    assert model.skeleton.names == ("root", "tip")
    assert [animation.name for animation in document.animations] == ["bend", "list", "talk"]
    assert model.geometries[0].bone_map.tolist() == [0, 1]  # type: ignore[union-attr]
    assert [each.path for each in document.attached] == [str(tmp_path / "bones.skeleton")]


def test_a_missing_skeleton_leaves_the_mesh_and_says_where_it_was_searched(tmp_path: Path) -> None:
    document = opened(tmp_path, rich_mesh(NEWEST))
    assert model_of(document).skeleton is None
    assert len(model_of(document).geometries) == 1
    (text,) = [text for text in document.report.warnings if "bones.skeleton" in text]
    assert str(tmp_path / "bones.skeleton") in text


@pytest.mark.parametrize("name", ["骨骼", "Ñandú"])
def test_a_name_in_an_old_code_page_finds_its_file(tmp_path: Path, name: str) -> None:
    encoding = "gb18030" if name == "骨骼" else "latin-1"
    link = BytesName.of(f"{name}.skeleton".encode(encoding))
    (tmp_path / f"{name}.skeleton").write_bytes(rich_skeleton())
    assert model_of(opened(tmp_path, rich_mesh(NEWEST, link=link))).skeleton is not None


def test_a_file_whose_name_is_those_very_bytes_is_found(tmp_path: Path) -> None:
    raw = "骨骼.skeleton".encode("gb18030")
    try:
        (tmp_path / BytesName.of(raw).spellings[1]).write_bytes(rich_skeleton())
    except (OSError, UnicodeError):
        pytest.skip("the file system has UTF-8 names only")
    assert model_of(opened(tmp_path, rich_mesh(NEWEST, link=BytesName.of(raw)))).skeleton is not None


def test_a_carriage_return_is_no_part_of_a_name() -> None:
    name = BytesName.of(b"bones.skeleton\r")
    assert name == "bones.skeleton"
    assert name.raw == b"bones.skeleton\r"


def test_a_link_to_something_else_is_said(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(b"nonsense")
    document = opened(tmp_path, rich_mesh(NEWEST))
    assert model_of(document).skeleton is None
    assert any("is not a skeleton" in text for text in document.report.warnings)


def test_an_error_in_the_skeleton_is_one_of_the_mesh_with_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton()[:-9])
    document = opened(tmp_path, rich_mesh(NEWEST))
    assert {error.file for error in document.report.errors} == {str(tmp_path / "bones.skeleton")}
    assert model_of(document).skeleton is not None


def test_animations_of_linked_skeletons_are_played_by_handle(tmp_path: Path) -> None:
    moves = clip("slide", 1.0, track(1, keys((0.0, NO_TURN, (4, 0, 0)))))
    other = skeleton_bytes(bone("other", 0), bone("names", 1), moves, clip("bend", 9.0))
    (tmp_path / "other.skeleton").write_bytes(other)
    document = opened(tmp_path, rich_skeleton(link="other.skeleton"), "own.skeleton")
    clips = {animation.name: animation for animation in document.animations}
    assert list(clips) == ["bend", "list", "slide"]
    assert clips["bend"].duration == 1.0, "its own come first"
    assert clips["slide"].targets == ("tip",)
    assert isinstance(document.content, Skeleton)
    made = posed(document.content, [Layer(clips["slide"], 0.0)])
    assert made.positions[1] == pytest.approx((2, 1, 0)), "translations are scaled by the link"


def test_a_skeleton_that_is_linked_many_times_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "other.skeleton").write_bytes(rich_skeleton())
    links = [(skeleton.LINK, Struct(file="other.skeleton", scale=1.0 + each)) for each in range(40)]
    document = opened(tmp_path, skeleton_bytes(*two_bones(), *links), "own.skeleton")
    assert [each.path for each in document.attached] == [str(tmp_path / "other.skeleton")]
    assert "bend" in [each.name for each in document.animations]


@pytest.mark.parametrize("folder", ["skeleton", "../rigs/deep"])
def test_a_skeleton_is_found_in_the_project(tmp_path: Path, folder: str) -> None:
    meshes = tmp_path / "art/mesh"
    for path in (meshes, meshes.parent / folder, tmp_path / ".git"):
        path.mkdir(parents=True)
    (meshes.parent / folder / "bones.skeleton").write_bytes(rich_skeleton())
    (meshes.parent / folder / "other.skeleton").write_bytes(b"")
    assert model_of(opened(meshes, rich_mesh(NEWEST))).skeleton is not None
