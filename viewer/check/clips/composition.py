"""Rules for the base of relative keys: the pose, or the other clip, to which the keys of a clip are added.

Source: OGRE `Animation::_applyBaseKeyFrame`, `Skeleton::getAnimation`, `Animation::getNodeTrack`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import Clip, clips
from viewer.check.clips.targets import found_in_clip
from viewer.check.rule import Found, Rule, listed, rounded
from viewer.errors import counted
from viewer.scene.animation import Animation, Composition, KeyBase, TrackMatch
from viewer.scene.finding import Severity
from viewer.scene.skeleton import Skeleton

FEW = 3
"""A clip is examined if at least this number of bones shows whether positions are relative or absolute."""
SHARE = 0.9
"""The rule reports a clip if more than this share of the examined bones has wrong positions."""
NEAR = 0.1
"""The largest distance at which two positions count as equal, as a fraction of the bone's length."""
SHORT = 0.02
"""Bones are ignored if they are not longer than this fraction of the skeleton's size."""
LATE = 1e-3
"""A time outside its clip is treated as a rounding error if it is at most this many seconds away from the
clip.
"""


def missing_bases(context: CheckContext) -> Iterator[Found]:
    """Report clips whose keys are relative to a base clip that does not exist, or that lacks the track of a
    bone.
    """
    for clip, base in _with_base(context):
        name = base.animation
        other = _named(context, name)
        if other is None:
            yield clip.found(f"its keys are relative to clip {name!r}, which does not exist")
            continue
        known = set(other.targets)
        lacking = [target for target in clip.animation.targets if target not in known]
        if lacking:
            tracks = counted(len(lacking), "track")
            yield clip.found(
                f"its keys are relative to clip {name!r}, which lacks {tracks}: {listed(lacking)}",
                clip.items([track for track in clip.tracks if track.target in lacking[:1]]),
            )


def odd_bases(context: CheckContext) -> Iterator[Found]:
    """Report clips whose keys are relative to a time outside the base clip, or to a base clip whose own keys
    are relative.
    """
    for clip, base in _with_base(context):
        other, name = _named(context, base.animation), base.animation
        if other is None:
            continue
        if not -LATE <= base.time <= other.duration + LATE:
            at, end = rounded(base.time), rounded(other.duration)
            yield clip.found(
                f"its keys are relative to clip {name!r} at {at} s, but that clip ends at {end} s"
            )
        if other.base is not None and name != clip.animation.name:
            yield clip.found(f"its keys are relative to clip {name!r}, whose own keys are relative too")


def _with_base(context: CheckContext) -> Iterator[tuple[Clip, KeyBase]]:
    return ((clip, base) for clip in clips(context) if (base := clip.animation.base) is not None)


def _named(context: CheckContext, name: str) -> Animation | None:
    """The clip that the engine finds by this name."""
    return context.once(_by_name).get(name)


def _by_name(context: CheckContext) -> dict[str, Animation]:
    """The clips of the file and of the files that it links to, by name. If several clips have one name, the
    first clip counts.
    """
    own = [animation for _, animation in context.own_clips]
    return {each.name: each for each in reversed((*own, *context.document.animations))}


def added_clips(context: CheckContext) -> Iterator[Found]:
    """Report clips of a cumulative skeleton that key the same bones: played together, they are added up."""
    if context.skeleton is None or not context.skeleton.cumulative:
        return
    keyed: dict[str, list[Clip]] = {}
    for clip in clips(context):
        for target in clip.animation.targets:
            keyed.setdefault(target, []).append(clip)
    shared = {target: several for target, several in keyed.items() if len(several) > 1}
    if shared:
        several = {clip.number: clip for each in shared.values() for clip in each}
        first, *others = sorted(several.values(), key=lambda clip: clip.number)
        names = listed([repr(clip.animation.name) for clip in (first, *others)])
        bones = counted(len(shared), "bone")
        yield first.found_in_all(f"clips {names} of a cumulative skeleton key {bones}: {listed([*shared])}")


def swapped_keys(context: CheckContext) -> Iterator[Found]:
    """Report clips whose positions look relative although their engine expects absolute positions, or the
    other way round.
    """
    skeleton = context.skeleton
    for index, clip, found in context.matched:
        if skeleton is None or clip.composition not in (Composition.ABSOLUTE, Composition.RELATIVE):
            continue
        shown, off = _count_bones(clip, found, skeleton, context.reach)
        if shown >= FEW and off >= SHARE * shown:
            if clip.composition is Composition.ABSOLUTE:
                what = "stay at their parents, but not in the rest pose: the keys look relative"
            else:
                what = "are moved by their whole rest position: the keys look absolute"
            text = f"{off} of {counted(shown, 'bone')} with positions {what}"
            yield found_in_clip(context, index, clip, text, tuple(found.bones))


def _count_bones(clip: Animation, match: TrackMatch, skeleton: Skeleton, reach: float) -> tuple[int, int]:
    """Return two counts: bones whose tracks show whether positions are relative or absolute, and among them
    the bones whose positions are of the wrong kind.
    """
    shown = off = 0
    for track in clip.tracks:
        bone = match.bones.get(track.target)
        if bone is None or track.path != "position" or not len(track.values):
            continue
        rest = skeleton.positions[bone].astype(np.float64)
        length = float(np.linalg.norm(rest))
        if not length > SHORT * reach:
            continue
        wrong = np.zeros(3) if clip.composition is Composition.ABSOLUTE else rest
        shown += 1
        off += _farthest(track.values, wrong) < NEAR * length
    return shown, off


def _farthest(values: Array, point: Array) -> float:
    """The largest distance of values [K, 3] from a point [3]."""
    return float(np.linalg.norm(values.astype(np.float64) - point, axis=1).max())


RULES = (
    Rule(
        "animation/missing-base",
        Severity.ERROR,
        "The keys of a clip are relative to a missing clip",
        missing_bases,
        {
            "OGRE": (
                "OGRE throws an exception when it looks for the missing clip or track: the skeleton is not "
                "loaded."
            )
        },
        "Export both clips to one file, or make the keys relative to the bind pose.",
        "clip 'Wave': its keys are relative to clip 'Idle', which does not exist",
    ),
    Rule(
        "animation/odd-base",
        Severity.WARNING,
        "The keys of a clip are relative to an unusual key",
        odd_bases,
        {
            "OGRE": (
                "If a time is past the end of its clip, OGRE continues at the start of the clip. If the keys "
                "of the other clip are relative too, the result depends on which of the two clips OGRE "
                "converts first."
            ),
        },
        "Make the keys relative to a key of a clip whose own keys are not relative.",
        "clip 'Wave': its keys are relative to clip 'Idle' at 3 s, but that clip ends at 2 s",
    ),
    Rule(
        "animation/added-clips",
        Severity.NOTE,
        "Several clips of a cumulative skeleton key the same bones",
        added_clips,
        {
            "OGRE": (
                "OGRE adds up clips that play together, instead of averaging them: the bones move by the sum "
                "of both clips."
            )
        },
        "Play only one of the clips at a time, let each clip key its own bones, or use the average mode.",
        "clips 'Wave', 'Walk' of a cumulative skeleton key 2 bones: Arm, Hand",
    ),
    Rule(
        "animation/swapped-keys",
        Severity.WARNING,
        "The keys look relative, but the engine expects absolute keys, or the reverse",
        swapped_keys,
        {
            "Urho3D": "The engine replaces the rest pose by the keys: the bones collapse into their parents.",
            "OGRE": (
                "The engine adds the keys to the bind pose: the bones are twice as far from their parents."
            ),
        },
        "Let the exporter write the keys as this engine reads them.",
        "clip 'Walk': 20 of 21 bones with positions stay at their parents, but not in the rest pose: the "
        "keys look relative",
    ),
)
