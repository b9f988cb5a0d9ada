"""Rules for the events of clips.

Source: Urho3D `AnimationState::AddTime`, which sends the triggers between the old and the new time.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.clips.clip import clips
from viewer.check.rule import Found, Rule, listed, reported, rounded
from viewer.errors import Topic, counted
from viewer.scene.animation import Event
from viewer.scene.finding import Severity
from viewer.scene.items import EventItem, Item

LATE = 1e-3
"""An event outside its clip is treated as a rounding error if it is at most this many seconds away from the
clip.
"""


def outside(context: CheckContext) -> Iterator[Found]:
    """Report events before the start or after the end of their clip."""
    for clip in clips(context):
        end = clip.animation.duration
        events = clip.animation.events
        off = [event for event in events if not -LATE <= event.time <= end + LATE]
        if off:
            names = listed([_text(event) for event in off])
            lie = "lies" if len(off) == 1 else "lie"
            text = (
                f"{len(off)} of {counted(len(events), 'event')} {lie} outside the clip of {rounded(end)} s: "
                f"{names}"
            )
            yield clip.found(text, _items(context, off))


def _text(event: Event) -> str:
    return f"{event.name or 'trigger'} at {rounded(event.time)} s"


def _items(context: CheckContext, events: list[Event]) -> list[Item]:
    """The items of those events of the model whose names occur in `events`."""
    names = {event.name for event in events}
    return [EventItem(at) for at, event in enumerate(context.shapes.events) if event.name in names]


RULES = (
    Rule(
        "animation/event-outside",
        Severity.WARNING,
        "An event lies outside its clip",
        outside,
        {
            "Urho3D": "The time of a clip stops or begins again at its end: the trigger is never sent.",
            "WoW": "The sequence ends before the event: its sound or effect is never played.",
            "": "The event never happens.",
        },
        "Move the event to a time inside the clip, or extend the clip to the time of the event.",
        "clip 'Walk': 1 of 2 events lies outside the clip of 1 s: Step at 1.25 s",
    ),
    Rule(
        "animation/trigger-file",
        Severity.WARNING,
        "The file with the triggers of a clip is broken",
        reported(Topic.TRIGGERS),
        {"Urho3D": "The clip plays without its triggers; the log gives the line number of the error."},
        "Correct the XML or JSON file beside the animation.",
        "not well-formed (invalid token): line 3, column 8",
    ),
)
