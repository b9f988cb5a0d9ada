"""Build an animation from an Urho3D animation record, and read triggers from `X.xml` or `X.json` beside it.

Source of triggers: Urho3D `Animation.cpp`, `Animation::BeginLoad`, which reads the JSON only if there is no
XML.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import PurePath

import numpy as np

from viewer.binary import Struct
from viewer.errors import FormatError, Report, Topic
from viewer.families.urho3d.animation_layout import INTERPOLATIONS, variant_name
from viewer.family.format import Folder
from viewer.scene.animation import Animation, Event, Track, UnplayedTrack, sensible_length
from viewer.storage.markup import TEXT_LIMIT, json_texts, parse_json, parse_xml

WXYZ_TO_XYZW = [1, 2, 3, 0]


def build_animation(record: Struct, events: tuple[Event, ...], source: str, report: Report) -> Animation:
    """Return the animation of a record, which may be incomplete. `source` is the path of its file."""
    length = sensible_length(float(record.get("length", 0.0)), "the animation", report)
    tracks: dict[str, list[Track]] = {}
    keyframes = 0
    for track in record.get("tracks", ()):
        keys = track.get("keys")
        if keys is None:
            continue
        if track.name in tracks:
            text = f"two tracks have the name {track.name!r}; the later track is used"
            report.warn(text, topic=Topic.TRACK, offset=track.marks[0])
        tracks[track.name] = _channels(track, report)
        keyframes += len(keys)
    return Animation(
        name=record.get("name", ""),
        duration=length,
        tracks=tuple(channel for channels in tracks.values() for channel in channels),
        targets=tuple(tracks),
        keyframes=keyframes,
        events=events,
        notes=tuple(_note(track) for track in record.get("variant_tracks", ())),
        source=source,
    )


def _channels(track: Struct, report: Report) -> list[Track]:
    """The channels of one bone, which share the key times."""
    keys = track.keys
    times = keys["time"]
    if len(times) > 1 and not (times[1:] >= times[:-1]).all():
        report.warn(f"track {track.name!r}: the keys are not sorted by time", topic=Topic.KEYS)
    channels = []
    for path in keys.dtype.names[1:]:
        values = keys[path][:, WXYZ_TO_XYZW] if path == "rotation" else keys[path]
        if not np.isfinite(values).all():
            report.warn(f"track {track.name!r}: not every {path} is a finite number", topic=Topic.KEYS)
        channels.append(Track(track.name, path, times, values))
    return channels


def _note(track: Struct) -> UnplayedTrack:
    kind = track.get("interpolation", 0)
    interpolation = INTERPOLATIONS[kind] if kind < len(INTERPOLATIONS) else f"type {kind}"
    return UnplayedTrack(
        track.get("name", ""), variant_name(track.get("variant", 0)), interpolation, track.get("key_count", 0)
    )


Attributes = dict[str, str]


def triggers_beside(folder: Folder, path: PurePath, length: float, report: Report) -> tuple[Event, ...]:
    """Return the triggers in the sidecar file of an animation of `length` seconds, in order of time. `folder`
    is the folder of the animation `path`. A broken sidecar is reported.
    """
    for suffix, read in ((".xml", _xml), (".json", _json)):
        sidecar = folder.find(path.stem + suffix)
        if sidecar is None:
            continue
        try:
            data = folder.read(sidecar, TEXT_LIMIT)
            return _events(read(data, folder.where(sidecar)), length, folder.where(sidecar), report)
        except FormatError as error:
            error.topic = Topic.TRIGGERS
            report.fail(error)
            return ()
    return ()


def _xml(data: bytes, file: str) -> Iterator[Attributes]:
    return (trigger.attributes for trigger in parse_xml(data, file).all("trigger"))


def _json(data: bytes, file: str) -> Iterator[Attributes]:
    value = parse_json(data, file)
    listed = value.get("triggers") if isinstance(value, dict) else None
    return iter([json_texts(trigger) for trigger in listed]) if isinstance(listed, list) else iter(())


def _events(triggers: Iterator[Attributes], length: float, file: str, report: Report) -> tuple[Event, ...]:
    events = []
    for attributes in triggers:
        folded = {name.lower(): value for name, value in attributes.items()}
        scale, text = (
            (length, folded["normalizedtime"])
            if "normalizedtime" in folded
            else (1.0, folded.get("time", "0"))
        )
        try:
            time = float(text) * scale
        except ValueError:
            time = math.nan
        if math.isfinite(time):
            events.append(Event(time, folded.get("value", "")))
        else:
            report.warn(f"{file}: the trigger time {text!r} is not valid", topic=Topic.TRIGGERS)
    return tuple(sorted(events, key=lambda event: event.time))
