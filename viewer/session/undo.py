"""Undo and redo for the document in view: collects the values of the session and restores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from viewer.scene.animation import Animation
from viewer.scene.display import DisplayOptions
from viewer.session.clips import renewed
from viewer.session.documents import OpenDocuments
from viewer.session.history import TIME, Values
from viewer.session.playback import DocumentPlayback
from viewer.session.step_names import COMPARISON, PLAYLIST, RANGE
from viewer.view.playlist import Playback

VIEW_FIELDS = (
    "own_camera",
    "file_camera_number",
    "lod",
    "morphs",
    "hidden",
    "trails",
    "effects",
    "textures",
    "up",
    "measures",
    "display",
    "added",
)
CLOCK_FIELDS = ("loop", "speed", "fps", "in_place")
DISPLAY_FIELDS = tuple(each for each in DisplayOptions.__struct_fields__ if each != "light_theme")
"""The display options that can be undone: all options except `light_theme`, because it follows the theme."""


class Undo(Struct, eq=False):
    """Undo and redo for the document in view. Each document's steps are stored in the document's view."""

    documents: OpenDocuments
    playback: DocumentPlayback
    options: DisplayOptions

    def watch(self, dt: float, held: bool = False, loading: bool = False, pressed: bool = False) -> None:
        """Record this frame's changes to the document in view as an undo step, see `History.watch`."""
        self.documents.view.history.watch(self.values(), dt, held, loading, pressed)

    def undo(self) -> bool:
        """Undo the last step of the document in view; return False if there is none."""
        return self._restore(self.documents.view.history.undo())

    def redo(self) -> bool:
        """Redo the last undone step of the document in view; return False if there is none."""
        return self._restore(self.documents.view.history.redo())

    def values(self) -> Values:
        """The values that undo restores.

        Fades count as finished: the stored playlist and range are the ones after all fades.
        """
        view, clock = self.documents.view, self.documents.view.clock
        playlist = tuple(
            replace(each, fade=None) for each in view.playlist if each.weight > 0 or not each.fade
        )
        rest = Playback(playlist, clock)
        trimmed = clock.range is not None and rest.trimmed and clock.range[1] <= rest.duration
        return {
            **{name: _copy(getattr(view, name)) for name in VIEW_FIELDS},
            **{name: getattr(self.options, name) for name in DISPLAY_FIELDS},
            **{name: getattr(clock, name) for name in CLOCK_FIELDS},
            COMPARISON: self.documents.comparison,
            PLAYLIST: playlist,
            RANGE: clock.range if trimmed else None,
            TIME: clock.time,
        }

    def _restore(self, values: Values | None) -> bool:
        """Restore the values of an undo step; return False if `values` is None."""
        if values is None:
            return False
        for name in VIEW_FIELDS:
            if name in values:
                setattr(self.documents.view, name, _copy(values[name]))
        for name in DISPLAY_FIELDS:
            if name in values:
                setattr(self.options, name, values[name])
        self.documents.comparison = values.get(COMPARISON, self.documents.comparison)
        self._restore_playback(values)
        self.documents.view.history.resume(self.values())
        return True

    def _restore_playback(self, values: Mapping[str, Any]) -> None:
        """Restore playlist, range and time.

        A reloaded animation takes the place of its old version; a missing animation is dropped. The time is
        restored only if the first animation changes.
        """
        before, clock = self._leading, self.documents.view.clock
        if PLAYLIST in values:
            self.playback.mix(renewed(values[PLAYLIST], self.playback.animations))
        if "loop" in values:
            self.playback.repeat(values["loop"])
        if RANGE in values:
            span = values[RANGE]
            if span is None or span[1] > self.playback.duration:
                self.playback.untrim()
            else:
                clock.range = span
        for name in ("speed", "fps", "in_place"):
            setattr(clock, name, values.get(name, getattr(clock, name)))
        if TIME in values and self._leading is not before:
            clock.seek(values[TIME])

    @property
    def _leading(self) -> Animation | None:
        return self.documents.view.playlist[0].animation if self.documents.view.playlist else None


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | set) else value
