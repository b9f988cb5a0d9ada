"""Rules for hitboxes fire on models made to break them, and on no sound one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.checked import bound, chain, findings, skinned, texts
from tests.synthetic import bone, model_bytes
from viewer.check.bones.hitboxes import RULES
from viewer.check.checking import check_file
from viewer.scene.items import BoneItem
from viewer.scene.skeleton import Hitbox

ALL = ((1, 0, 0, 0),) * 4


def model(*hitboxes: Hitbox | None) -> Any:
    """A square of 2 × 2 around the bone's origin, all of the first bone."""
    skeleton = chain("hip", "head")
    return skinned(ALL, skeleton=chain("hip", "head", inverse_bind=bound(skeleton), hitboxes=hitboxes))


def box(*corners: Any) -> Hitbox:
    return Hitbox(box=np.array(corners, np.float32))


EXACT = box((-1, -1, 0), (1, 1, 0))


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
@pytest.mark.parametrize("hitbox", [EXACT, Hitbox(radius=1.5), box((-1.2, -1, 0), (1, 1.2, 0.1))])
def test_a_sound_hitbox_has_no_findings(rule: str, hitbox: Hitbox) -> None:
    assert texts(rule, model(hitbox, None)) == []


@pytest.mark.parametrize("rule", [rule.id for rule in RULES])
def test_other_engines_have_no_hitboxes(rule: str) -> None:
    assert texts(rule, model(), format="OGRE mesh") == []


def test_a_bone_with_vertices_and_without_a_hitbox_is_told() -> None:
    (found,) = findings("skeleton/no-hitbox", model(None, EXACT))
    assert found.text == "1 bone that moves vertices has no hitbox: hip" and found.items == (BoneItem(0),)


@pytest.mark.parametrize(
    "hitbox", [box([np.inf] * 3, [-np.inf] * 3), box((0, 0, 0), (0, 0, 0)), Hitbox(radius=np.nan)]
)
def test_a_hitbox_that_the_engine_drops_is_none(hitbox: Hitbox) -> None:
    assert len(texts("skeleton/no-hitbox", model(hitbox, EXACT))) == 1
    assert texts("skeleton/hitbox-far", model(hitbox, EXACT)) == []


@pytest.mark.parametrize(
    ("hitbox", "text"),
    [
        (
            box((3, -1, 0), (4, 1, 0)),
            "the hitboxes of 1 bone do not contain the vertices of their bone: hip; for hip the vertices are "
            "up to 4 (141.4 % of the model) outside",
        ),
        (
            Hitbox(radius=0.25),
            "the hitboxes of 1 bone do not contain the vertices of their bone: hip; for hip the vertices are "
            "up to 0.75 (26.52 % of the model) outside",
        ),
        (
            box((-1, -1, -4), (1, 1, 4)),
            "the hitboxes of 1 bone are far larger than the vertices of their bone: hip; for hip it goes up "
            "to 4 (141.4 % of the model) beyond them",
        ),
    ],
)
def test_a_hitbox_elsewhere_is_told(hitbox: Hitbox, text: str) -> None:
    assert texts("skeleton/hitbox-far", model(hitbox, None)) == [text]


def test_a_bone_that_moves_vertices_by_less_than_half_needs_no_hitbox() -> None:
    skeleton = chain("hip", "head", "jaw")
    spread = skinned(((0.4, 0.3, 0.3, 0),) * 4, ((0, 1, 2, 0),) * 4, skeleton=skeleton)
    assert texts("skeleton/no-hitbox", spread) == []


def test_a_bone_without_a_hitbox_has_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "Post.mdl"
    path.write_bytes(model_bytes(bones=[bone("base", 0, 0, 0), bone("tip", 0, 1, 1)]))
    (found,) = check_file(str(path), select=["skeleton/no-hitbox"])
    assert found.path == "bones[0]" and found.offset is not None
