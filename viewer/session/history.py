"""Undo and redo of the view of one document: camera, display options, hidden parts, pose and playback.

History compares the values at the end of each frame. Changes in consecutive frames, such as a drag, make one
step. All changes while a mouse button is held also make one step, and each press of a mouse button begins a
new step. If only the time changes, no step is made,
but every step also restores the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from viewer.scene.camera import MatrixCamera
from viewer.session.step_names import step_name

TIME = "time"
"""The name of the clip time. A change of only this value makes no step."""
DEPTH = 200
PAUSE = 0.4
"""Seconds without a change after which the next change begins a new step."""

Values = Mapping[str, Any]
"""All values that can be undone, by name."""


class HistoryStep(Struct, frozen=True, eq=False):
    """An undo step: the values before and after a change."""

    before: Values
    after: Values

    @property
    def name(self) -> str:
        """The name of the change, such as `hide geometry`."""
        names = [name for name in changed(self.before, self.after) if name != TIME]
        return step_name(names, self.before, self.after)


def changed(before: Values, after: Values) -> list[str]:
    """List the names of the values that differ. Two matrix cameras are equal only if they are the same
    object.
    """
    return [name for name, value in before.items() if not _same(value, after[name])]


def _same(one: Any, two: Any) -> bool:
    return one is two or (
        not isinstance(one, MatrixCamera) and not isinstance(two, MatrixCamera) and one == two
    )


class History(Struct, eq=False):
    """The undo and redo steps of one document. A step restores only the values that it changed."""

    past: list[HistoryStep] = field(default_factory=list)
    future: list[HistoryStep] = field(default_factory=list)
    _now: Values | None = None
    _rest: float = PAUSE

    def watch(
        self, now: Values, dt: float, held: bool = False, loading: bool = False, pressed: bool = False
    ) -> None:
        """Compare the values at the end of a frame with the last known values; `dt` is the time in seconds
        since the previous frame.

        With `held`, a change joins the last step, for example while a slider is dragged. With `loading`,
        changes make no step, because loaded files cause them. With `pressed`, a mouse button was pressed in
        this frame: changes from now on make a new step.
        """
        self._rest = PAUSE if pressed else self._rest
        if self._now is None or loading:
            self._now = now
        elif changed(self._now, now) in ([], [TIME]):
            self._rest += 0.0 if held else dt
            self._now = now
        else:
            if self._rest >= PAUSE or not self.past:
                self.past = [*self.past, HistoryStep(self._now, now)][-DEPTH:]
            else:
                self.past[-1] = HistoryStep(self.past[-1].before, now)
            self.future.clear()
            self._now, self._rest = now, 0.0

    def resume(self, now: Values | None = None, joins: bool = False) -> None:
        """Take the values `now` as the new starting point. Changes before this call make no step.

        With None, the values of the next frame become the starting point. With `joins`, the next change
        belongs to the last step, unless a pause comes before this change.
        """
        self._now, self._rest = now, self._rest if joins else PAUSE

    def undo(self) -> Values | None:
        """Undo the last step, and return the values to restore; None if there is no step."""
        if not self.past:
            return None
        step = self.past.pop()
        self.future.append(step)
        return {name: step.before[name] for name in changed(step.before, step.after)}

    def redo(self) -> Values | None:
        """Redo the last undone step, and return the values to restore; None if there is no step."""
        if not self.future:
            return None
        step = self.future.pop()
        self.past.append(step)
        return {name: step.after[name] for name in changed(step.before, step.after)}
