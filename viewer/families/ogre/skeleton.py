"""Build bones and animations from a skeleton record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np

from viewer.arrays import Array
from viewer.binary import NamedTable, StreamPart, StreamTree, Struct
from viewer.errors import FormatError, Report, Topic
from viewer.families.ogre.keys import ClipTracks, rebased
from viewer.families.ogre.skeleton_layout import ANIMATION, BASE, BLEND_MODE, BONE, CUMULATIVE, PARENTS
from viewer.scene.animation import (
    Animation,
    ClipRig,
    Composition,
    KeyBase,
    LazyTracks,
    Track,
    sensible_length,
)
from viewer.scene.skeleton import Skeleton, refuse_cycles


class BoneHandles(msgspec.Struct, frozen=True, eq=False):
    """A skeleton, and bone numbers by handle."""

    skeleton: Skeleton
    numbers: dict[int, int]

    @property
    def names(self) -> dict[int, str]:
        """The names of the bones by the handles with which tracks refer to them."""
        return {handle: self.skeleton.names[number] for handle, number in self.numbers.items()}


def build_bones(record: Struct, report: Report) -> BoneHandles | None:
    """Return the bones, in file order. None if there are no bones, or if their parents form a cycle. A cycle
    is reported.
    """
    chunks = record.get("chunks") or StreamTree()
    stored = _stored_bones(chunks.parts(BONE))
    names = stored.names
    if not names:
        return None
    numbers: dict[int, int] = {}
    for number, handle in enumerate(stored.handles):
        if numbers.setdefault(handle, number) != number:
            report.warn(f"bone {names[number]!r} has the handle {handle} of another bone")
    parents = _parents(chunks.rows(PARENTS), numbers, len(names), report)
    try:
        refuse_cycles(names, parents)
    except FormatError as error:
        error.path, error.offset = "skeleton file/bones", stored.offset
        report.fail(error)
        return None
    mode = chunks.first(BLEND_MODE)
    skeleton = Skeleton(
        names=names,
        parents=parents,
        positions=stored.positions,
        rotations=stored.rotations,
        scales=stored.scales,
        sheared=False,
        cumulative=mode is not None and mode.get("mode") == CUMULATIVE,
        handles=tuple(stored.handles),
    )
    return BoneHandles(skeleton, numbers)


class StoredBones(NamedTuple):
    """The bones of a file: names, handles, and the bind pose as f32. The first bone is at `offset`."""

    offset: int
    names: tuple[str, ...]
    handles: list[int]
    positions: Array
    rotations: Array
    scales: Array


def _stored_bones(parts: list[StreamPart]) -> StoredBones:
    """The bones whose fields up to the rotation could be read."""
    table = parts[0] if len(parts) == 1 else None
    if isinstance(table, NamedTable):
        rows, scales = table.rows, np.ones((table.number, 3), np.float32)
        columns = (rows["handle"].tolist(), rows["position"].copy(), rows["rotation"].copy(), scales)
        return StoredBones(table.starts[0], tuple(table.texts), *columns)
    bones = [piece.value for part in parts for piece in part.pieces]
    whole = [bone for bone in bones if bone.get("rotation") is not None]
    return StoredBones(
        whole[0].marks[0] if whole else 0,
        tuple(str(bone.name) for bone in whole),
        [bone.handle for bone in whole],
        np.array([bone.position for bone in whole], np.float32),
        np.array([bone.rotation for bone in whole], np.float32),
        np.array([bone.get("scale", (1, 1, 1)) for bone in whole], np.float32),
    )


def _parents(rows: Array | None, numbers: dict[int, int], count: int, report: Report) -> Array:
    parents = np.full(count, -1, np.int32)
    links = () if rows is None else zip(rows["child"].tolist(), rows["parent"].tolist(), strict=True)
    for child, parent in links:
        if child not in numbers or parent not in numbers or child == parent:
            report.warn(
                f"bone {child} cannot be a child of {parent}: a bone is missing, or both are the same"
            )
            continue
        parents[numbers[child]] = numbers[parent]
    return parents


def build_animations(
    record: Struct, bones: BoneHandles, source: str, report: Report, link_scale: float = 1.0
) -> tuple[Animation, ...]:
    """Return the animations of a skeleton record. The tracks of the record refer to `bones` by handle."""
    chunks = record.get("chunks")
    clips = [clip for clip in chunks.all(ANIMATION) if clip.get("length") is not None] if chunks else []
    raw = {str(clip.name): ClipTracks(clip) for clip in reversed(clips)}
    names, rig = bones.names, ClipRig(bones.skeleton)
    return tuple(_animation(clip, raw, names, source, report, link_scale, rig) for clip in clips)


def _animation(
    clip: Struct,
    raw: dict[str, ClipTracks],
    names: dict[int, str],
    source: str,
    report: Report,
    link_scale: float,
    rig: ClipRig,
) -> Animation:
    name = str(clip.name)
    length = sensible_length(float(clip.length), f"animation {name!r}", report)
    own = raw[name]
    targets = {names[handle]: handle for handle in own.counts if handle in names}
    for handle in [handle for handle in own.counts if handle not in names]:
        text = f"animation {name!r} has a track for bone {handle}, which does not exist"
        report.warn(text, topic=Topic.TRACK)
    for handle in own.doubled:
        text = f"animation {name!r} has several tracks for bone {handle}; the last track is used"
        report.warn(text, topic=Topic.TRACK)
    base = clip.chunks.first(BASE) if clip.get("chunks") else None
    if base is not None and base.get("time") is None:
        base = None
    against = raw.get(str(base.animation) or name) if base is not None else None
    time = float(base.time) if base is not None else 0.0
    return Animation(
        name=name,
        duration=length,
        tracks=LazyTracks(lambda: _channels(own, targets, against, time)),
        targets=tuple(targets),
        keyframes=sum(own.counts.values()),
        composition=Composition.RELATIVE,
        source=source,
        link_scale=link_scale,
        rig=rig,
        base=None if base is None else KeyBase(str(base.animation) or name, time),
    )


def _channels(
    own: ClipTracks, targets: dict[str, int], against: ClipTracks | None, time: float
) -> Iterator[Track]:
    """Yield the tracks of the bones in `targets`, which maps names of bones to handles.

    If `against` moves a bone too, the bone's keys are made relative to its pose in `against` at `time`.
    """
    for target, handle in targets.items():
        keys = own.keys(handle)
        if against is not None and handle in against.counts:
            keys = rebased(keys, against.keys(handle), time)
        yield from keys.channels(target)
