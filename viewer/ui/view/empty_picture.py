"""The text in an empty picture. It says why nothing is visible."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions.bindings import shown_key
from viewer.session.state import State
from viewer.ui.kit.theme import FAINT, TEXT
from viewer.ui.kit.widgets import Memo
from viewer.ui.view.overlays import GAP, label
from viewer.view.visibility import Visibility

BYTES = "The Chunks panel shows its bytes"
MODELLESS = ("This file has nothing to draw", BYTES, "Open a model to play an animation")


HOLD = 0.1
"""Seconds of playback after which a picture that was not empty is checked again."""

SEARCHED = 4e-3
"""Seconds of each frame in which the first visible moment of a clip is searched."""


class EmptyPicture:
    """Draws the reason why a picture is empty. The reason is computed again when the view changes."""

    def __init__(self) -> None:
        self._visibility = Memo()
        self._seen_at: float | None = None

    def __call__(self, state: State, low: ImVec2, size: ImVec2) -> None:
        """Draw the reason in the middle of the picture, or nothing if the model is visible."""
        words = self.words(state)
        if words:
            _lines(low, size, words)

    def words(self, state: State) -> tuple[str, ...]:
        """The lines of text for the document in view; none if the model is visible."""
        document, view, options = state.document, state.view, state.options
        if document is None:
            return ()
        if state.model is None:
            return MODELLESS
        clock, hidden = view.clock, frozenset(view.hidden)
        shown = (options.shading, options.skeleton, hidden, view.effects, tuple(view.morphs.items()))
        key = (document, view.playlist, clock.range, clock.loop, shown)
        visibility: Visibility = self._visibility.get(key, lambda: self._begun(state))
        if self._seen_at is not None and abs(clock.time - self._seen_at) < HOLD:
            return ()
        reason = visibility.reason(clock.time, state.playback.posed(), SEARCHED)
        state.pending_files.unsettled |= visibility.searching
        self._seen_at = None if reason else clock.time
        if not reason:
            return ()
        if not state.model or not state.model.geometries:
            return (reason, BYTES)
        key_text = shown_key(state.interface.preferences, "show_all")
        return (reason, f"{key_text} shows hidden items") if hidden else (reason,)

    def _begun(self, state: State) -> Visibility:
        self._seen_at = None
        return Visibility(state.snapshot())


def _lines(low: ImVec2, size: ImVec2, lines: tuple[str, ...]) -> None:
    draw = imgui.get_window_draw_list()
    step = imgui.get_text_line_height_with_spacing() * 1.2
    top = low.y + (size.y - step * len(lines)) / 2
    for number, line in enumerate(lines):
        wide = imgui.calc_text_size(line).x + 2 * GAP
        box = low.x + (size.x - wide) / 2, top + number * step, wide, imgui.get_text_line_height()
        label(draw, line, box, FAINT if number else TEXT)
