"""Rules for the bones of a vertex fire on meshes made to break them, and on no sound one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import ogre_files as mesh_files
from tests import ogre_skeletons as ogre
from tests.checked import TURNED, chain, clip, findings, nod, skinned, texts, track
from viewer.check.bones.influences import RULES
from viewer.check.checking import check_file
from viewer.check.limits import Limits
from viewer.errors import NeededFile
from viewer.families.ogre import mesh_layout as mesh
from viewer.scene.animation import Animation
from viewer.scene.items import BoneItem, GeometryItem, VertexItem

TWO = (0.75, 0.25, 0, 0)
BONES = chain("a", "b")


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_sound_influences_have_no_findings(rule: str) -> None:
    assert texts(rule, skinned((TWO,) * 4), clip(nod("a"), nod("b"))) == []


def test_more_bones_than_chosen_are_told_with_the_dropped_weight() -> None:
    model = skinned((TWO, (1, 0, 0, 0), TWO, (1, 0, 0, 0)))
    (found,) = findings("weights/dropped-influence", model, limits=Limits(influences=1))
    assert found.text == (
        "2 of 4 vertices of only (first #0) follow more than 1 bone, up to 2: up to 25 % of the weight is "
        "dropped"
    )
    assert found.items == (VertexItem(0, 0), VertexItem(0, 2), GeometryItem(0))


def test_the_distance_of_a_vertex_is_measured_in_the_clips() -> None:
    lifted = track("b", "position", (0, 1), ((0, 3, 0), (0, 3, 0)))
    found = findings(
        "weights/dropped-influence",
        skinned((TWO,) * 4, skeleton=BONES),
        clip(lifted),
        limits=Limits(influences=1),
    )
    assert found[0].text.endswith(
        "is dropped, and a vertex is off by 0.75, 26.52 % of the model (clip 'Walk' at 0 s)"
    )


def crowded(folder: Path, *weights: float) -> str:
    """An OGRE square whose third vertex has these weights, of as many bones."""
    bones = [ogre.bone(f"b{number}", number, (0, number, 0)) for number in range(len(weights))]
    turned = ogre.keys((0.0, ogre.NO_TURN, (0, 0, 0)), (1.0, ogre.HALF_TURN, (0, 0, 0)))
    bend = ogre.clip("bend", 1.0, ogre.track(len(weights) - 1, turned))
    (folder / "rig.skeleton").write_bytes(ogre.skeleton_bytes(*bones, bend))
    single = [(0, 0, vertex, 0, 1.0) for vertex in (0, 1, 3)]
    many = [(0, 0, 2, bone, weight) for bone, weight in enumerate(weights)]
    assigned = (
        mesh.OWN_ASSIGNMENTS,
        mesh_files.rows(mesh.OWN_ASSIGNMENTS, *(row[2:] for row in single + many)),
    )
    square = mesh_files.submesh(mesh_files.declared_geometry(), assigned)
    link: Any = (mesh.SKELETON_LINK, mesh_files.Struct(file="rig.skeleton"))
    path = folder / "square.mesh"
    path.write_bytes(mesh_files.mesh_bytes(mesh_files.NEWEST, (mesh.SUBMESH, square), link))
    return str(path)


def test_the_assignments_that_ogre_drops_are_told(tmp_path: Path) -> None:
    (found,) = check_file(crowded(tmp_path, 0.3, 0.2, 0.2, 0.2, 0.1), select=["weights/dropped-influence"])
    start = "1 of 4 vertices of submesh 0 (first #2) follow more than 4 bones, up to 5: up to 10 % of the"
    assert found.text.startswith(start) and "(clip 'bend' at 0.75 s)" in found.text
    assert found.path == "mesh/submesh" and found.offset is not None


def test_four_assignments_and_a_dropped_trifle_are_no_finding(tmp_path: Path) -> None:
    for weights in ((0.4, 0.2, 0.2, 0.2), (0.4, 0.2, 0.2, 0.2, 0.00001)):
        assert check_file(crowded(tmp_path, *weights), select=["weights/dropped-influence"]) == ()


def test_a_bone_that_no_clip_moves_is_told() -> None:
    (found,) = findings(
        "weights/still-bone", skinned((TWO,) * 4, ((2, 1, 0, 0),) * 4, skeleton=FORK), nodding()
    )
    assert found.text == "1 of 2 bones that move vertices never move in 1 clip: b"
    assert found.items == (BoneItem(1),)


FORK = chain("a", "b", "c", parents=np.array((-1, 0, 0), np.int32))
"""Two bones below a root."""


def nodding() -> Animation:
    return clip(nod("c"))


@pytest.mark.parametrize(
    "clips",
    [
        (),
        (clip(nod("a")),),
        (clip(nod("c")), clip(track("b", "rotation", (0,), (TURNED,)))),
        (clip(nod("c")), Animation("Far", 1.0, (), missing_file=NeededFile("animation", "Far.anim"))),
        (clip(track("c", "position", (0, 1), ((0, 1, 0),) * 2)),),
    ],
    ids=["no clip", "the parent moves", "a clip holds it", "a clip is not there", "nothing moves"],
)
def test_a_bone_that_may_move_is_not_told(clips: tuple[Animation, ...]) -> None:
    model = skinned((TWO,) * 4, ((2, 1, 0, 0),) * 4, skeleton=FORK)
    assert texts("weights/still-bone", model, *clips) == []


def test_a_root_may_stand_still() -> None:
    assert texts("weights/still-bone", skinned((TWO,) * 4, skeleton=BONES), clip(nod("b"))) == []
