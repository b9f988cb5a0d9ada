"""Judges the motion of the clip in view, in the background."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from weakref import ref

from viewer.actions.motion import go_to_awaited
from viewer.animation.motion.ground import Ground
from viewer.app.tasks import Task, Tasks
from viewer.scene.animation import Animation
from viewer.session.state import State
from viewer.view.playlist import Playback

if TYPE_CHECKING:
    from viewer.session.motion import MotionResult


class MotionSearch:
    """Keeps `state.motion` up to date while a panel wants it. Call `step` once a frame."""

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state, self._tasks = state, tasks
        self._key: tuple[object, ...] = ()
        self._task: Task | None = None

    def step(self) -> None:
        """Start a search if a panel wants the motion of another clip, or if the feet or the ground were
        changed.
        """
        state, motion = self._state, self._state.motion
        wanted, motion.wanted = motion.wanted, False
        clip, skeleton = state.playback.keyed, state.skeleton
        if motion.result is not None and motion.result.clip is not clip:
            motion.take(None)
            self._key = ()
        if not wanted or clip is None:
            return
        # imported late, because few windows judge a motion
        from viewer.session.feet import listed_feet, unjudged_bones

        chosen = listed_feet(state), state.view.ground, unjudged_bones(state)
        key = (ref(clip), None if skeleton is None else ref(skeleton), state.view.placement, *chosen)
        nothing_known = self._task is None and motion.result is None and not motion.error
        if key != self._key or nothing_known:
            self._key = key
            if self._task is not None:
                self._tasks.cancel(self._task)
            work = partial(_judged, clip, state.playback.current, *chosen)
            self._task = self._tasks.submit("motion", work, self._take, "motion")

    def _take(self, task: Task) -> None:
        """Store the result."""
        self._task = None
        error = f"The motion could not be judged: {task.error}" if task.error else ""
        self._state.motion.take(task.value, error)
        go_to_awaited(self._state)


def _judged(
    clip: Animation,
    playback: Playback,
    feet: tuple[str, ...] | None,
    ground: Ground,
    unjudged: tuple[str, ...],
    task: Task,
) -> MotionResult:
    """Judge a clip in a thread of the tasks. `feet` are the names of the feet (None: guess them); `unjudged`
    are the names of the bones that are left out of the list of keys.
    """
    from viewer.animation.motion.key_outliers import key_outliers
    from viewer.animation.motion.rotation_keys import rotation_keys
    from viewer.session.feet import feet_of, footwork_of
    from viewer.session.motion import MotionResult

    found = feet_of(playback, feet)
    steps = footwork_of(playback, clip, found, ground)
    return MotionResult(clip, rotation_keys(clip), key_outliers(clip, unjudged), found, steps)
