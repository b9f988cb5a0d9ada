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

TIMELINE = (
    Action("follow", "Follow playhead", (), MENU, toggles(FOLLOW), checked=holds(FOLLOW)),
    Action("frames", "Show frames", (), MENU, toggles(FRAMES), checked=holds(FRAMES)),
    Action("fit_timeline", "Show whole clip", (), MENU, fit_timeline, has_playlist),
)
