"""Timeline actions: follow the playhead, show the whole clip, count in frames or seconds."""

from __future__ import annotations

from viewer.actions.action import Action, always, has_playlist
from viewer.session.requests import Post
from viewer.session.state import State


def follows_time(state: State) -> bool:
    """Whether the timeline scrolls by pages to keep the playhead visible."""
    return state.view.timeline.follow


def counts_frames(state: State) -> bool:
    """Whether times are shown as frames."""
    return state.view.timeline.frames


def toggle_follow(state: State, post: Post) -> None:
    """Toggle whether the timeline scrolls by pages to keep the playhead visible."""
    state.view.timeline.follow = not state.view.timeline.follow


def toggle_frames(state: State, post: Post) -> None:
    """Show times as frames or as seconds."""
    state.view.timeline.frames = not state.view.timeline.frames


def fit_timeline(state: State, post: Post) -> None:
    """Show the whole clip in the timeline."""
    state.view.timeline.fit()


MENU = ("Animation", "Timeline")

TIMELINE = (
    Action("follow", "Follow playhead", (), MENU, toggle_follow, always, follows_time),
    Action("frames", "Show frames", (), MENU, toggle_frames, always, counts_frames),
    Action("fit_timeline", "Show whole clip", (), MENU, fit_timeline, has_playlist),
)
