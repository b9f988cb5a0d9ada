"""Rules for the bones that clips move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import Clip, clips
from viewer.check.rule import MOST_NAMES, Found, Rule, listed, reported, rounded
from viewer.errors import Topic, counted
from viewer.scene.animation import Animation, TrackMatch
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem

COMPARED = 1 << 11
"""How many bone names are compared with the name of a track: more than any real skeleton has."""


def nothing_matches(context: CheckContext) -> Iterator[Found]:
    """Report clips for this skeleton in which no track finds its bone. In Urho3D a name with different upper
    and lower case does not match.
    """
    for index, clip, found in context.matched:
        tracks = counted(len(clip.targets), "track")
        if not found.bones:
            text = f"none of {tracks} finds a bone; {_missing(context, found)}"
            yield found_in_clip(context, index, clip, text, found.unmatched)
        elif _finds_nothing(context, found):
            text = f"none of {tracks} finds a bone, because upper and lower case differ"
            yield found_in_clip(context, index, clip, f"{text}: {_pairs(context, found)}", found.folded)


def unmatched_tracks(context: CheckContext) -> Iterator[Found]:
    """Report tracks for bones that the skeleton lacks. Clips in which no track matches are left out."""
    for index, clip, found in context.matched:
        if found.unmatched and found.bones and not _finds_nothing(context, found):
            text = f"{found.text}; {_missing(context, found)}"
            yield found_in_clip(context, index, clip, text, found.unmatched)


def found_in_clip(
    context: CheckContext, index: int, clip: Animation, text: str, targets: Sequence[str]
) -> Found:
    """Make a finding about the tracks of a clip for the bones `targets`. It points at the first of these
    tracks.
    """
    origin = context.document_at(clip.source).origin
    track = origin.tracks.get(clip.name, {}).get(targets[0])
    span = None if track is None else origin.span(track)
    return Found(f"clip {clip.name!r}: {text}", (AnimationItem(index),), file=clip.source, span=span)


def _missing(context: CheckContext, match: TrackMatch) -> str:
    """List the names of the tracks that find no bone. The first few names are each followed by the most
    similar bone name.
    """
    assert context.skeleton is not None, "the tracks were matched to the bones of a skeleton"
    names = [_with_nearest(name, context.skeleton.names) for name in match.unmatched[:MOST_NAMES]]
    return f"no bone for {listed([*names, *match.unmatched[MOST_NAMES:]])}"


def name_case(context: CheckContext) -> Iterator[Found]:
    """Report Urho3D tracks whose names differ from the names of their bones only in case. Clips in which no
    track matches are left out.
    """
    for index, clip, found in context.matched:
        if context.family == "Urho3D" and found.folded and not _finds_nothing(context, found):
            share = f"{len(found.folded)} of {counted(len(clip.targets), 'track')}"
            text = f"{share} match only without regard to case: {_pairs(context, found)}"
            yield found_in_clip(context, index, clip, text, found.folded)


def _finds_nothing(context: CheckContext, match: TrackMatch) -> bool:
    """Whether no track finds a bone because the engine distinguishes upper and lower case."""
    return context.family == "Urho3D" and len(match.folded) == len(match.bones)


def _pairs(context: CheckContext, match: TrackMatch) -> str:
    """List the tracks that match only without regard to case. The first few tracks are each followed by the
    name of their bone.
    """
    assert context.skeleton is not None, "the tracks were matched to the bones of a skeleton"
    names = context.skeleton.names
    pairs = [f"{each!r} for {names[match.bones[each]]!r}" for each in match.folded[:MOST_NAMES]]
    return listed([*pairs, *match.folded[MOST_NAMES:]])


def duplicate_clips(context: CheckContext) -> Iterator[Found]:
    """Report clips of one file that have the same name. In WoW models these are clips with the same id and
    variation.
    """
    known: dict[object, list[Clip]] = {}
    for clip in clips(context):
        facts = clip.animation.facts
        key = (facts.get("id"), facts.get("variation")) if "id" in facts else clip.animation.name
        known.setdefault(key, []).append(clip)
    for same in known.values():
        if len(same) > 1:
            places = listed([f"#{clip.number}" for clip in same])
            yield same[1].found(f"{len(same)} clips of the file have this name: {places}")


def no_tracks(context: CheckContext) -> Iterator[Found]:
    """Report clips without tracks. WoW models are skipped, because their clips may hold the rest pose."""
    if context.family == "WoW":
        return
    for clip in clips(context):
        whole = clip.animation
        if not whole.targets and not whole.moves_vertices and not whole.notes:
            yield clip.found(f"no tracks in {rounded(whole.duration)} s")


def still_clips(context: CheckContext) -> Iterator[Found]:
    """Report clips with several keys and no motion. WoW models are skipped, because their sequences may hold
    a pose.
    """
    for clip in clips(context):
        keyed = any(len(track.times) > 1 for track in clip.tracks)
        if keyed and context.family != "WoW" and not clip.animation.moves_vertices and not clip.moving.any():
            channels = counted(len(clip.tracks), "channel")
            yield clip.found(
                f"nothing moves: all keys of each of {channels} are equal", clip.items(clip.tracks)
            )


def _with_nearest(name: str, names: tuple[str, ...]) -> str:
    """Format a name with the most similar bone name."""
    import difflib  # imported late, because only unmatched tracks need it

    near = difflib.get_close_matches(name, names[:COMPARED], 1, 0.6)
    return f"{name!r} (nearest {near[0]!r})" if near else repr(name)


RULES = (
    Rule(
        "animation/no-match",
        Severity.ERROR,
        "No track of a clip finds a bone of the skeleton",
        nothing_matches,
        {
            "Urho3D": "The clip plays and nothing moves. Since Urho3D 1.8 upper and lower case must match.",
            "": "The clip plays and nothing moves.",
        },
        "Rename the bones or the tracks, or use the skeleton that the clip was made for.",
        "clip 'Walk': none of 30 tracks finds a bone; no bone for 'Bip01_Hips' (nearest 'Bip02_Hips')",
    ),
    Rule(
        "animation/unmatched-track",
        Severity.WARNING,
        "The skeleton does not have the bone of a track",
        unmatched_tracks,
        {
            "": "The track does nothing.",
        },
        "Rename the bone or the track, or export both from the same skeleton.",
        "clip 'Walk': 30 of 31 tracks matched; no bone for 'Spine01' (nearest 'Spine1')",
    ),
    Rule(
        "animation/no-tracks",
        Severity.WARNING,
        "A clip has no tracks",
        no_tracks,
        {"": "The clip plays and nothing moves."},
        "Check that the exporter writes this action, and that bones are selected.",
        "clip 'Idle': no tracks in 2 s",
    ),
    Rule(
        "animation/still-clip",
        Severity.NOTE,
        "Nothing moves in a clip",
        still_clips,
        {"": "The clip plays and holds one pose."},
        "Check that the exporter writes this action: another action may be active in the modelling program.",
        "clip 'Idle': nothing moves: all keys of each of 60 channels are equal",
    ),
    Rule(
        "animation/name-case",
        Severity.WARNING,
        "The name of a track differs from the name of its bone in upper and lower case",
        name_case,
        {
            "Urho3D": (
                "Since Urho3D 1.8 upper and lower case must match: the track does nothing. Older versions "
                "play the track."
            ),
        },
        "Write the name in the track as in the model.",
        "clip 'Walk': 2 of 30 tracks match only without regard to case: 'hip' for 'Hip', 'jaw' for 'Jaw'",
    ),
    Rule(
        "animation/duplicate-name",
        Severity.WARNING,
        "Several clips of a file have the same name",
        duplicate_clips,
        {
            "OGRE": "Loading the file ends with an exception: names of animations are unique.",
            "WoW": "The client finds the first sequence only.",
            "": "Only one of the clips can be played by its name.",
        },
        "Give each clip a unique name.",
        "clip 'Walk': 2 clips of the file have this name: #3, #7",
    ),
    Rule(
        "animation/odd-track",
        Severity.WARNING,
        "The bone of a track does not exist, or another track moves it",
        reported(Topic.TRACK),
        {
            "Urho3D": "The engine uses the last track with this name.",
            "OGRE": (
                "If a bone has two tracks, OGRE stops loading with an exception. If the bone of the tracks "
                "does not exist, OGRE crashes."
            ),
        },
        "Export the animation again from its own skeleton.",
        "two tracks have the name 'Hip'; the later track is used",
    ),
)
