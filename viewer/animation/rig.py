"""Prepares a skeleton for poses: its rest pose, its hierarchy, and its clips."""

from __future__ import annotations

from typing import Any
from weakref import ReferenceType, ref

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from viewer.animation.billboards import BillboardPlan, plan
from viewer.animation.hierarchy import Hierarchy, SeparateTransforms, derived, hierarchy
from viewer.animation.sampling import PreparedClip, prepare
from viewer.arrays import Array
from viewer.lru import RecentValues, kept_with
from viewer.scene.animation import Animation, match
from viewer.scene.maths import quaternion_inverse
from viewer.scene.skeleton import Skeleton

KEPT = 24 << 20
"""Size limit in bytes of the cache of prepared clips. Each skeleton has a cache."""


class Local(Struct, frozen=True, eq=False):
    """Poses in the parents' space at T times, in float64. `vectors` [2B, T, 3] are the positions of all
    bones, then their scales; `rotations` [B, T, 4] are xyzw.
    """

    vectors: Array
    rotations: Array

    def at(self, times: int) -> Local:
        """Repeat the pose of a single time for a number of `times`. The arrays are new, because layers change
        them.
        """
        vectors = np.empty((len(self.vectors), times, 3))
        rotations = np.empty((len(self.rotations), times, 4))
        vectors[:], rotations[:] = self.vectors, self.rotations
        return Local(vectors, rotations)

    @property
    def positions(self) -> Array:
        """[B, T, 3]: the positions of the bones."""
        return self.vectors[: len(self.rotations)]

    @property
    def scales(self) -> Array:
        """[B, T, 3]: the scales of the bones."""
        return self.vectors[len(self.rotations) :]


class Rig(Struct, frozen=True, eq=False):
    """The data of a skeleton's B posed bones that do not depend on time. It has no reference to the skeleton,
    so that the cache can free the rig together with the skeleton.

    `names` [N] are the names of all bones, `bones` [B] the numbers of the posed bones, ascending. `rest` has
    one time, and so have the inverse rest rotations `unrest` [B, 1, 4] and `inverse_bind` [B, 1, 3, 4].
    `bind` is the bind pose in model space if the skeleton is not `sheared`, else None. `animated` [N] bool
    marks the bones that tracks may move; `subtrees` maps the start bones of layers to the bones at and below
    them. `plans` are the billboard plans without and with a camera.
    """

    names: tuple[str, ...]
    bones: Array
    rest: Local
    unrest: Array
    inverse_bind: Array | None
    animated: Array
    hierarchy: Hierarchy
    bind: SeparateTransforms | None
    plans: tuple[BillboardPlan | None, BillboardPlan | None] = (None, None)
    clips: RecentValues[ReferenceType[Animation], PreparedClip] = field(
        default_factory=lambda: RecentValues(KEPT)
    )
    subtrees: dict[int, Array] = field(default_factory=dict)
    parts: dict[tuple[int, ...], Rig] = field(default_factory=dict)

    def clip(self, animation: Animation) -> PreparedClip:
        """Prepare an animation for these bones; the last few results are cached."""
        whole = self._whole_clip(animation)
        return whole if len(self.bones) == len(self.names) else whole.part(self.bones, len(self.names))

    def _whole_clip(self, animation: Animation) -> PreparedClip:

        def make() -> PreparedClip:
            found = match(animation, self.names).bones
            moved = {target: bone for target, bone in found.items() if self.animated[bone]}
            return prepare(animation, moved, len(self.names))

        return self.clips.get(ref(animation), make, lambda clip: clip.nbytes)


def rig(skeleton: Skeleton, bones: tuple[int, ...] | None = None) -> Rig:
    """Return the rig of a skeleton, or only of `bones` and the bones above them. It is made at the first call
    and cached with the skeleton.
    """
    whole = _whole(skeleton)
    if bones is None:
        return whole
    if bones not in whole.parts:
        chosen = _with_bones_above(skeleton, bones)
        whole.parts[bones] = replace(
            _make(_part(skeleton, chosen)),
            names=whole.names,
            bones=chosen,
            clips=whole.clips,
            animated=whole.animated,
            subtrees=whole.subtrees,
        )
    return whole.parts[bones]


def _with_bones_above(skeleton: Skeleton, bones: tuple[int, ...]) -> Array:
    """Return the numbers of `bones` and of all bones above them, [B], ascending."""
    found: set[int] = set()
    for bone in bones:
        while bone >= 0 and bone not in found:
            found.add(bone)
            bone = int(skeleton.parents[bone])
    return np.array(sorted(found), np.intp)


def _part(skeleton: Skeleton, bones: Array) -> Skeleton:
    """Make a skeleton of only the bones in `bones`. With a bone, `bones` must include all bones above it."""
    numbers = np.full(len(skeleton) + 1, -1)
    numbers[bones] = np.arange(len(bones))
    arrays = ("positions", "rotations", "scales", "inverse_bind", "pivots", "ignores", "billboards")
    held: dict[str, Array | None] = {name: getattr(skeleton, name) for name in arrays}
    parts: dict[str, Any] = {name: None if each is None else each[bones] for name, each in held.items()}
    return replace(
        skeleton,
        names=tuple(skeleton.names[bone] for bone in bones.tolist()),
        parents=numbers[skeleton.parents[bones]],
        hitboxes=(),
        root=None,
        **parts,
    )


def _make(skeleton: Skeleton) -> Rig:
    rotations = skeleton.rotations.astype(np.float64)[:, None]
    vectors = np.concatenate((skeleton.positions, skeleton.scales)).astype(np.float64)[:, None]
    rest, tables, inverse_bind = Local(vectors, rotations), hierarchy(skeleton.parents), skeleton.inverse_bind
    everything = np.ones(len(skeleton), bool)
    return Rig(
        names=skeleton.names,
        bones=np.arange(len(skeleton)),
        rest=rest,
        unrest=quaternion_inverse(rotations),
        inverse_bind=inverse_bind if inverse_bind is None else inverse_bind.astype(np.float64)[:, None],
        animated=everything if skeleton.root is None else skeleton.subtree(skeleton.root),
        hierarchy=tables,
        bind=None if skeleton.sheared else derived(tables, rest.positions, rest.scales, rotations),
        plans=(plan(skeleton, False), plan(skeleton, True)),
    )


_whole = kept_with(_make)
