"""Two models with one skeleton: what their parts become. The doors are tested in `tests/commands`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.synthetic import QUAD, model_of, skeleton_of, vertex_buffer
from viewer.animation.pose import rest
from viewer.errors import ResourceError
from viewer.scene.animation import Animation, MorphTrack, ShapeTrack
from viewer.scene.emitter import Emitter
from viewer.scene.material import Material, Texture
from viewer.scene.mesh.uniting import united
from viewer.scene.mesh.vertices import VertexMotion, posed
from viewer.scene.model import Attachment, Light, Lod, Model, Morph, MorphTarget, Shape
from viewer.scene.skeleton import Skeleton

ROWS = np.arange(4)
JOINTS = np.zeros((4, 4), np.uint8)
WHOLE = np.tile(np.array((1, 0, 0, 0), np.float32), (4, 1))


def skinned(joint: int = 0, weight: float = 1.0, **fields: Any) -> Model:
    """A quad that moves with one of two bones."""
    buffer = vertex_buffer(position=QUAD, joints=JOINTS + np.uint8(joint), weights=WHOLE * np.float32(weight))
    return model_of(buffer, skeleton=skeleton_of(2), **fields)


def places(model: Model, *shifts: float) -> list[float]:
    """The height of each quad while bone k is `shifts[k]` higher."""
    skin = np.tile(np.eye(3, 4), (len(shifts), 1, 1))
    skin[:, 1, 3] = shifts
    moves = VertexMotion(skin)
    return [
        float(posed(model, each, each.lods[0], ROWS, moves)[:, 1].mean().round(4))
        for each in model.geometries
    ]


def test_vertices_follow_the_bone_of_the_same_name() -> None:
    other = skinned(1)
    turned = replace(skeleton_of(2), names=("bone 1", "bone 0"))
    made = united(skinned(1), (), replace(other, skeleton=turned), (), "other")
    assert places(made.model, 3, 5) == [5, 3] and not made.note
    assert [each.owner for each in made.model.geometries] == ["", "other"]


@pytest.mark.parametrize("first", [True, False])
def test_a_model_without_bones_stays_where_it_is(first: bool) -> None:
    """Its joints are those of a skeleton that was not found."""
    one, two = skinned(1), replace(skinned(1), skeleton=None)
    made = united(*((two, (), one, ()) if first else (one, (), two, ())), "other")
    assert places(made.model, 3, 5) == ([0, 5] if first else [5, 0])
    assert "no bones" in made.note


@pytest.mark.parametrize("first", [True, False])
def test_vertices_whose_weights_are_all_zero_follow_the_first_bone(first: bool) -> None:
    one, two = skinned(1), skinned(1, weight=0.0)
    made = united(*((two, (), one, ()) if first else (one, (), two, ())), "other")
    assert places(made.model, 3, 5) == ([3, 5] if first else [5, 3])


def test_morphs_of_equal_names_are_one_and_clips_have_the_new_numbers() -> None:
    target = MorphTarget(0, np.array([0], np.uint32), np.ones((1, 3), np.float32))
    model = skinned(morphs=(Morph("smile", (target,)),), shapes=(Shape(0, QUAD),))
    other = replace(model, morphs=(Morph("frown", (target,)), Morph("smile", (target,))))
    times = np.zeros(1)
    track = MorphTrack(np.array([0, 1]), times, np.ones((1, 2)))
    clip = Animation(
        "talk", 1.0, (), morph_tracks=(track,), shape_tracks=(ShapeTrack(0, times, np.array([0])),)
    )
    made = united(model, (Animation("talk", 2.0, ()),), other, (clip,), "other")
    assert [(each.name, [t.buffer for t in each.targets]) for each in made.model.morphs] == [
        ("smile", [0, 1]),
        ("frown", [1]),
    ]
    (talk,) = made.clips
    assert talk.morph_tracks[0].morphs.tolist() == [1, 0] and talk.duration == 2
    assert talk.shape_tracks[0].buffer == 1 and talk.shape_tracks[0].shapes.tolist() == [1]


def test_equal_materials_and_textures_are_one_and_others_of_the_name_stay_apart() -> None:
    cloth, skin = Texture("cloth.png", "/cloth.png"), Texture("skin.png", "/skin.png")
    model = skinned(
        textures=(cloth,), materials=(Material("a", units={"diffuse": 0}),), geometry={"material": 0}
    )
    same = replace(model, textures=(Texture("cloth.png", "/cloth.png"),))
    other = replace(model, textures=(skin,))
    made = united(model, (), same, (), "same").model
    made = united(made, (), other, (), "other").model
    assert [each.path for each in made.textures] == ["/cloth.png", "/skin.png"]
    assert [each.units["diffuse"] for each in made.materials] == [0, 1]
    assert [each.material for each in made.geometries] == [0, 0, 1]


def test_points_follow_the_joined_bones_and_one_without_a_bone_none() -> None:
    zero = (0.0, 0.0, 0.0)
    other = replace(
        skinned(),
        skeleton=replace(skeleton_of(2), names=("bone 1", "hat")),
        attachments=(Attachment(0, "top", 1, zero),),
        lights=(Light("point", -1, zero),),
        emitters=(Emitter("plane", 0, zero, 7, 0),),
    )
    made = united(skinned(), (), other, (), "other").model
    assert made.skeleton is not None and made.skeleton.names == ("bone 0", "bone 1", "hat")
    assert (made.attachments[0].bone, made.lights[0].bone, made.emitters[0].bone) == (2, -1, 1)


def test_levels_of_another_rule_are_left_out_and_told() -> None:
    model = skinned()
    lods = (*model.geometries[0].lods, Lod(9.0, (0,), 0, 0, 3, model.geometries[0].lods[0].primitive))
    other = replace(model, geometries=(replace(model.geometries[0], lods=lods),), lod_strategy="pixels")
    made = united(model, (), other, (), "other")
    assert [len(each.lods) for each in made.model.geometries] == [1, 1] and "level" in made.note


def test_what_one_pose_cannot_move_is_refused() -> None:
    turned = np.diag((1.0, 1.0, -1.0, 1.0))
    shear = replace(skeleton_of(2), sheared=False)
    for other in (replace(skinned(), to_world=turned), replace(skinned(), skeleton=shear)):
        with pytest.raises(ResourceError, match="another engine"):
            united(skinned(), (), other, (), "other")


def test_bones_with_pivots_join_where_their_pivots_agree() -> None:
    def pivoted(*places: float) -> Skeleton:
        """A root and a bone on it, around these pivots."""
        pivots = np.zeros((2, 3))
        pivots[:, 1] = places
        binds = np.tile(np.eye(3, 4), (2, 1, 1))
        binds[:, :, 3] = -pivots
        local = pivots - np.array(((0, 0, 0), pivots[0]))
        chain = np.array((-1, 0), np.int32)
        return replace(skeleton_of(2), parents=chain, positions=local, pivots=pivots, inverse_bind=binds)

    other = replace(skinned(1), skeleton=pivoted(1, 3))
    made = united(replace(skinned(1), skeleton=pivoted(1, 2)), (), other, (), "other")
    assert made.note == "1 of 2 bones without a partner: bone 1" and made.numbers.tolist() == [0, 2]
    assert made.model.skeleton is not None and made.model.skeleton.parents.tolist() == [-1, 0, 0]
    assert np.allclose(rest(made.model.skeleton).skin, np.eye(3, 4)), "it is at rest where it was bound"
