"""Animations as arrays of keys, and how their values combine with the rest pose."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Protocol, overload

from msgspec import Struct, field

from viewer.arrays import Array
from viewer.errors import NeededFile, Report
from viewer.scene.skeleton import Skeleton


class KeyBase(Struct, frozen=True):
    """The pose that was subtracted from each key of a clip (OGRE): the pose of the clip `animation` at `time`
    seconds.
    """

    animation: str
    time: float


class Composition(Enum):
    """How a sampled value combines with the bone's rest pose; the animation's engine decides."""

    ABSOLUTE = "replaces the local rest pose (Urho3D)"
    RELATIVE = "is added to the local bind pose (OGRE)"
    PIVOT = "moves the bone around its pivot (M2)"


class Track(Struct, frozen=True, eq=False):
    """Keys of one channel of one bone: `times` [K] seconds, ascending; `values` [K, 3] or [K, 4] xyzw.

    `path` is `position`, `rotation` or `scale`. `stepped`: a value stays constant until the next key. A track
    with a `period` (seconds) loops on its own and ignores the clip's time (an M2 global sequence).
    """

    target: str
    path: str
    times: Array
    values: Array
    stepped: bool = False
    period: float | None = None


class MorphTrack(Struct, frozen=True, eq=False):
    """Keys of morph weights: `morphs` [M] are numbers of the model's morphs; `times` [K] are in seconds;
    `weights` are [K, M].
    """

    morphs: Array
    times: Array
    weights: Array


class ShapeTrack(Struct, frozen=True, eq=False):
    """Keys that replace all positions of a vertex buffer: `times` [K] are in seconds; `shapes` [K] are
    numbers of the model's shapes.
    """

    buffer: int
    times: Array
    shapes: Array


class Event(Struct, frozen=True):
    """An event at `time` seconds, from the model file or from a trigger file beside it."""

    time: float
    name: str


class UnplayedTrack(Struct, frozen=True, eq=False):
    """A track that moves something other than a bone. The program lists it, but does not play it."""

    target: str
    type: str
    interpolation: str
    keys: int


class ClipRig(Struct, frozen=True, eq=False):
    """The skeleton for which the keys of a clip were made. `to_world` [4, 4] goes from the axes of the
    skeleton's file to viewer space. It is None if the file already uses the axes of viewer space.
    """

    skeleton: Skeleton
    to_world: Array | None = None


class Animation(Struct, frozen=True, eq=False, weakref=True):
    """A clip of `duration` seconds, read from the file `source`.

    `tracks` are the channels that have keys. `targets` names each animated bone once, in file order.
    `keyframes` counts the keys of all targets; a key with several channels counts once. `facts` are numbers
    that only some formats have, by name: `id`, `variation`, `flags`, `speed`, `blend`; `tags` name special
    properties; `bounds` [2, 3] is the clip's bounding box in the file. `missing_file` names the file of the
    keys if this file was not found. `base` is the pose that was subtracted from the keys of `tracks`.

    `morph_tracks` and `shape_tracks` move the vertices of the clip's own model. `link_scale` is the scale of
    the skeleton link that led to the clip (OGRE); this scale multiplies translations and changes of scale.
    `rig` is the skeleton for which the keys were made (None: unknown, or the skeleton of the clip's own
    model).
    """

    name: str
    duration: float
    tracks: Sequence[Track]
    targets: tuple[str, ...] = ()
    keyframes: int = 0
    composition: Composition = Composition.ABSOLUTE
    events: tuple[Event, ...] = ()
    notes: tuple[UnplayedTrack, ...] = ()
    source: str = ""
    facts: Mapping[str, float] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    bounds: Array | None = None
    morph_tracks: tuple[MorphTrack, ...] = ()
    shape_tracks: tuple[ShapeTrack, ...] = ()
    link_scale: float = 1.0
    missing_file: NeededFile | None = None
    base: KeyBase | None = None
    rig: ClipRig | None = None

    @property
    def moves_vertices(self) -> bool:
        """Whether the clip moves vertices without bones."""
        return bool(self.morph_tracks or self.shape_tracks)


class LazyTracks(Sequence[Track]):
    """A sequence of tracks. `make` returns the tracks; it is called at the first use."""

    def __init__(self, make: Callable[[], Iterable[Track]]) -> None:
        self._make = make

    def guard(self, wrap: Callable[[Callable[[], Iterable[Track]]], Callable[[], Iterable[Track]]]) -> None:
        """Replace the function by what `wrap` makes of it."""
        self._make = wrap(self._make)

    @cached_property
    def _tracks(self) -> tuple[Track, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return len(self._tracks)

    @overload
    def __getitem__(self, index: int) -> Track: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Track, ...]: ...
    def __getitem__(self, index: int | slice) -> Track | tuple[Track, ...]:
        return self._tracks[index]


class LoadedTracks(Struct, frozen=True):
    """The parts of an animation that are read on demand; see `Animation`."""

    tracks: Sequence[Track] = ()
    targets: tuple[str, ...] = ()
    keyframes: int = 0
    events: tuple[Event, ...] = ()


class ClipKeys(Protocol):
    """Reads the parts of an animation on demand, in the order of `LoadedTracks`."""

    @property
    def tracks(self) -> Sequence[Track]:
        """The channels with keys; see `Animation.tracks`."""

    @property
    def targets(self) -> tuple[str, ...]:
        """The name of each animated bone, once, in file order."""

    @property
    def keyframes(self) -> int:
        """The number of keys of all targets; a key with several channels counts once."""

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that happen during the clip."""


class LazyAnimation(Animation, frozen=True):
    """An animation whose keys `opener` reads on demand. `opener` also decides how long the keys stay in
    memory.
    """

    opener: Callable[[], ClipKeys] = LoadedTracks

    @property
    def _opened(self) -> ClipKeys:
        return self.opener()

    @property  # type: ignore[misc]  # replaces the field, which stays empty
    def tracks(self) -> Sequence[Track]:
        """The channels with keys, which `opener` reads."""
        return self._opened.tracks

    @property  # type: ignore[misc]  # replaces the field, which stays empty
    def targets(self) -> tuple[str, ...]:
        """The names of the animated bones, which `opener` reads."""
        return self._opened.targets

    @property  # type: ignore[misc]  # replaces the field, which stays empty
    def keyframes(self) -> int:
        """The number of keys, which `opener` counts."""
        return self._opened.keyframes

    @property  # type: ignore[misc]  # replaces the field, which stays empty
    def events(self) -> tuple[Event, ...]:
        """The events of the clip, which `opener` reads."""
        return self._opened.events


def listing_order(offered: Sequence[Animation]) -> list[int]:
    """Return the numbers of the animations in the order in which lists show them: sequences by id and
    variation (Stand first), then animations without an id in file order.
    """

    def sort_key(number: int) -> tuple[bool, float, float]:
        facts = offered[number].facts
        return "id" not in facts, facts.get("id", 0), facts.get("variation", 0)

    return sorted(range(len(offered)), key=sort_key)


class TrackMatch(Struct, frozen=True):
    """The match of an animation's targets with bones. `bones` maps targets to bone numbers. `unmatched`
    targets have no bone. `folded` targets match a bone only if upper and lower case count as equal, `renamed`
    targets only without a prefix such as `Bip01_`.
    """

    bones: dict[str, int]
    unmatched: tuple[str, ...]
    folded: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The summary `n of m tracks matched`."""
        return f"{len(self.bones)} of {len(self.bones) + len(self.unmatched)} tracks matched"

    def trackless(self, names: Sequence[str]) -> tuple[str, ...]:
        """The names of the bones without a track. `names` are the names of all bones, as they were given to
        the match.
        """
        moved = set(self.bones.values())
        return tuple(name for bone, name in enumerate(names) if bone not in moved)


def is_foreign(animation: Animation, skeleton: Skeleton | None) -> bool:
    """Whether a clip is known to be made for another skeleton."""
    return animation.rig is not None and skeleton is not None and animation.rig.skeleton is not skeleton


def sensible_length(length: float, owner: str, report: Report) -> float:
    """Return the length in seconds; if it is negative or not finite, return 0 and warn, naming `owner`."""
    if math.isfinite(length) and length >= 0:
        return length
    report.warn(f"the length {length} of {owner} is negative or not finite; 0 is used")
    return 0.0


PREFIX = r"(?i)(.*[:|])?((valvebiped[._ ])?(bip\d*|mixamorig\d*|def|armature)[ _.\-]+)?"
"""Matches the prefix that a tool puts before the names of bones: a namespace, `Bip01_`, `mixamorig:` or
`DEF-`.
"""


def bare_name(name: str) -> str:
    """The name of a bone in lower case, without the prefix of a tool; the whole name if it consists only of a
    prefix.
    """
    found = re.match(PREFIX, name)
    return (name[found.end() :] if found else name).casefold() or name.casefold()


def match(animation: Animation, names: tuple[str, ...], prefixes: bool = True) -> TrackMatch:
    """Match the targets of an animation to bones, see `match_names`."""
    return match_names(animation.targets, names, prefixes)


def match_names(targets: Iterable[str], names: tuple[str, ...], prefixes: bool = True) -> TrackMatch:
    """Match targets to bones by exact name, else without regard to case, else (with `prefixes`) by their bare
    names. The last rule only finds bones that no other target matches.

    If several bones have the same name, the first bone counts.
    """
    exact = {name: bone for bone, name in reversed(list(enumerate(names)))}
    folded = {name.casefold(): bone for name, bone in exact.items()}
    bones: dict[str, int] = {}
    loose: list[str] = []
    missing: list[str] = []
    for target in targets:
        if target in exact:
            bones[target] = exact[target]
        elif target.casefold() in folded:
            bones[target] = folded[target.casefold()]
            loose.append(target)
        else:
            missing.append(target)
    renamed: dict[str, int] = {}
    if missing and prefixes:
        taken = set(bones.values())
        bare = {bare_name(name): bone for name, bone in reversed(exact.items()) if bone not in taken}
        renamed = {each: bone for each in missing if (bone := bare.pop(bare_name(each), None)) is not None}
        missing = [each for each in missing if each not in renamed]
    return TrackMatch(bones | renamed, tuple(missing), tuple(loose), tuple(renamed))
