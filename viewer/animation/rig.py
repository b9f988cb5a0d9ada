"""A skeleton prepared for posing: rest pose, hierarchy, and the clips prepared for it."""

from __future__ import annotations

from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np
from msgspec import Struct, field

from viewer.animation.billboards import BillboardPlan, plan
from viewer.animation.hierarchy import Hierarchy, hierarchy
from viewer.animation.sampling import Clip, prepare
from viewer.animation.separate_scale import SeparateTransforms, derived
from viewer.arrays import Array
from viewer.lru import RecentValues
from viewer.scene.animation import Animation, match
from viewer.scene.maths import quaternion_inverse
from viewer.scene.skeleton import Skeleton

KEPT = 24 << 20
"""The bytes of prepared clips that are kept for each skeleton."""


class Local(Struct, frozen=True, eq=False):
    """A pose local to the parents: `vectors` [2B, 3] are the positions of all bones followed by their scales,
    `rotations` [B, 4] xyzw; float64.
    """

    vectors: Array
    rotations: Array

    def copy(self) -> Local:
        """A copy with its own arrays, which layers change."""
        return Local(self.vectors.copy(), self.rotations.copy())


class Rig(Struct, frozen=True, eq=False):
    """The data of a skeleton of B bones that do not depend on time, without a reference to the skeleton.

    `bind` is the bind pose in model space where scales are kept apart from rotations, else None. `unrest` [B,
    4] are the inverse rest rotations; `animated` [B] bool the bones that tracks may move; `subtrees` the
    bones at and below the start bones of layers. `plans` are the billboard plans: without and with a camera.
    """

    names: tuple[str, ...]
    rest: Local
    unrest: Array
    inverse_bind: Array | None
    animated: Array
    hierarchy: Hierarchy
    bind: SeparateTransforms | None
    plans: tuple[BillboardPlan | None, BillboardPlan | None] = (None, None)
    clips: RecentValues[ReferenceType[Animation], Clip] = field(default_factory=lambda: RecentValues(KEPT))
    subtrees: dict[int, Array] = field(default_factory=dict)

    def clip(self, animation: Animation) -> Clip:
        """The animation prepared for these bones. The last few are kept."""

        def make() -> Clip:
            found = match(animation, self.names).bones
            moved = {target: bone for target, bone in found.items() if self.animated[bone]}
            return prepare(animation, moved, len(self.names))

        return self.clips.get(ref(animation), make, lambda clip: clip.nbytes)


_RIGS: WeakKeyDictionary[Skeleton, Rig] = WeakKeyDictionary()


def rig(skeleton: Skeleton) -> Rig:
    """The skeleton's rig: made at the first call, and kept as long as the skeleton."""
    made = _RIGS.get(skeleton)
    if made is None:
        made = _RIGS[skeleton] = _make(skeleton)
    return made


def _bind(tables: Hierarchy, rest: Local) -> SeparateTransforms:
    positions, scales = np.split(rest.vectors, 2)
    return derived(tables, positions, scales, rest.rotations)


def _make(skeleton: Skeleton) -> Rig:
    rotations = skeleton.rotations.astype(np.float64)
    rest = Local(np.concatenate((skeleton.positions, skeleton.scales)).astype(np.float64), rotations)
    tables = hierarchy(skeleton.parents)
    inverse_bind = skeleton.inverse_bind
    everything = np.ones(len(skeleton), bool)
    return Rig(
        names=skeleton.names,
        rest=rest,
        unrest=quaternion_inverse(rotations),
        inverse_bind=inverse_bind if inverse_bind is None else inverse_bind.astype(np.float64),
        animated=everything if skeleton.root is None else skeleton.subtree(skeleton.root),
        hierarchy=tables,
        bind=None if skeleton.sheared else _bind(tables, rest),
        plans=(plan(skeleton, False), plan(skeleton, True)),
    )
