"""The poses of a skeleton: a pure function of animation layers and times. It computes all bones and times at
once.

Every evaluation starts from the rest pose, so times can be in any order. Source: Urho3D
`AnimationState::Apply`, `Skeleton::Reset`; OGRE `Skeleton::setAnimationState`. M2's bones turn around pivots:
the skin matrix of a bone is the parent's skin matrix times T(pivot)·T·R·S·T(-pivot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from viewer.animation.billboards import oriented
from viewer.animation.clock import within
from viewer.animation.hierarchy import derived, skin_matrices
from viewer.animation.rig import Local, Rig, rig
from viewer.animation.sampling import PreparedClip, Sample
from viewer.animation.vertex_animation import VertexTimes, vertex_times
from viewer.arrays import Array
from viewer.errors import ResourceError, ViewerError
from viewer.scene.animation import Animation, Composition
from viewer.scene.material import ClipTime
from viewer.scene.maths import compose, nlerp, normalise, quaternion_product, slerp, trs_matrix
from viewer.scene.mesh.vertices import ShapeBlend, VertexMotion
from viewer.scene.skeleton import Skeleton

IDENTITY_ROTATION = np.array([0.0, 0.0, 0.0, 1.0])


class Layer(Struct, frozen=True, eq=False):
    """An animation at `time` seconds, which is wrapped when `looped`, else clamped.

    `weight` blends the animation with the result of the earlier layers; with 1 the animation replaces the
    result. `additive`: the animation's difference from the rest pose is added to the result. Only
    `start_bone` and the bones below it move (None: all). `bone_weights` [B] multiply the weight. `adapted` is
    the clip whose keys move the bones in place of the keys of `animation` (None: `animation` itself).
    """

    animation: Animation
    time: float
    weight: float = 1.0
    additive: bool = False
    looped: bool = True
    start_bone: int | None = None
    bone_weights: Array | None = None
    adapted: Animation | None = None

    def clip_time(self, now: float) -> ClipTime:
        """The time for animated values that follow this layer; `now` is in seconds and never wrapped."""
        clip = self.animation
        return ClipTime(now, clip, within(self.time, clip.duration, "loop" if self.looped else "once"))


class Pose(Struct, frozen=True, eq=False):
    """The pose of B bones; float64, in the file's units and axes.

    Local to the parent: `positions` [B, 3], `rotations` [B, 4] xyzw (not normalised), `scales` [B, 3].
    `world` [B, 3, 4] brings bone space to model space. `skin` [B, 3, 4] moves the vertices of the bind pose:
    world · inverse_bind, or the world matrix if the skeleton has no inverse bind matrices.

    `morphs` and `shapes` move vertices without bones. `morphs` are weights by morph number. `shapes` are
    shape blends by buffer number, which replace the positions of a vertex buffer.
    """

    positions: Array
    rotations: Array
    scales: Array
    world: Array
    skin: Array
    morphs: Mapping[int, float] = field(default_factory=dict)
    shapes: Mapping[int, ShapeBlend] = field(default_factory=dict)


class Poses(Struct, frozen=True, eq=False):
    """The poses at T times: the arrays of `Pose` with a leading time axis, such as `skin` [T, B, 3, 4]."""

    positions: Array
    rotations: Array
    scales: Array
    world: Array
    skin: Array
    vertices: VertexTimes

    def __len__(self) -> int:
        return len(self.world)

    def __iter__(self) -> Iterator[Pose]:
        return map(self.at, range(len(self)))

    def at(self, index: int) -> Pose:
        """The pose at time number `index` of the T times."""
        return Pose(
            self.positions[index],
            self.rotations[index],
            self.scales[index],
            self.world[index],
            self.skin[index],
            *self.vertices.at(index),
        )


def pose(skeleton: Skeleton, layers: Sequence[Layer] = (), view: Array | None = None) -> Pose:
    """Compute the pose of `layers`, each at its own `time`; see `poses` for `view` and errors."""
    times = np.array([[layer.time] for layer in layers], np.float64).reshape(len(layers), 1)
    return _posed(skeleton, rig(skeleton), layers, times, _weights(layers), view).at(0)


def poses(
    skeleton: Skeleton,
    layers: Sequence[Layer],
    times: Array,
    view: Array | None = None,
    weights: Array | None = None,
    bones: tuple[int, ...] | None = None,
) -> Poses:
    """Compute the poses of `layers` at `times` [T] seconds. The layers are applied to the rest pose one after
    the other.

    `view` [3, 3 or more] turns the file's axes into GL eye space (looking along -Z) for billboards; without
    it billboards do not turn. `weights` [N, T] replace the weights of the N layers. Tracks find bones by
    `scene.animation.match`, within the subtree of `skeleton.root` if it is set. Only `bones` and the bones
    above them are posed (None: all); the arrays then have a row for each of `rig(skeleton, bones).bones`.
    ResourceError for a missing start bone, ViewerError for an unknown composition.
    """
    at = np.broadcast_to(np.asarray(times, np.float64), (len(layers), len(times)))
    weights = _weights(layers) if weights is None else weights
    return _posed(skeleton, rig(skeleton, bones), layers, at, weights, view)


def _weights(layers: Sequence[Layer]) -> Array:
    """[N, 1]: the weights of N layers."""
    return np.array([[layer.weight] for layer in layers], np.float64).reshape(len(layers), 1)


def _posed(
    skeleton: Skeleton, rig: Rig, layers: Sequence[Layer], times: Array, weights: Array, view: Array | None
) -> Poses:
    """The poses of N layers, each at `times` [N, T] with `weights` [N, T or 1]."""
    layers = [replace(each, animation=each.adapted) if each.adapted else each for each in layers]
    local = rig.rest.at(times.shape[1])
    shared = weights if skeleton.cumulative else averaged(layers, weights)
    for layer, own, weight in zip(layers, times, shared, strict=True):
        rule = rule_of(layer.animation)
        sample = rule.sample(rig.clip(layer.animation), own, layer.looped)
        rule.put(rig, local, sample, layer, _layer_weights(skeleton, rig, layer, weight))
    turned = None if view is None else np.asarray(view, np.float64)[:3, :3]
    world, skin = _placed(rig, local, turned)
    vertices = _vertex_times(layers, times, weights)
    return Poses(
        _by_time(local.positions),
        _by_time(local.rotations),
        _by_time(local.scales),
        _by_time(world),
        _by_time(skin),
        vertices,
    )


def _vertex_times(layers: Sequence[Layer], times: Array, weights: Array) -> VertexTimes:
    """The morph weights and shapes of N layers at `times` [N, T] with `weights` [N, T or 1]."""
    if not any(layer.animation.moves_vertices for layer in layers):
        return VertexTimes()
    return vertex_times([(each.animation, each.looped) for each in layers], times, weights)


def _by_time(values: Array) -> Array:
    """Reorder values [B, T, …] to [T, B, …]."""
    return np.ascontiguousarray(values.swapaxes(0, 1))


def moves(pose: Pose | None, morphs: Mapping[int, float]) -> VertexMotion:
    """Return how a pose (None: no pose) and the morph weights `morphs` move vertices.

    `morphs` has weights by morph number. They replace the weights of the pose.
    """
    return (
        VertexMotion(morphs=morphs)
        if pose is None
        else VertexMotion(pose.skin, {**pose.morphs, **morphs}, pose.shapes)
    )


def rest(skeleton: Skeleton) -> Pose:
    """The pose without any animation."""
    return pose(skeleton)


def averaged(layers: Sequence[Layer], weights: Array) -> Array:
    """[N, T or 1]: the weights of N layers. Some clips are relative to the bind pose: if the weights of these
    clips add up to more than 1, each of these weights is divided by the sum.

    Source: OGRE `Skeleton::setAnimationState`, ANIMBLEND_AVERAGE.
    """
    shared = [layer.animation.composition is Composition.RELATIVE and not layer.additive for layer in layers]
    if not any(shared):
        return weights
    total = weights[shared].sum(axis=0)
    if not (total > 1).any():
        return weights
    return np.where(np.array(shared)[:, None], weights / np.where(total > 1, total, 1), weights)


def _placed(rig: Rig, local: Local, view: Array | None) -> tuple[Array, Array]:
    """The world matrices and the skin matrices, both [B, T, 3, 4]."""
    if rig.bind is not None:
        now = derived(rig.hierarchy, local.positions, local.scales, local.rotations)
        return now.matrices, skin_matrices(now, rig.bind)
    shape = (*local.rotations.shape[:2], 3, 4)
    rows = local.positions.reshape(-1, 3), local.rotations.reshape(-1, 4), local.scales.reshape(-1, 3)
    matrices = trs_matrix(*rows).reshape(shape)
    plan = rig.plans[view is not None]
    world = rig.hierarchy.world(matrices) if plan is None else oriented(plan, matrices, local.rotations, view)
    return world, world if rig.inverse_bind is None else compose(world, rig.inverse_bind)


def _layer_weights(skeleton: Skeleton, rig: Rig, layer: Layer, weight: Array) -> Array | None:
    """[B, T or 1]: the weights of the bones in a layer with `weight` [T or 1]; None if all are 1."""
    if layer.start_bone is None and layer.bone_weights is None and (weight == 1).all():
        return None
    weights = np.tile(weight, (len(skeleton), 1))
    if layer.bone_weights is not None:
        weights *= layer.bone_weights[:, None]
    if layer.start_bone is not None:
        weights *= _subtree(skeleton, rig, layer.start_bone)[:, None]
    return weights[rig.bones]


def _subtree(skeleton: Skeleton, rig: Rig, bone: int) -> Array:
    if not 0 <= bone < len(skeleton):
        raise ResourceError(f"the skeleton of {len(skeleton)} bones has no bone {bone}")
    if bone not in rig.subtrees:
        rig.subtrees[bone] = skeleton.subtree(bone)
    return rig.subtrees[bone]


def _absolute(rig: Rig, local: Local, sample: Sample, layer: Layer, weights: Array | None) -> None:
    """Blend the sampled values, which are local transforms of bones, with the result of the layers before."""
    _put(rig, local, sample, weights, layer.additive)


def _pivot(rig: Rig, local: Local, sample: Sample, layer: Layer, weights: Array | None) -> None:
    """Add the sampled translation to the bone's rest position. The sampled rotation and scale replace the
    bone's rotation and scale.
    """
    moved = sample.vector_slots < len(local.rotations)
    sample.vectors[moved] += rig.rest.vectors[sample.vector_slots[moved]]
    _put(rig, local, sample, weights, layer.additive)


def _put(rig: Rig, local: Local, sample: Sample, weights: Array | None, additive: bool) -> None:
    slots, bones = sample.vector_slots, sample.bones
    if weights is None and not additive:
        local.vectors[slots] = sample.vectors
        local.rotations[bones] = sample.rotations
        return
    weights = np.ones((len(local.rotations), 1)) if weights is None else weights
    before, rotations = local.vectors[slots], local.rotations[bones]
    vectors, target = sample.vectors, sample.rotations
    if additive:
        vectors = before + vectors - rig.rest.vectors[slots]
        difference = quaternion_product(target, rig.unrest[bones])
        target = normalise(quaternion_product(difference, rotations))
    local.vectors[slots] = before + (vectors - before) * weights[slots % len(weights)][..., None]
    local.rotations[bones] = slerp(rotations, target, weights[bones][..., None])


def _relative(rig: Rig, local: Local, sample: Sample, layer: Layer, weights: Array | None) -> None:
    """Add the sampled values, which are offsets, to the result of the layers before; weight 0 moves nothing.

    Translations are added along the parent's axes. Rotations are applied before the bone's own rotation.
    Scales multiply. A link to the clip's skeleton may have a scale other than 1: this scale multiplies
    translations, and is the weight of scales. Source: OGRE `NodeAnimationTrack::applyToNode`.
    """
    count, link = len(local.rotations), layer.animation.link_scale
    weights = np.ones((count, 1)) if weights is None else weights
    moves = sample.vector_slots < count
    moved, scaled = sample.vector_slots[moves], sample.vector_slots[~moves]
    local.vectors[moved] += sample.vectors[moves] * (weights[moved] * link)[..., None]
    share = weights[scaled - count][..., None] if link == 1 else link
    local.vectors[scaled] *= 1 + (sample.vectors[~moves] - 1) * share
    turns = nlerp(IDENTITY_ROTATION, sample.rotations, weights[sample.bones][..., None])
    local.rotations[sample.bones] = quaternion_product(local.rotations[sample.bones], turns)


class CompositionRule(Struct, frozen=True):
    """The functions for one composition. `sample` samples a clip at times, looped or not. `put` combines the
    sample with the result of the layers before, in place.
    """

    sample: Callable[[PreparedClip, Array, bool], Sample]
    put: Callable[[Rig, Local, Sample, Layer, Array | None], None]


COMPOSITIONS: Mapping[Composition, CompositionRule] = MappingProxyType(
    {
        Composition.ABSOLUTE: CompositionRule(PreparedClip.sample, _absolute),
        Composition.RELATIVE: CompositionRule(PreparedClip.held, _relative),
        Composition.PIVOT: CompositionRule(PreparedClip.steady, _pivot),
    }
)


def rule_of(animation: Animation) -> CompositionRule:
    """The rule for an animation's composition; ViewerError if there is none."""
    rule = COMPOSITIONS.get(animation.composition)
    if rule is None:
        raise ViewerError(f"animations of the composition {animation.composition.name} cannot be posed")
    return rule
