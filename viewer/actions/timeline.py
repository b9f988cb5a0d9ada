"""Timeline actions: follow the playhead, show the whole clip, count in frames or seconds."""

from __future__ import annotations

from viewer.actions.action import Action, has_playlist, holds, toggles
from viewer.session.requests import Post
from viewer.session.state import State


def fit_timeline(state: State, post: Post) -> None:
    """Show the whole clip in the timeline."""
    state.view.timeline.fit()


MENU = ("Animation", "Timeline")
FOLLOW, FRAMES = "view.timeline.follow", "view.timeline.frames"
HEAT, CONTACTS = "view.timeline.heat", "view.timeline.contacts"

TIMELINE = (
    Action("follow", "Follow playhead", (), MENU, toggles(FOLLOW), checked=holds(FOLLOW)),
    Action("frames", "Show frames", (), MENU, toggles(FRAMES), checked=holds(FRAMES)),
    Action(
        "heat",
        "Heat map",
        (),
        MENU,
        toggles(HEAT),
        has_playlist,
        holds(HEAT),
        words="angular speed pop spike jump",
    ),
    Action(
        "contacts",
        "Contacts of feet",
        (),
        MENU,
        toggles(CONTACTS),
        has_playlist,
        holds(CONTACTS),
        words="foot slide ground",
    ),
    Action("fit_timeline", "Show whole clip", (), MENU, fit_timeline, has_playlist),
)
