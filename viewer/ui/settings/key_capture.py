"""The dialog that takes the next pressed keys as the keys of an action."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.bindings import active, bind
from viewer.session.preferences import Preferences
from viewer.session.state import State
from viewer.ui.kit.dialogs import default_button
from viewer.ui.kit.shortcuts import chords, is_chord, pressed_chord
from viewer.ui.kit.theme import ACCENT, WARNING
from viewer.ui.kit.widgets import colored, faint, mono, wrapped

FLAGS = int(
    imgui.WindowFlags_.always_auto_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_title_bar
)
WIDTH = 24.0
"""The width of the dialog in letter heights."""
CANCEL, TAKE = "Escape", "Enter"


class KeyCapture:
    """The dialog for one action at a time; `state.interface.capturing` is set while it is open.

    If no other action has the pressed keys, they become keys of the action at once. Otherwise the dialog
    names the other action and asks for confirmation.
    """

    def __init__(self) -> None:
        self._name = self._replaced = self._pressed = ""

    def open(self, state: State, name: str, replaced: str = "") -> None:
        """Open the dialog for an action. The new keys replace the keys `replaced`, or are added."""
        self._name, self._replaced, self._pressed = name, replaced, ""
        state.interface.capturing = True

    def close(self, state: State) -> None:
        """Close the dialog."""
        self._name, state.interface.capturing = "", False

    def draw(self, state: State) -> None:
        """Draw the dialog if it is open, and take the pressed keys."""
        if not self._name:
            return
        if not imgui.is_popup_open("###capture"):
            imgui.open_popup("###capture")
        screen = imgui.get_io().display_size
        imgui.set_next_window_pos(ImVec2(screen.x / 2, screen.y / 2), imgui.Cond_.always, ImVec2(0.5, 0.5))
        width = min(imgui.get_font_size() * WIDTH, screen.x * 0.9)
        imgui.set_next_window_size_constraints(ImVec2(width, 0), ImVec2(width, screen.y))
        if not imgui.begin_popup_modal("###capture", None, FLAGS)[0]:
            return
        if not imgui.is_window_appearing():
            self._take(state, pressed_chord())
        if self._name:
            self._inside(state)
        if not self._name:
            imgui.close_current_popup()
        imgui.end_popup()

    def _take(self, state: State, chord: str) -> None:
        """Use a pressed chord: at once if no other action has it, otherwise after Enter or a click."""
        if chord == CANCEL:
            self.close(state)
        elif self._pressed and chord == TAKE:
            self._set(state, self._pressed)
        elif chord and owner(state.interface.preferences, chord, self._name):
            self._pressed = chord
        elif chord:
            self._set(state, chord)

    def _inside(self, state: State) -> None:
        """Draw the texts and buttons."""
        preferences = state.interface.preferences
        colored(ACTIONS_BY_NAME[self._name].title, ACCENT)
        other = owner(preferences, self._pressed, self._name) if self._pressed else ""
        if other:
            with mono():
                imgui.text_unformatted(self._pressed)
            wrapped(f"{self._pressed} is a key of “{ACTIONS_BY_NAME[other].title}”.", WARNING)
            faint("Enter: take it from that action. Other keys: choose again.")
        else:
            imgui.text_unformatted("Press the new keys.")
            faint("Escape: change nothing.")
        imgui.spacing()
        if other:
            if default_button("Take it", enter=False):
                self._set(state, self._pressed)
                return
            imgui.same_line()
        if self._replaced:
            if imgui.button(f"Remove {self._replaced}"):
                self._set(state, "")
                return
            imgui.same_line()
        if imgui.button("Cancel"):
            self.close(state)

    def _set(self, state: State, chord: str) -> None:
        """Give the action its new keys, and report this in the status line. With an empty chord, only remove
        the replaced keys.
        """
        preferences, action = state.interface.preferences, ACTIONS_BY_NAME[self._name]
        other = owner(preferences, chord, self._name) if chord else ""
        before = [*active(preferences)[self._name]]
        at = before.index(self._replaced) if self._replaced in before else len(before)
        bind(preferences, self._name, [*before[:at], *filter(None, [chord]), *before[at + 1 :]])
        taken = f", no longer of “{ACTIONS_BY_NAME[other].title}”" if other else ""
        said = f"{chord} is a key of" if chord else f"{self._replaced} is no longer a key of"
        state.interface.note(f"{said} “{action.title}”{taken}")
        self.close(state)


def owner(preferences: Preferences, chord: str, name: str) -> str:
    """The name of the action, other than `name`, that has a chord; empty if no other action has it."""
    wanted = set(chords(chord))
    for other, texts in active(preferences).items():
        if other != name and any(wanted & set(chords(text)) for text in filter(is_chord, texts)):
            return other
    return ""
