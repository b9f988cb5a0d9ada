"""Rules for keys that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import Clip, channels_have, clips, track_names
from viewer.check.rule import MOST_ITEMS, Found, Rule, listed
from viewer.errors import counted
from viewer.scene.animation import Track
from viewer.scene.finding import Severity
from viewer.scene.items import Item

UNIT_ERROR = 1e-6
"""A scale is treated as 1 if it differs from 1 by at most this, because of rounding."""


class UselessKeys:
    """Collects the useless keys of all clips of a file into one finding.

    Tracks of global loops belong to the model and not to a clip. They are counted once, with the first clip.
    In a file with only one clip they are not counted.
    """

    def __init__(self, context: CheckContext, useless: Callable[[Track, bool], bool], needed: int) -> None:
        self.clips: list[Clip] = []
        self.channels, self.off, self.keys = 0, 0, 0
        self.names: list[str] = []
        self.items: list[Item] = []
        loops: set[tuple[str, str]] = set()
        for clip in clips(context):
            pairs = zip(clip.tracks, clip.moving, strict=True)
            own = [pair for pair in pairs if pair[0].period is None or not clip.is_whole_file]
            found = [track for track, moving in own if useless(track, moving) and _name(track) not in loops]
            loops |= {_name(track) for track in found if track.period is not None}
            self.channels += len(clip.tracks)
            self.keys += sum(len(track.times) - needed for track in found)
            self._add(clip, found)

    def _add(self, clip: Clip, tracks: list[Track]) -> None:
        if not tracks:
            return
        self.clips.append(clip)
        self.off += len(tracks)
        self.names = self.names or [track_names(tracks)]
        if len(self.items) < MOST_ITEMS:
            self.items += clip.items(tracks)

    def found(self, what: str) -> Iterator[Found]:
        """Yield the finding with the number of channels that have `what`; nothing if no channel has it."""
        if not self.clips:
            return
        first, *others = self.clips
        share = f"{channels_have(self.off, self.channels, what)}, so that {counted(self.keys, 'key')} could"
        names = listed([clip.animation.name for clip in self.clips])
        clips = f"{counted(len(self.clips), 'clip')} ({names})" if others else f"clip {names!r}"
        yield first.found_in_all(f"{clips}: {share} be left out ({self.names[0]})", self.items)


def _name(track: Track) -> tuple[str, str]:
    return track.target, track.path


def constant_tracks(context: CheckContext) -> Iterator[Found]:
    """Report tracks with several keys that all have the same value."""

    def constant(track: Track, moving: bool) -> bool:
        return not moving and len(track.values) > 2 and not _is_unit(track)

    return UselessKeys(context, constant, 1).found("one value")


def unit_scales(context: CheckContext) -> Iterator[Found]:
    """Report scale tracks that are always 1."""
    return UselessKeys(context, lambda track, moving: _is_unit(track), 0).found("a scale of 1")


def _is_unit(track: Track) -> bool:
    return track.path == "scale" and bool((abs(track.values - 1) <= UNIT_ERROR).all())


RULES = (
    Rule(
        "animation/constant-track",
        Severity.NOTE,
        "A track has many keys with one value",
        constant_tracks,
        {"": "One key gives the same result; further keys cost memory and time."},
        "Let the exporter remove keys that change nothing.",
        "clip 'Walk': 12 of 90 channels have one value, so that 348 keys could be left out (Hip position)",
    ),
    Rule(
        "animation/unit-scale",
        Severity.NOTE,
        "A scale track is always 1",
        unit_scales,
        {
            "Urho3D": (
                "The track changes nothing if the scale of the rest pose is 1, and adds 12 bytes to each key."
            ),
            "OGRE": "Scales are factors of the bind pose: the track changes nothing, and adds 12 bytes "
            "to each key.",
            "WoW": "The track changes nothing: without it the scale is 1.",
            "": "The track changes nothing.",
        },
        "Export without scales, unless bones are scaled.",
        "clip 'Walk': 30 of 90 channels have a scale of 1, so that 900 keys could be left out (Hip scale)",
    ),
)
