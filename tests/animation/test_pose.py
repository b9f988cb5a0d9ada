from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.bones import CHAIN, same, skeleton_of, still, turn
from viewer.animation.pose import Layer, pose, rest
from viewer.errors import ResourceError, ViewerError
from viewer.scene.maths import IDENTITY, compose, invert, quaternion_product, slerp, transform, trs_matrix

MOVE = still(a_position=(5, 0, 0), b_position=(0, 7, 0))


def test_without_layers_it_is_the_rest_pose() -> None:
    made = rest(CHAIN)
    assert np.allclose(made.positions, CHAIN.positions)
    assert np.allclose(made.rotations, CHAIN.rotations)
    local = trs_matrix(made.positions, made.rotations, made.scales)
    assert np.allclose(made.world[2], compose(compose(local[0], local[1]), local[2]))


def test_skin_is_world_where_there_is_no_inverse_bind() -> None:
    made = rest(CHAIN)
    assert (made.skin == made.world).all()


def test_the_bind_pose_skins_to_identity() -> None:
    bound = replace(CHAIN, inverse_bind=invert(rest(CHAIN).world).astype(np.float32))
    assert np.allclose(rest(bound).skin, IDENTITY, atol=1e-6)


def test_skin_moves_what_is_bound_to_a_bone_as_the_bone_moves() -> None:
    bound = replace(CHAIN, inverse_bind=invert(rest(CHAIN).world))
    tip = transform(rest(CHAIN).world[2], np.array([1.0, 0, 0]))
    made = pose(bound, [Layer(MOVE, 0.0)])
    assert np.allclose(transform(made.skin[2], tip), transform(made.world[2], np.array([1.0, 0, 0])))


def test_a_track_replaces_its_channel_and_leaves_the_others_at_rest() -> None:
    made = pose(CHAIN, [Layer(MOVE, 0.0)])
    assert made.positions.tolist() == [[5, 0, 0], [0, 7, 0], [1, 0, 0]]
    assert np.allclose(made.rotations, CHAIN.rotations)


def test_scales_are_posed() -> None:
    made = pose(CHAIN, [Layer(still(b_scale=(1, 2, 3)), 0.0)])
    assert made.scales.tolist() == [[1, 1, 1], [1, 2, 3], [1, 1, 1]]


def test_a_scaled_parent_stretches_its_children() -> None:
    straight = replace(CHAIN, rotations=np.tile(np.array([0, 0, 0, 1], np.float32), (3, 1)))
    made = pose(straight, [Layer(still(a_scale=(2, 1, 1)), 0.0)])
    assert made.world[2, :, 3].tolist() == [5, 0, 0]


def test_names_match_without_regard_to_case() -> None:
    made = pose(CHAIN, [Layer(still(B_position=(0, 7, 0)), 0.0)])
    assert made.positions[1].tolist() == [0, 7, 0]


def test_weight_mixes_from_the_rest_pose() -> None:
    made = pose(CHAIN, [Layer(still(a_position=(5, 0, 0), a_rotation=turn(50)), 0.0, weight=0.25)])
    assert np.allclose(made.positions[0], (2, 0, 0))
    assert np.allclose(made.rotations[0], turn(20))


def test_a_later_layer_mixes_from_what_the_earlier_ones_made() -> None:
    layers = [Layer(MOVE, 0.0), Layer(still(a_position=(9, 0, 0)), 0.0, weight=0.5)]
    assert pose(CHAIN, layers).positions[:2].tolist() == [[7, 0, 0], [0, 7, 0]]


def test_a_layer_without_weight_changes_nothing() -> None:
    layers = [Layer(MOVE, 0.0), Layer(still(a_position=(9, 0, 0), a_rotation=turn(90)), 0.0, weight=0.0)]
    assert np.allclose(pose(CHAIN, layers).world, pose(CHAIN, layers[:1]).world, atol=1e-12)


def test_bone_weights_multiply_the_weight() -> None:
    layer = Layer(MOVE, 0.0, weight=0.5, bone_weights=np.array([0.5, 0.0, 1.0]))
    assert np.allclose(pose(CHAIN, [layer]).positions, [[2, 0, 0], [1, 0, 0], [1, 0, 0]])


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_an_additive_layer_adds_its_difference_from_rest(weight: float) -> None:
    lifted = Layer(still(a_position=(1, 8, 0), a_rotation=turn(40), a_scale=(3, 3, 3)), 0.0, weight, True)
    base = Layer(still(a_position=(4, 0, 0), a_rotation=turn(90), a_scale=(2, 2, 2)), 0.0)
    made = pose(CHAIN, [base, lifted])
    assert np.allclose(made.positions[0], (4, 8 * weight, 0))
    assert np.allclose(made.rotations[0], turn(90 + 30 * weight))
    assert np.allclose(made.scales[0], 2 + 2 * weight)


def test_an_additive_rotation_is_applied_in_the_space_of_the_parent() -> None:
    sideways = np.array([np.sin(0.3), 0, 0, np.cos(0.3)])
    made = pose(
        CHAIN,
        [
            Layer(still(a_rotation=sideways), 0.0),
            Layer(still(a_rotation=quaternion_product(turn(30), turn(10))), 0.0, additive=True),
        ],
    )
    assert np.allclose(made.rotations[0], quaternion_product(turn(30), sideways), atol=1e-6)


def test_an_additive_rotation_comes_out_normalised() -> None:
    long = still(a_rotation=3 * turn(40))
    made = pose(CHAIN, [Layer(long, 0.0, additive=True)])
    assert np.linalg.norm(made.rotations[0]) == pytest.approx(1)


def test_a_start_bone_keeps_the_bones_above_it_still() -> None:
    made = pose(CHAIN, [Layer(MOVE, 0.0, start_bone=1)])
    assert made.positions.tolist() == [[1, 0, 0], [0, 7, 0], [1, 0, 0]]


@pytest.mark.parametrize("bone", [-1, 3])
def test_a_start_bone_that_does_not_exist_is_refused(bone: int) -> None:
    with pytest.raises(ResourceError, match=f"no bone {bone}"):
        pose(CHAIN, [Layer(MOVE, 0.0, start_bone=bone)])


def test_only_the_subtree_of_the_skeleton_root_moves() -> None:
    two = skeleton_of([-1, 0, -1, 2], root=2)
    everywhere = still(a_position=(9, 0, 0), b_position=(9, 0, 0), c_position=(9, 0, 0), d_position=(9, 0, 0))
    assert pose(two, [Layer(everywhere, 0.0)]).positions[:, 0].tolist() == [1, 1, 9, 9]


def test_a_composition_without_a_rule_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.animation.pose.COMPOSITIONS", {})
    with pytest.raises(ViewerError, match="cannot be posed"):
        pose(CHAIN, [Layer(MOVE, 0.0)])


def test_a_clip_that_matches_nothing_leaves_the_rest_pose() -> None:
    assert same(pose(CHAIN, [Layer(still(z_position=(9, 9, 9)), 0.3)]), rest(CHAIN))


@pytest.mark.usefixtures("any_numbers")
def test_infinite_numbers_of_a_damaged_file_are_no_error() -> None:
    wild = replace(CHAIN, positions=np.array([[np.inf, 0, 0], [np.nan, 0, 0], [3e38, 0, 0]], np.float32))
    assert not np.isfinite(pose(wild, [Layer(MOVE, 0.0, additive=True)]).world).all()


def test_no_bones_are_an_empty_pose() -> None:
    assert pose(skeleton_of([]), [Layer(MOVE, 0.0)]).skin.shape == (0, 3, 4)


def test_changing_a_pose_does_not_change_the_next() -> None:
    rest(CHAIN).positions[:] = 99
    assert rest(CHAIN).positions[0, 0] == 1


def test_nothing_keeps_a_skeleton_or_a_clip_alive() -> None:
    skeleton, clip = skeleton_of([-1, 0]), still(a_position=(1, 2, 3))
    pose(skeleton, [Layer(clip, 0.0, start_bone=0)])
    skeleton_left, clip_left = weakref.ref(skeleton), weakref.ref(clip)
    del clip
    gc.collect()
    assert clip_left() is None
    del skeleton
    gc.collect()
    assert skeleton_left() is None


def test_a_cross_fade_takes_the_slerp_of_both() -> None:
    first, second = still(a_rotation=turn(20)), still(a_rotation=(np.sin(0.4), 0, 0, np.cos(0.4)))
    made = pose(CHAIN, [Layer(first, 0.0), Layer(second, 0.0, weight=0.3)])
    wanted = slerp(turn(20), np.array([np.sin(0.4), 0, 0, np.cos(0.4)]), np.array([0.3]))
    assert np.allclose(made.rotations[0], wanted, atol=1e-6)
