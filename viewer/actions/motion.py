"""Motion actions: ghosts of the model at other times, and trails of bones and attachments."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

from viewer.actions.action import Action, Operation, equals, has_animations, otherwise, sets
from viewer.scene.animation import match
from viewer.scene.choices import NO_GHOSTS, Ghosts
from viewer.scene.items import AttachmentItem, BoneItem
from viewer.session.requests import Post
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.animation.motion.key_outliers import KeyOutlier

GHOST_COUNTS = (1, 2, 3, 5)
"""The numbers of ghosts that the menu offers."""


def trail_item(state: State) -> BoneItem | AttachmentItem | None:
    """The item whose trail the action would show or hide: the selected bone or attachment, or the bone whose
    weights are shown.
    """
    focus, bone = state.focus, state.view.bone
    if isinstance(focus, BoneItem | AttachmentItem):
        return focus
    return None if bone is None else BoneItem(bone)


@otherwise("No bone or attachment is selected")
def has_trail_item(state: State) -> bool:
    """Whether a bone or an attachment is selected."""
    return trail_item(state) is not None


def has_trail(state: State) -> bool:
    """Whether the selected bone or attachment has a trail."""
    return trail_item(state) in state.view.trails


@otherwise("No bone has a trail")
def has_trails(state: State) -> bool:
    """Whether any bone or attachment has a trail."""
    return bool(state.view.trails)


def toggle_trail(state: State, post: Post) -> None:
    """Show or hide the trail of the selected bone or attachment."""
    item = trail_item(state)
    if item is not None:
        state.view.trails ^= {item}


@otherwise("No clip plays, or none of its keys pops")
def may_have_outliers(state: State) -> bool:
    """Whether keys are listed, or the clip in view was not judged yet."""
    clip, result = state.playback.keyed, state.motion.result
    judged = result is not None and result.clip is clip
    return bool(state.motion.listed) if judged else clip is not None


def go_to_key(state: State, found: KeyOutlier) -> None:
    """Pause at a key that pops, and select its bone."""
    clip, names = state.playback.keyed, state.skeleton.names if state.skeleton else ()
    state.motion.chosen = state.motion.listed.index(found)
    state.view.clock.pause()
    state.view.clock.show(found.time, state.playback.duration)
    bone = None if clip is None else match(clip, names).bones.get(found.bone)
    if bone is not None:
        state.view.selection.pick(BoneItem(bone))
        state.view.bone = bone


def outlier(by: int) -> Operation:
    """Return the operation that goes to the next (1) or previous (-1) key of the list. The first call goes to
    its first key. If the clip was not judged yet, it is judged first.
    """

    def run(state: State, post: Post) -> None:
        """Go to the key."""
        motion, clip = state.motion, state.playback.keyed
        if motion.result is None or motion.result.clip is not clip:
            if clip is not None:
                motion.wanted, motion.awaited, motion.error = True, ref(clip), ""
                state.say("Judging the motion …", about=outlier)
            return
        number = 0 if motion.chosen < 0 else (motion.chosen + by) % len(motion.listed)
        go_to_key(state, motion.listed[number])
        motion.moved = True

    return run


def go_to_awaited(state: State) -> None:
    """Go to the first key of a clip that was judged because an action needs its keys, or say that it has
    none.
    """
    motion, awaited = state.motion, state.motion.awaited
    if awaited is None:
        return
    motion.awaited = None
    state.settle(outlier)
    if motion.error:
        state.say(motion.error, "error")
    elif motion.result is not None and motion.result.clip is awaited() is state.playback.keyed:
        if motion.listed:
            outlier(1)(state, lambda request: None)
        else:
            state.say("No key of the clip pops")


def clear_trails(state: State, post: Post) -> None:
    """Clear all trails."""
    state.view.trails = frozenset()


def toggle_ghosts(state: State, post: Post) -> None:
    """Show three ghosts before and after the time, or none."""
    state.options.ghosts = NO_GHOSTS if state.options.ghosts else Ghosts(3)


def ghosts(count: int) -> Operation:
    """Return the operation that shows this many ghosts before and after the time; the spacing is kept."""

    def run(state: State, post: Post) -> None:
        """Show the ghosts."""
        state.options.ghosts = Ghosts(count, state.options.ghosts.spacing)

    return run


def _count(count: int) -> Action:
    """Make the action that shows this many ghosts before and after the time."""

    def chosen(state: State) -> bool:
        """Whether this many ghosts are shown."""
        return not state.options.ghosts.keys and state.options.ghosts.around == count

    title = f"{count} before and after" if count else "None"
    return Action(f"ghosts_{count}", title, (), MENU, ghosts(count), has_animations, chosen)


MENU = ("View", "Ghosts")
GHOSTS = "options.ghosts"

MOTION = (
    Action(
        "ghosts",
        "Ghosts",
        ("Shift+O",),
        MENU,
        toggle_ghosts,
        has_animations,
        lambda state: bool(state.options.ghosts),
        words="onion skin ghosting",
    ),
    _count(0),
    *map(_count, GHOST_COUNTS),
    Action(
        "ghosts_keys",
        "At the keys of the bone",
        (),
        MENU,
        sets(GHOSTS, Ghosts(keys=True)),
        has_animations,
        equals(GHOSTS, Ghosts(keys=True)),
        words="keyframes poses",
    ),
    Action(
        "trail",
        "Trail",
        ("Shift+J",),
        ("View",),
        toggle_trail,
        has_trail_item,
        has_trail,
        words="motion path trajectory arc",
    ),
    Action(
        "previous_outlier",
        "Previous key that pops",
        ("Alt+Up",),
        ("Animation",),
        outlier(-1),
        may_have_outliers,
    ),
    Action(
        "next_outlier",
        "Next key that pops",
        ("Alt+Down",),
        ("Animation",),
        outlier(1),
        may_have_outliers,
        words="spike jump worst outlier",
    ),
    Action("clear_trails", "Clear trails", (), ("View",), clear_trails, has_trails),
)
