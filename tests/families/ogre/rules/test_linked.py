"""A linked skeleton that is missing is told once, with the bytes of the link."""

from __future__ import annotations

import struct
from pathlib import Path

from tests.ogre_skeletons import rich_skeleton
from viewer.check.checking import check_file


def test_a_linked_skeleton_that_is_there_is_no_finding(tmp_path: Path) -> None:
    (tmp_path / "far.skeleton").write_bytes(rich_skeleton())
    (tmp_path / "near.skeleton").write_bytes(rich_skeleton(link="far.skeleton"))
    assert check_file(str(tmp_path / "near.skeleton"), select=["animation/missing-link"]) == ()


def test_a_linked_skeleton_that_is_missing_is_told(tmp_path: Path) -> None:
    path = tmp_path / "near.skeleton"
    path.write_bytes(rich_skeleton(link="far.skeleton"))
    found = check_file(str(path), select=["animation/missing-link", "file"])
    assert [each.rule for each in found] == ["animation/missing-link"]
    assert found[0].text.startswith("the linked skeleton 'far.skeleton' is missing; searched ")
    assert found[0].path == "skeleton link" and found[0].offset is not None


def test_a_link_that_is_cut_off_hides_no_other(tmp_path: Path) -> None:
    path = tmp_path / "near.skeleton"
    whole = rich_skeleton(link="f\x00r.skeleton")
    cut = whole[whole.rindex(b"f\x00r.skeleton") - 6 :][:6]
    path.write_bytes(whole + struct.pack("<HI", 0x4100, 6) + cut)
    (found,) = check_file(str(path), select=["animation/missing-link"])
    assert "r.skeleton' is missing" in found.text and found.path.startswith("skeleton link")


def test_a_linked_file_that_is_no_skeleton_is_told(tmp_path: Path) -> None:
    (tmp_path / "far.skeleton").write_bytes(b"else")
    (tmp_path / "near.skeleton").write_bytes(rich_skeleton(link="far.skeleton"))
    (found,) = check_file(str(tmp_path / "near.skeleton"), select=["animation/missing-link"])
    assert found.text.endswith("is not a linked skeleton")
