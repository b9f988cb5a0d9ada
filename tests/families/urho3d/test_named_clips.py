"""Animations that are named after a model are for it, and for no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import animation_bytes, model_bytes, track
from viewer.check.checking import check_file
from viewer.families.urho3d.named_clips import named_clips
from viewer.storage.documents import open_document

FOREIGN = animation_bytes("Fly", tracks=[track("wing", [0], position=[[0, 0, 0]])])


@pytest.mark.parametrize(
    ("name", "count"), [("Post_Fly.ani", 1), ("post-fly.ANI", 1), ("Posture.ani", 0), ("Bird_Fly.ani", 0)]
)
def test_a_clip_is_for_the_model_that_it_is_named_after(tmp_path: Path, name: str, count: int) -> None:
    path = tmp_path / "Post.mdl"
    path.write_bytes(model_bytes())
    (tmp_path / name).write_bytes(FOREIGN)
    found = check_file(str(path), select=["animation/no-match"])
    assert len(found) == count and all(each.file == str(tmp_path / name) for each in found)


def test_a_clip_is_for_the_model_with_the_longer_name(tmp_path: Path) -> None:
    for name in ("Post.mdl", "Post_Tall.mdl"):
        (tmp_path / name).write_bytes(model_bytes())
    (tmp_path / "Post_Tall_Fly.ani").write_bytes(FOREIGN)
    assert named_clips(open_document(tmp_path / "Post.mdl")) == ()
    assert named_clips(open_document(tmp_path / "Post_Tall.mdl")) == (str(tmp_path / "Post_Tall_Fly.ani"),)


def test_a_model_without_bones_has_no_clips(tmp_path: Path) -> None:
    path = tmp_path / "Post.mdl"
    path.write_bytes(model_bytes(bones=[]))
    (tmp_path / "Post_Fly.ani").write_bytes(FOREIGN)
    assert named_clips(open_document(path)) == ()
