"""Files and documents are checked by all rules, and findings know where their bytes are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests import ogre_skeletons as ogre
from tests.checked import chain, document_of
from tests.conftest import ROOT
from tests.synthetic import animation_bytes, bone, model_bytes, post, track, write_pair
from viewer.budget import BUDGET
from viewer.check.check_context import CheckContext
from viewer.check.checking import check, check_file
from viewer.errors import ResourceError
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem, KeyItem, TrackItem
from viewer.storage.documents import open_document

ASSETS = ("urho3d/Models/Beacon.mdl", "ogre/models/Linglong.mesh", "m2/Creature/Puff/Puff.m2")


@pytest.mark.usefixtures("wow")
@pytest.mark.parametrize("name", ASSETS)
def test_the_samples_have_notes_at_most(name: str) -> None:
    assert {each.severity for each in check_file(str(ROOT / "assets" / name))} <= {Severity.NOTE}


def test_a_bone_has_its_offset_and_path(tmp_path: Path) -> None:
    path = tmp_path / "Post.mdl"
    path.write_bytes(model_bytes(bones=[bone("base", 0, 0, 0), bone("base", 0, 0.5, 0.5)]))
    (found,) = check_file(str(path), select=["skeleton/duplicate-name"])
    span = open_document(path).root.child("bones").at(found.offset or 0)[-1]
    assert found.path == "bones[0]" and found.offset == span.offset


def test_a_vertex_has_its_offset(tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    vertices, _ = post()
    vertices["normal"][7] = 0
    data = bytearray(path.read_bytes())
    at = data.index(vertices["position"][7].tobytes())
    data[at + 12 : at + 24] = bytes(12)
    path.write_bytes(data)
    (found,) = check_file(str(path), select=["mesh/zero-normal"])
    assert found.offset == at and found.path.endswith("vertices[7]")


def test_errors_come_first(tmp_path: Path) -> None:
    path = tmp_path / "Cut.mdl"
    path.write_bytes(model_bytes()[:-200])
    found = check_file(str(path))
    assert found[0].rule == "bytes/cut-off" and found[0].offset is not None
    assert [each.severity for each in found] == sorted((each.severity for each in found), reverse=True)


def test_a_file_that_cannot_be_read_has_one_finding(tmp_path: Path) -> None:
    path = tmp_path / "other.mdl"
    path.write_bytes(b"glTF and more")
    (found,) = check_file(str(path))
    assert found.rule == "file/unreadable" and found.file == str(path)
    assert check_file(str(path), select=["mesh"]) == ()
    (gone,) = check_file(str(tmp_path / "gone.mdl"))
    assert (gone.rule, gone.effect) == ("file/unreadable", ""), "an engine does not read what is not there"


def test_a_file_of_another_program_is_a_note(tmp_path: Path) -> None:
    path = tmp_path / "key.asc"
    path.write_bytes(b"-----BEGIN PGP SIGNATURE-----")
    (found,) = check_file(str(path))
    assert (found.rule, found.severity) == ("file/foreign", Severity.NOTE)
    assert check_file(str(path), ignore=["file/foreign"]) == ()
    path.with_suffix(".mdl").write_bytes(path.read_bytes())
    assert check_file(str(path.with_suffix(".mdl")))[0].rule == "file/unreadable"


def test_an_unknown_rule_is_refused_before_the_file_is_read(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no rule"):
        check_file(str(tmp_path / "gone.mdl"), select=["nothing"])


def test_a_rule_tells_a_hundred_findings_at_most() -> None:
    names = [f"bone {number // 2}" for number in range(4 * BUDGET.errors)]
    found = check(document_of(chain(*names)))
    assert len(found) == BUDGET.errors + 1 and found[-1].text.endswith(
        f"the first {BUDGET.errors} are listed"
    )


def test_what_rules_share_is_computed_once(tmp_path: Path) -> None:
    context = CheckContext(open_document(write_pair(tmp_path)))
    (surface,) = context.surfaces
    assert len(surface.levels) == 2 and len(surface.rows) == 20
    assert surface.positions is surface.positions and surface.at_rest is surface.at_rest
    assert surface.positions is not None
    assert np.allclose(surface.at_rest[:16], surface.positions[:16])
    assert [clip.name for clip in context.document.animations] == ["Bend"] and context.own_clips == ()


def test_a_given_clip_is_for_the_model_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "clips").mkdir()
    model, other = tmp_path / "Post.mdl", tmp_path / "clips" / "Other.ani"
    model.write_bytes(model_bytes())
    other.write_bytes(animation_bytes("Fly", tracks=[track("wing", [0], position=[[0, 0, 0]])]))
    assert check_file(str(model), select=["animation"]) == ()
    (found,) = check_file(str(model), [str(other)], ["animation"])
    assert found.text == "clip 'Fly': none of 1 track finds a bone; no bone for 'wing'"
    assert found.file == str(other) and found.severity is Severity.ERROR


def test_a_clip_that_is_given_and_lies_beside_the_model_counts_once(tmp_path: Path) -> None:
    model = write_pair(tmp_path)
    beside = model.with_name("Post_Bend.ani")
    beside.write_bytes(
        animation_bytes(tracks=[track(name, [0], position=[[0, 0, 0]]) for name in ("tip", "x")])
    )
    assert len(check_file(str(model), [str(beside)], ["animation"])) == 1


def test_a_given_clip_that_cannot_be_read_is_told_where_it_is_checked(tmp_path: Path) -> None:
    model = write_pair(tmp_path)
    assert check_file(str(model), [str(tmp_path / "gone.ani")], ["animation"]) == ()


def test_a_key_of_a_clip_has_its_offset_and_path(tmp_path: Path) -> None:
    path = tmp_path / "Walk.ani"
    path.write_bytes(animation_bytes(tracks=[track("hip", [0, 1, 0.5], position=[[0, 0, 0]] * 3)]))
    (found,) = check_file(str(path), select=["animation/key-order"])
    document = open_document(path)
    assert found.items == (KeyItem(TrackItem(None, 0), 2), TrackItem(None, 0), AnimationItem(0))
    assert found.path == "tracks[0]/keys/keys[2]"
    assert document.origin.item(found.offset or 0) == found.items[0]


def test_a_clip_of_a_skeleton_has_its_offset(tmp_path: Path) -> None:
    path = tmp_path / "Rig.skeleton"
    keys = ogre.keys((0, ogre.NO_TURN, (0, 0, 0)), (0.5, ogre.NO_TURN, (0, 1, 0)))
    clips = ogre.clip("Still", 1.0), ogre.clip("Walk", 1.0, ogre.track(0, keys))
    path.write_bytes(ogre.skeleton_bytes(*ogre.two_bones(), *clips))
    empty, early = check_file(str(path), select=["animation/no-tracks", "animation/early-end"])
    assert empty.path == "animation[0]" and empty.file == str(path)
    assert early.path.startswith("animation[1]/track[0]/") and early.offset is not None


def test_an_unmatched_track_has_its_bytes_in_the_file_of_the_clip(tmp_path: Path) -> None:
    model, other = write_pair(tmp_path), tmp_path / "Other.ani"
    tracks = [track(name, [0], position=[[0, 0, 0]]) for name in ("tip", "wing")]
    other.write_bytes(animation_bytes("Fly", tracks=tracks))
    (found,) = check_file(str(model), select=["animation/unmatched-track"])
    assert found.file == str(other) and found.path == "tracks[1]"
    span = open_document(other).origin.span(TrackItem(None, 1))
    assert span is not None and found.offset == span.offset
