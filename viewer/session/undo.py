"""Undo and redo of camera, look, hidden geometries, morphs and pose; time is not undone.

The State is compared with the last step once a frame. Changes in consecutive frames, such as a drag, are one
step, and so are changes while a mouse button is held.
"""

from __future__ import annotations

from dataclasses import field, fields, replace
from typing import Any

from viewer.dataclass import dataclass
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.playlist import Playlist
from viewer.session.playback import PlaybackState

DEPTH = 200
PAUSE = 0.4
"""Seconds without change after which the next change is a new step."""
LEFT_OUT = ("bone", "light")
"""Changes of the selection and the theme are not steps."""
LOOK = tuple(each.name for each in fields(DisplayOptions) if each.name not in LEFT_OUT)


@dataclass(frozen=True, slots=True, eq=False)
class ViewSnapshot:
    """The part of the State that can be undone.

    `playlist` is the playlist after all fades; `look` holds copies of the fields in `LOOK`.
    """

    camera: Orbit | MatrixCamera
    playlist: Playlist
    look: tuple[Any, ...]

    @classmethod
    def of(cls, state: PlaybackState) -> ViewSnapshot:
        """The snapshot of the current State."""
        stays = (each for each in state.playlist if each.weight > 0 or each.fade is None)
        playlist = tuple(replace(each, fade=None) for each in stays)
        camera = state.camera if state.look.through is None or state.free is None else state.free
        return cls(camera, playlist, tuple(_copy(getattr(state.look, name)) for name in LOOK))

    def same(self, other: ViewSnapshot) -> bool:
        """Whether two snapshots are equal. Matrix cameras are equal only if they are the same object."""
        one, two = self.camera, other.camera
        orbits = isinstance(one, Orbit) and isinstance(two, Orbit)
        seen = one == two if orbits else one is two
        return seen and (self.look, self.playlist) == (other.look, other.playlist)

    def restore(self, state: PlaybackState) -> None:
        """Restore the snapshot, with reloaded animations and without missing ones."""
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
    """The undo steps of the document in view; it starts anew for another document, but not after a reload."""

    past: list[ViewSnapshot] = field(default_factory=list)
    future: list[ViewSnapshot] = field(default_factory=list)
    _document: Document | None = None
    _now: ViewSnapshot | None = None
    _rest: float = PAUSE

    def watch(self, state: PlaybackState, dt: float, held: bool = False, loading: bool = False) -> None:
        """Compare the State with the last step at the end of a frame of `dt` seconds.

        `held`: a change extends the last step, as while a slider is dragged. `loading`: changes while files
        are loaded are not steps.
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

    def undo(self, state: PlaybackState) -> bool:
        """Go back one step; False if there is none."""
        return self._move(state, self.past, self.future)

    def redo(self, state: PlaybackState) -> bool:
        """Redo the last undone step; False if there is none."""
        return self._move(state, self.future, self.past)

    def _move(self, state: PlaybackState, source: list[ViewSnapshot], target: list[ViewSnapshot]) -> bool:
        if not source:
            return False
        target.append(ViewSnapshot.of(state))
        source.pop().restore(state)
        self._now, self._rest = ViewSnapshot.of(state), PAUSE
        return True
