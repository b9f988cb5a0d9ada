"""Animation triggers from the sidecar `X.xml` or `X.json` beside `X.ani`.

Source: Urho3D `Animation.cpp`, `Animation::BeginLoad`, which reads the JSON only where there is no XML.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import PurePath

from viewer.errors import FormatError, Report, Topic
from viewer.scene.animation import Event
from viewer.storage.markup import TEXT_LIMIT, json_texts, parse_json, parse_xml
from viewer.storage.package_path import folder_of

Attributes = dict[str, str]


def triggers_beside(path: PurePath, length: float, report: Report) -> tuple[Event, ...]:
    """The triggers of an animation of `length` seconds, in order of time. A broken sidecar is reported."""
    folder = folder_of(path)
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
