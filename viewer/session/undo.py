"""Undo and redo of what is seen: camera, look, hidden geometries, morphs and pose; not of time.

The State is compared with its last step once a frame. What changes from frame to frame, such as a drag, is
one step, and so is what changes while a button of the mouse is held.
"""

from __future__ import annotations

from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any

from viewer.dataclass import dataclass
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.playlist import Playlist

if TYPE_CHECKING:
    from viewer.session.state import State

DEPTH = 200
PAUSE = 0.4
"""Seconds of rest after which a change is a new step."""
LEFT_OUT = ("bone", "light")
"""The selection and the theme are no steps."""
LOOK = tuple(each.name for each in fields(DisplayOptions) if each.name not in LEFT_OUT)


@dataclass(frozen=True, slots=True, eq=False)
class ViewSnapshot:
    """What of the State can be undone. `playlist` is what plays once all fades are over; `look` are the
    values of `LOOK`, copied."""

    camera: Orbit | MatrixCamera
    playlist: Playlist
    look: tuple[Any, ...]

    @classmethod
    def of(cls, state: State) -> ViewSnapshot:
        """What it is now."""
        stays = (each for each in state.playlist if each.weight > 0 or each.fade is None)
        playlist = tuple(replace(each, fade=None) for each in stays)
        camera = state.camera if state.look.through is None or state.free is None else state.free
        return cls(camera, playlist, tuple(_copy(getattr(state.look, name)) for name in LOOK))

    def same(self, other: ViewSnapshot) -> bool:
        """Whether nothing differs. Matrices are the same only where they are one object."""
        one, two = self.camera, other.camera
        orbits = isinstance(one, Orbit) and isinstance(two, Orbit)
        seen = one == two if orbits else one is two
        return seen and (self.look, self.playlist) == (other.look, other.playlist)

    def restore(self, state: State) -> None:
        """Bring it back; animations that were read again are those of now, and those gone stay out."""
        looking = state.look.through is not None
        for name, value in zip(LOOK, self.look, strict=True):
            setattr(state.look, name, _copy(value))
        if looking and state.look.through is not None:
            state.free = self.camera
        else:
            state.camera = self.camera
        offered = {(each.name, each.source): each for each in state.animations}
        keys = [(each.animation.name, each.animation.source) for each in self.playlist]
        found = zip(self.playlist, map(offered.get, keys), strict=True)
        state.mix(replace(each, animation=now) for each, now in found if now is not None)


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | set) else value


@dataclass(slots=True, eq=False)
class History:
    """The steps of the document in view: another one begins anew, the same file read again does not."""

    past: list[ViewSnapshot] = field(default_factory=list)
    future: list[ViewSnapshot] = field(default_factory=list)
    _document: Document | None = None
    _now: ViewSnapshot | None = None
    _rest: float = PAUSE

    def watch(self, state: State, dt: float, held: bool = False, loading: bool = False) -> None:
        """Look at the State at the end of a frame of `dt` seconds.

        `held`: a change goes on with the last, as while a slider is dragged. `loading`: files are coming in,
        which is nothing to be undone.
        """
        step, document = ViewSnapshot.of(state), state.document
        if self._now is None or document is not self._document or loading:
            if (document and document.path) != (self._document and self._document.path):
                self.past.clear()
                self.future.clear()
            self._document, self._now, self._rest = document, step, PAUSE
        elif step.same(self._now):
            self._rest += 0.0 if held else dt
        else:
            if self._rest >= PAUSE or not self.past:
                self.past = [*self.past, self._now][-DEPTH:]
            self.future.clear()
            self._now, self._rest = step, 0.0

    def undo(self, state: State) -> bool:
        """Go back by a step; False where there is none."""
        return self._move(state, self.past, self.future)

    def redo(self, state: State) -> bool:
        """Take the last undo back; False where there is none."""
        return self._move(state, self.future, self.past)

    def _move(self, state: State, source: list[ViewSnapshot], target: list[ViewSnapshot]) -> bool:
        if not source:
            return False
        target.append(ViewSnapshot.of(state))
        source.pop().restore(state)
        self._now, self._rest = ViewSnapshot.of(state), PAUSE
        return True
