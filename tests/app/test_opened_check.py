"""An opened document is checked with the documents beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import animation_bytes, model_bytes, track, write_pair
from viewer.app.opened_check import check_opened
from viewer.check.baseline import write_baseline
from viewer.errors import ResourceError
from viewer.scene.document import Document
from viewer.scene.items import AnimationItem
from viewer.storage.documents import open_document


def rules(document: Document, *given: Document) -> set[tuple[str, str]]:
    """The rules that found something, and the names of the files that it is in."""
    clips = (*document.animations, *(clip for each in given for clip in each.animations))
    return {(each.rule, Path(each.file).name) for each in check_opened(document, clips, given)}


def late(path: Path) -> Path:
    """A clip for the post whose last key is behind its end."""
    keys = track("tip", [0.0, 9.0], position=[[0, 1, 0], [0, 2, 0]])
    path.write_bytes(animation_bytes("Late", 1.0, [keys]))
    return path


def test_a_clip_beside_the_model_is_checked_with_it(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    late(tmp_path / "Post_Late.ani")
    document = open_document(path)
    assert ("animation/late-key", "Post_Late.ani") in rules(document)
    (found,) = (each for each in check_opened(document, document.animations) if "late" in each.rule)
    (number,) = (item.number for item in found.items if isinstance(item, AnimationItem))
    assert document.animations[number].name == "Late"


def test_a_clip_that_the_user_opened_is_matched_and_keeps_its_place(tmp_path: Path) -> None:
    (tmp_path / "Post.mdl").write_bytes(model_bytes())
    (tmp_path / "Wrong.ani").write_bytes(
        animation_bytes("Wrong", 1.0, [track("wing", [0], scale=[[1, 1, 1]])])
    )
    document, wrong = open_document(tmp_path / "Post.mdl"), open_document(tmp_path / "Wrong.ani")
    assert ("animation/no-match", "Wrong.ani") in rules(document, wrong)
    found = check_opened(document, wrong.animations, [wrong])[0]
    assert found.rule == "animation/no-match" and found.offset is not None
    assert document.animations == (), "the document stays as it is"


def test_settings_choose_the_rules_of_each_file(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    late(tmp_path / "Post_Late.ani")
    told = {("mesh/too-many-triangles", "Post.mdl"), ("animation/late-key", "Post_Late.ani")}
    (tmp_path / "rigscope.toml").write_text("[limits]\ntriangles = 1")
    assert told <= rules(open_document(path))
    (tmp_path / "rigscope.toml").write_text('[per-path]\n"*.ani" = ["animation"]')
    assert not told & rules(open_document(path))


def test_wrong_settings_are_told(tmp_path: Path) -> None:
    (tmp_path / "rigscope.toml").write_text("limit = 1")
    with pytest.raises(ResourceError, match="no key 'limit'; near: limits"):
        rules(open_document(write_pair(tmp_path)))


def test_what_attached_files_miss_is_told_once(tmp_path: Path) -> None:
    document = open_document(write_pair(tmp_path))
    found = check_opened(document, document.animations)
    assert len(set(found)) == len(found)
    assert [each.severity for each in found] == sorted((each.severity for each in found), reverse=True)


def test_known_findings_are_left_out(tmp_path: Path) -> None:
    document = open_document(write_pair(tmp_path))
    found = check_opened(document, document.animations)
    assert write_baseline(str(tmp_path / "known.json"), found[:1]) == 1
    (tmp_path / "rigscope.toml").write_text('baseline = "known.json"\n')
    assert check_opened(document, document.animations) == found[1:]
