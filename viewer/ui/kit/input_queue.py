"""The events on their way to ImGui: a frame takes as many of them as it can tell apart, in their order."""

from __future__ import annotations

from msgspec import Struct

KEY, TEXT, POINTER, BUTTON, WHEEL, FOCUS = "key", "text", "pointer", "button", "wheel", "focus"
MOVES = ("LEFT", "RIGHT", "UP", "DOWN", "HOME", "END", "PAGEUP", "PAGEDOWN", "INSERT", "DELETE")
EDITING = frozenset(
    (
        *MOVES,
        *(f"NUM_{word}" for word in MOVES),
        *("TAB", "ENTER", "RETURN", "NUM_ENTER", "BACKSPACE", "ESCAPE"),
    )
)
"""Keys that change a text field otherwise than by a character."""
MODIFIER_KEYS = frozenset(
    f"{side}{word}" for side in "LR" for word in ("CTRL", "SHIFT", "ALT", "COMMAND", "WINDOWS")
)


class InputEvent(Struct, frozen=True):
    """An event of the `kind` KEY, TEXT, POINTER, BUTTON, WHEEL or FOCUS.

    `name` is the key or button, or the typed text; `down` tells whether it was pressed (for FOCUS: gained).
    `modifiers` are the modifier keys held then. `x`, `y` are the position in points, or the notches of the
    wheel. `time` is the time of a press in seconds, None if it is unknown.
    """

    kind: str
    name: str = ""
    down: bool = False
    modifiers: frozenset[str] = frozenset()
    x: float = 0.0
    y: float = 0.0
    time: float | None = None

    @property
    def presses(self) -> bool:
        """Whether a key other than a modifier key is pressed."""
        return self.kind == KEY and self.down and self.name not in MODIFIER_KEYS

    @property
    def types(self) -> bool:
        """Whether the key that is pressed may type a character."""
        return not self.modifiers & {"Ctrl", "Super"} and self.name not in EDITING


class InputBatch:
    """The events of one frame.

    A frame has at most one key press, with the text that it types, and one change of each key and button. A
    movement of the pointer has a frame of its own: ImGui hovers an item under others only in the next frame,
    and a button that is released in the frame of a movement has dropped what it dragged.
    """

    def __init__(self) -> None:
        self._kinds: set[str] = set()
        self._changed: set[str] = set()
        self._press: InputEvent | None = None

    @property
    def press(self) -> InputEvent | None:
        """The key press of the frame."""
        return self._press

    def fits(self, event: InputEvent) -> bool:
        """Whether the frame can take the event too."""
        kinds = self._kinds
        match event.kind:
            case "pointer":
                return kinds <= {POINTER}
            case "button":
                return not kinds & {POINTER, WHEEL, FOCUS} and event.name not in self._changed
            case "wheel":
                return kinds <= {WHEEL}
            case "key":
                apart = bool(kinds & {BUTTON, FOCUS}) or event.name in self._changed
                return not apart and not (event.presses and (self._press or TEXT in kinds))
            case "text":
                return kinds <= {KEY, TEXT} and (self._press is None or self._press.types)
        return not kinds

    def add(self, event: InputEvent) -> None:
        """Take the event, which fits."""
        self._kinds.add(event.kind)
        if event.kind in (KEY, BUTTON):
            self._changed.add(event.name)
        if event.presses:
            self._press = event
