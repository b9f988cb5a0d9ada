from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.animation.bones import CHAIN, same
from viewer.animation.pose import Layer, pose
from viewer.scene.animation import Animation, Track


def _walk() -> Animation:
    """Three bones that move, turn and stretch, with keys of their own."""
    random = np.random.default_rng(5)
    tracks = []
    for bone in "abc":
        for path, width in (("position", 3), ("rotation", 4), ("scale", 3)):
            times = np.sort(random.uniform(0.1, 1.4, 6)).astype(np.float32)
            tracks.append(Track(bone, path, times, random.normal(size=(6, width)).astype(np.float32)))
    return Animation("walk", 1.5, tuple(tracks), ("a", "b", "c"))


WALK = _walk()
LAYERS = st.lists(
    st.builds(
        Layer,
        animation=st.just(WALK),
        time=st.floats(-9, 9),
        weight=st.floats(0, 1),
        additive=st.booleans(),
        looped=st.booleans(),
        start_bone=st.sampled_from([None, 0, 1]),
    ),
    max_size=3,
)


@given(st.lists(LAYERS, min_size=1, max_size=4))
def test_any_time_in_any_order_gives_the_same_pose(layer_lists: list[list[Layer]]) -> None:
    forwards = [pose(CHAIN, layers) for layers in layer_lists]
    backwards = [pose(CHAIN, layers) for layers in reversed(layer_lists)][::-1]
    assert all(map(same, forwards, backwards))


@given(LAYERS)
def test_every_pose_is_finite(layers: list[Layer]) -> None:
    assert np.isfinite(pose(CHAIN, layers).world).all()


@given(LAYERS, st.permutations(range(3)))
def test_the_order_of_the_bones_does_not_matter(layers: list[Layer], order: list[int]) -> None:
    place = np.argsort(order)
    shuffled = replace(
        CHAIN,
        names=tuple(CHAIN.names[bone] for bone in order),
        parents=np.array([place[bone - 1] if bone else -1 for bone in order], np.int32),
    )
    moved = [
        replace(layer, start_bone=None if layer.start_bone is None else int(place[layer.start_bone]))
        for layer in layers
    ]
    assert np.allclose(pose(shuffled, moved).world[place], pose(CHAIN, layers).world, atol=1e-9)


@given(st.floats(-9, 9), st.floats(0, 1), st.booleans())
def test_full_bone_weights_equal_none(time: float, weight: float, additive: bool) -> None:
    layer = Layer(WALK, time, weight, additive)
    weighted = replace(layer, bone_weights=np.ones(3))
    assert np.allclose(pose(CHAIN, [layer]).world, pose(CHAIN, [weighted]).world, atol=1e-12)
