"""The pose of a skeleton: a pure function of animation layers and their times.

Every evaluation starts from the rest pose, so any time may be asked for in any order.
Source: Urho3D `AnimationState::Apply`, `Skeleton::Reset`; OGRE `Skeleton::setAnimationState`. The bones of M2
turn around pivots: its rest pose is made of those, so that a bone's skin matrix is its parent's times
T(pivot)·T·R·S·T(-pivot).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from viewer.animation.billboards import oriented
from viewer.animation.rig import Local, Rig, rig
from viewer.animation.sampling import Clip, Sample, folded
from viewer.animation.separate_scale import derived, skin_matrices
from viewer.animation.vertex_animation import morph_weights, shape_blends
from viewer.arrays import Array
from viewer.errors import ResourceError, ViewerError
from viewer.scene.animation import Animation, Composition
from viewer.scene.material import ClipTime
from viewer.scene.maths import compose, nlerp, normalise, quaternion_product, slerp, trs_matrix
from viewer.scene.skeleton import Skeleton
from viewer.scene.vertices import ShapeBlend, VertexMotion

IDENTITY_ROTATION = np.array([0.0, 0.0, 0.0, 1.0])


class Layer(Struct, frozen=True, eq=False):
    """An animation at `time` seconds, which is wrapped when `looped` and else clamped.

    It is mixed into the result of the layers before it by `weight` (1: replaces it); `additive`: its
    difference from the rest pose is added. Only `start_bone` and the bones below it move (None: all).
    `bone_weights` [B] multiply the weight.
    """

    animation: Animation
    time: float
    weight: float = 1.0
    additive: bool = False
    looped: bool = True
    start_bone: int | None = None
    bone_weights: Array | None = None

    def clip_time(self, now: float) -> ClipTime:
        """The clip time of this layer at `now` seconds."""
        clip = self.animation
        return ClipTime(now, clip, folded(self.time, clip.duration, self.looped))


class Pose(Struct, frozen=True, eq=False):
    """The pose of B bones; float64, in the file's units and axes.

    Local to the parent: `positions` [B, 3], `rotations` [B, 4] xyzw (not normalised), `scales` [B, 3].
    `world` [B, 3, 4] brings bone space to model space, `skin` [B, 3, 4] moves the vertices of the bind pose:
    world · inverse_bind, or the world matrix where the skeleton has no inverse bind matrices.

    `morphs` are weights by morph number, `shapes` the shape blends that replace the positions of a vertex
    buffer, by buffer number: the layers' effect on vertices without bones.
    """

    positions: Array
    rotations: Array
    scales: Array
    world: Array
    skin: Array
    morphs: Mapping[int, float] = field(default_factory=dict)
    shapes: Mapping[int, ShapeBlend] = field(default_factory=dict)


def pose(skeleton: Skeleton, layers: Sequence[Layer] = (), view: Array | None = None) -> Pose:
    """The pose of `layers`, applied one after the other to the rest pose.

    `view` [3, 3 or more] turns the file's axes into eye space (GL's: looking along -Z) for billboards;
    without it billboards do not turn. Tracks find bones by `scene.animation.match`, within the subtree of
    `skeleton.root` if it is set. ResourceError for a start bone that does not exist, ViewerError for an
    unknown composition.
    """
    # The numbers of a damaged file may be infinite or huge: then so is its pose, without an error.
    made = rig(skeleton)
    local = made.rest.copy()
    for layer in layers if skeleton.cumulative else averaged(layers):
        rule = rule_of(layer)
        sample = rule.sample(made.clip(layer.animation), layer.time, layer.looped)
        rule.put(made, local, sample, layer, layer_weights(skeleton, made, layer))
    turned = None if view is None else np.asarray(view, np.float64)[:3, :3]
    world, skin = placed(made, local, turned)
    morphs, shapes = summed_morphs(layers), latest_shapes(layers)
    bones = len(local.rotations)
    positions, scales = local.vectors[:bones], local.vectors[bones:]
    return Pose(positions, local.rotations, scales, world, skin, morphs, shapes)


def moves(made: Pose | None, morphs: Mapping[int, float]) -> VertexMotion:
    """The motion of vertices under a pose (None: no pose) and weights by morph number.

    A given weight replaces the weight of the layers.
    """
    return (
        VertexMotion(morphs=morphs)
        if made is None
        else VertexMotion(made.skin, {**made.morphs, **morphs}, made.shapes)
    )


def rest(skeleton: Skeleton) -> Pose:
    """The pose without any animation."""
    return pose(skeleton)


def averaged(layers: Sequence[Layer]) -> Sequence[Layer]:
    """The layers with normalised weights, for clips relative to the bind pose whose weights sum to more than
    1.

    Source: OGRE `Skeleton::setAnimationState`, ANIMBLEND_AVERAGE.
    """
    shared = [
        layer
        for layer in layers
        if layer.animation.composition is Composition.RELATIVE and not layer.additive
    ]
    total = sum(layer.weight for layer in shared)
    if total <= 1:
        return layers
    return [replace(layer, weight=layer.weight / total) if layer in shared else layer for layer in layers]


def placed(made: Rig, local: Local, view: Array | None) -> tuple[Array, Array]:
    """The world and the skin matrices [B, 3, 4]."""
    bones = len(local.rotations)
    positions, scales = local.vectors[:bones], local.vectors[bones:]
    if made.bind is not None:
        now = derived(made.hierarchy, positions, scales, local.rotations)
        return now.matrices, skin_matrices(now, made.bind)
    matrices = trs_matrix(positions, local.rotations, scales)
    plan = made.plans[view is not None]
    if plan is None:
        world = made.hierarchy.world(matrices)
    else:
        world = oriented(plan, matrices, local.rotations, view)
    return world, world if made.inverse_bind is None else compose(world, made.inverse_bind)


def layer_weights(skeleton: Skeleton, made: Rig, layer: Layer) -> Array | None:
    """[B] weights of a layer; None if all bones use the layer's weight."""
    if layer.weight == 1 and layer.start_bone is None and layer.bone_weights is None:
        return None
    weights = np.full(len(skeleton), layer.weight, np.float64)
    if layer.bone_weights is not None:
        weights *= layer.bone_weights
    if layer.start_bone is not None:
        weights *= _subtree(skeleton, made, layer.start_bone)
    return weights


def _subtree(skeleton: Skeleton, made: Rig, bone: int) -> Array:
    if not 0 <= bone < len(skeleton):
        raise ResourceError(f"the skeleton of {len(skeleton)} bones has no bone {bone}")
    if bone not in made.subtrees:
        made.subtrees[bone] = skeleton.subtree(bone)
    return made.subtrees[bone]


def _absolute(made: Rig, local: Local, sample: Sample, layer: Layer, weights: Array | None) -> None:
    """The sampled values are the bone's local transform."""
    _put(made, local, sample, weights, layer.additive)


def _pivot(made: Rig, local: Local, sample: Sample, layer: Layer, weights: Array | None) -> None:
    """The sampled translation is added at the pivot; rotation and scale replace the bone's own."""
    moved = sample.vector_slots < len(local.rotations)
    sample.vectors[moved] += made.rest.vectors[sample.vector_slots[moved]]
    _put(made, local, sample, weights, layer.additive)


def _put(made: Rig, local: Local, sample: Sample, weights: Array | None, additive: bool) -> None:
    slots, bones = sample.vector_slots, sample.bones
    if weights is None and not additive:
        local.vectors[slots] = sample.vectors
        local.rotations[bones] = sample.rotations
        return
    weights = np.ones(len(local.rotations)) if weights is None else weights
    before, rotations = local.vectors[slots], local.rotations[bones]
    vectors, target = sample.vectors, sample.rotations
    if additive:
        vectors = before + vectors - made.rest.vectors[slots]
        difference = quaternion_product(target, made.unrest[bones])
        target = normalise(quaternion_product(difference, rotations))
    local.vectors[slots] = before + (vectors - before) * weights[slots % len(weights)][:, None]
    local.rotations[bones] = slerp(rotations, target, weights[bones][:, None])


def _relative(made: Rig, local: Local, sample: Sample, layer: Layer, weights: Array | None) -> None:
    """The sampled values are offsets from the result of the layers before; at a weight of 0 nothing moves.

    Translations are added in the parent's axes, rotations come first, scales multiply. A link's scale
    replaces the weight in scales. Source: OGRE `NodeAnimationTrack::applyToNode`.
    """
    count, link = len(local.rotations), layer.animation.link_scale
    weights = np.ones(count) if weights is None else weights
    moves = sample.vector_slots < count
    moved, scaled = sample.vector_slots[moves], sample.vector_slots[~moves]
    local.vectors[moved] += sample.vectors[moves] * (weights[moved] * link)[:, None]
    share = weights[scaled - count][:, None] if link == 1 else link
    local.vectors[scaled] *= 1 + (sample.vectors[~moves] - 1) * share
    turns = nlerp(IDENTITY_ROTATION, sample.rotations, weights[sample.bones][:, None])
    local.rotations[sample.bones] = quaternion_product(local.rotations[sample.bones], turns)


def summed_morphs(layers: Sequence[Layer]) -> dict[int, float]:
    """The morph weights of all layers, summed."""
    total: dict[int, float] = {}
    for layer in layers:
        for morph, weight in morph_weights(layer.animation, layer.time, layer.looped).items():
            total[morph] = total.get(morph, 0.0) + weight * layer.weight
    return total


def latest_shapes(layers: Sequence[Layer]) -> dict[int, ShapeBlend]:
    """The shape blends of all layers; of layers for the same buffer the last counts, because shapes have no
    weight.
    """
    blends: dict[int, ShapeBlend] = {}
    for layer in layers:
        blends |= shape_blends(layer.animation, layer.time, layer.looped)
    return blends


class Rule(NamedTuple):
    """How a clip is sampled at a time, looped or not, and how the sample is combined with the pose so far,
    which is changed in place.
    """

    sample: Callable[[Clip, float | Array, bool], Sample]
    put: Callable[[Rig, Local, Sample, Layer, Array | None], None]


COMPOSITIONS: Mapping[Composition, Rule] = MappingProxyType(
    {
        Composition.ABSOLUTE: Rule(Clip.sample, _absolute),
        Composition.RELATIVE: Rule(Clip.held, _relative),
        Composition.PIVOT: Rule(Clip.steady, _pivot),
    }
)


def rule_of(layer: Layer) -> Rule:
    """The rule of a layer's animation; ViewerError if there is none."""
    rule = COMPOSITIONS.get(layer.animation.composition)
    if rule is None:
        raise ViewerError(f"no rule for the composition {layer.animation.composition.name}")
    return rule
