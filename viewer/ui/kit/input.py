"""Feeds the window's events to ImGui, independent of the window toolkit.

Keys have pyglet's names, see `key_names`. Positions are in points from the upper left corner.
"""

from __future__ import annotations

from collections import deque

from imgui_bundle import imgui
from msgspec import Struct

from viewer.ui.kit.key_names import ALL_KEYS, KEYS

KEY, TEXT, POINTER, BUTTON, WHEEL, FOCUS = "key", "text", "pointer", "button", "wheel", "focus"
MOVES = ("LEFT", "RIGHT", "UP", "DOWN", "HOME", "END", "PAGEUP", "PAGEDOWN", "INSERT", "DELETE")
EDITING = frozenset(
    (
        *MOVES,
        *(f"NUM_{word}" for word in MOVES),
        *("TAB", "ENTER", "RETURN", "NUM_ENTER", "BACKSPACE", "ESCAPE"),
    )
)
"""Keys that edit a text field without typing a character."""
_HELD = {"CTRL": "Ctrl", "SHIFT": "Shift", "ALT": "Alt", "COMMAND": "Super", "WINDOWS": "Super"}
MODIFIER_KEYS = {f"{side}{word}": held for side in "LR" for word, held in _HELD.items()}
"""The modifier keys, with their names as `modifiers` of an event."""


class InputEvent(Struct, frozen=True):
    """An event of the `kind` KEY, TEXT, POINTER, BUTTON, WHEEL or FOCUS.

    `name` is the key, the button, or the typed text. `down` is True for a press, and for FOCUS if the window
    gains the focus. `modifiers` are the modifier keys held at that time. `x`, `y` are the position in points;
    for WHEEL, the notches. `time` is the time of a press in seconds, None if it is unknown.
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
        """Whether the event is the press of a key other than a modifier key."""
        return self.kind == KEY and self.down and self.name not in MODIFIER_KEYS

    @property
    def types(self) -> bool:
        """Whether the pressed key may type a character."""
        return not self.modifiers & {"Ctrl", "Super"} and self.name not in EDITING


class InputBatch:
    """The events that ImGui gets in one frame.

    A frame takes at most one key press with the text that it types, and one change of each key and button. A
    pointer movement gets a frame of its own, for two reasons: ImGui recognises a widget below other widgets
    as hovered only one frame later, and a button released in the same frame would drop at the old position.
    """

    def __init__(self) -> None:
        self._kinds: set[str] = set()
        self._changed: set[str] = set()
        self._press: InputEvent | None = None

    @property
    def press(self) -> InputEvent | None:
        """The key press of the frame, None if there is none."""
        return self._press

    def fits(self, event: InputEvent) -> bool:
        """Whether the frame can also take this event.

        A frame has only the modifier keys of its last event. Therefore an event with other modifier keys
        cannot follow a key press, and no key can follow a turn of the wheel.
        """
        kinds = self._kinds
        if self._press and event.kind in (KEY, BUTTON) and event.modifiers != self._press.modifiers:
            return False
        match event.kind:
            case "pointer":
                return kinds <= {POINTER}
            case "button":
                return not kinds & {POINTER, WHEEL, FOCUS} and event.name not in self._changed
            case "wheel":
                return kinds <= {WHEEL}
            case "key":
                apart = bool(kinds & {BUTTON, WHEEL, FOCUS}) or event.name in self._changed
                return not apart and not (event.presses and (self._press or TEXT in kinds))
            case "text":
                return kinds <= {KEY, TEXT} and (self._press is None or self._press.types)
        return not kinds

    def add(self, event: InputEvent) -> None:
        """Add an event for which `fits` is True."""
        self._kinds.add(event.kind)
        if event.kind in (KEY, BUTTON):
            self._changed.add(event.name)
        if event.presses:
            self._press = event


__all__ = ["BUTTONS", "KEYS", "MODIFIERS", "Input"]

MODIFIERS = {
    "Ctrl": imgui.Key.mod_ctrl,
    "Shift": imgui.Key.mod_shift,
    "Alt": imgui.Key.mod_alt,
    "Super": imgui.Key.mod_super,
}
"""ImGui's modifier keys by their names in events."""
BUTTONS = {"left": 0, "right": 1, "middle": 2}
DOUBLE_CLICK = 0.4
"""Largest time in seconds between the two presses of a double click."""
ALWAYS, NEVER = 1e9, 0.0
FIELD_FRAMES = 8
"""The largest number of frames for which typed text waits for a field that the last key opens."""


class Input:
    """Feeds the events of one window into the current ImGui context.

    The events wait in a queue. `feed` passes on as many of them as fit into one frame. Text that is typed
    after a key that opens a text field waits for the field. `awaits_field` is set while a field that is not
    drawn yet will get the focus. `takes_text` is set while the focused window takes text without a field.
    """

    def __init__(self) -> None:
        self._io = imgui.get_io()
        self._io.config_input_trickle_event_queue = False
        self._usual = self._io.mouse_double_click_time
        self._io.mouse_single_click_delay = 2 * ALWAYS  # this delay is longer than the time of a double click
        self._queue: deque[InputEvent] = deque()
        self._down: dict[imgui.Key | None, str] = {}
        self._held: set[str] = set()
        self._at = (-imgui.FLT_MAX, -imgui.FLT_MAX)
        self._outside = False
        self._pressed: dict[str, float] = {}
        self._spent: tuple[str, str] | None = None
        self._waited = 0
        self._taken = False
        self.awaits_field = self.takes_text = False

    @property
    def waiting(self) -> bool:
        """Whether events wait for the next frames."""
        return bool(self._queue)

    def key(self, name: str, down: bool, modifiers: frozenset[str] = frozenset()) -> None:
        """Queue the press or release of a key. `modifiers` are the held modifier keys.

        Repeated presses of a held key are ignored because ImGui repeats keys itself. On X11, a release may
        have another name than its press, because Shift or Num Lock changed in between. The release of a key
        that is not held therefore releases all held keys.
        """
        own = frozenset(filter(None, [MODIFIER_KEYS.get(name)]))  # on X11, events have the state before them
        modifiers = modifiers | own if down else modifiers - own
        key = ALL_KEYS.get(name)
        if down and key is not None and key in self._down:
            return
        if down:
            self._down[key] = name
        elif self._down.pop(key, None) is None:
            for held in self._down.values():
                self._queue.append(InputEvent(KEY, held, False, modifiers))
            self._down.clear()
        self._queue.append(InputEvent(KEY, name, down, modifiers))

    def text(self, text: str) -> None:
        """Queue typed characters."""
        if text:
            self._queue.append(InputEvent(TEXT, text))

    def pointer(self, x: float, y: float, held: frozenset[str] | None = None) -> None:
        """Queue a movement of the pointer to `x`, `y`. `held` are the held buttons, None if they are unknown.

        A button that is not in `held` any more was released outside the window; its release is queued too.
        """
        for button in sorted(self._held - held) if held is not None else ():
            self.button(button, False)
        self._point(x, y)

    def pointer_entered(self) -> None:
        """Record that the pointer has entered the window."""
        self._outside = False

    def pointer_left(self) -> None:
        """Record that the pointer has left the window.

        While a button is held, the pointer still counts as inside.
        """
        self._outside = True
        if not self._held:
            self._point(-imgui.FLT_MAX, -imgui.FLT_MAX)

    def _point(self, x: float, y: float) -> None:
        if (x, y) != self._at:
            self._at = x, y
            self._queue.append(InputEvent(POINTER, x=x, y=y))

    def button(
        self, name: str, down: bool, modifiers: frozenset[str] = frozenset(), time: float | None = None
    ) -> None:
        """Queue a press or release of the `left`, `right` or `middle` button; other buttons are ignored.

        `time` is the time of the event in seconds, None for the time of the frame. Double clicks are
        recognised by this time, even if frames take long.
        """
        if name not in BUTTONS:
            return
        (self._held.add if down else self._held.discard)(name)
        self._queue.append(InputEvent(BUTTON, name, down, modifiers, time=time))
        if self._outside and not self._held:
            self.pointer_left()

    def wheel(self, x: float, y: float) -> None:
        """Queue a turn of the wheel by `x`, `y` notches; y is positive upwards."""
        self._queue.append(InputEvent(WHEEL, x=x, y=y))

    def focus(self, gained: bool) -> None:
        """Queue a change of the keyboard focus.

        When the focus is lost, held keys and buttons count as released.
        """
        if not gained:
            self._down.clear()
            self._held.clear()
        self._queue.append(InputEvent(FOCUS, down=gained))

    def feed(self) -> None:
        """Pass the next events to ImGui. Call it before ImGui's frame begins."""
        self._io.mouse_double_click_time = self._usual
        if self._waits():
            return
        batch = InputBatch()
        while self._queue and batch.fits(self._queue[0]):
            event = self._queue.popleft()
            batch.add(event)
            self._pass_on(event, batch)

    def _waits(self) -> bool:
        """Whether the events must wait, because a text field is about to get the focus, or because a field, a
        dialog or a menu has just lost it.

        After that, ImGui uses letters as shortcuts only from the second frame on.
        """
        typing, walking = _is_typing(), bool(self._io.config_flags & imgui.ConfigFlags_.nav_enable_keyboard)
        left, self._taken = self._taken and not (typing or walking), typing or walking
        if left:
            return True
        wanted = not typing and (self.awaits_field or _is_field_requested())
        self._waited = self._waited + 1 if wanted else 0
        return 0 < self._waited <= FIELD_FRAMES

    def _pass_on(self, event: InputEvent, batch: InputBatch) -> None:
        match event.kind:
            case "key":
                self._key(event)
            case "text" if not self._is_spent(event.name, batch):
                self._io.add_input_characters_utf8(event.name)
            case "pointer":
                self._io.add_mouse_pos_event(event.x, event.y)
            case "button":
                self._button(event)
            case "wheel":
                self._io.add_mouse_wheel_event(event.x, event.y)
            case "focus":
                self._io.add_focus_event(event.down)

    def _key(self, event: InputEvent) -> None:
        self._modify(event.modifiers)
        if event.name in ALL_KEYS:
            self._io.add_key_event(ALL_KEYS[event.name], event.down)
        if event.presses or (self._spent is not None and self._spent[0] == event.name):
            self._spent = None

    def _is_spent(self, text: str, batch: InputBatch) -> bool:
        """Whether the text must be ignored, because the key press that typed it may run a shortcut.

        Repetitions of this key press count too.
        """
        if batch.press is not None and not (_is_typing() or self.takes_text):
            self._spent = (batch.press.name, text)
        return self._spent is not None and self._spent[1] == text

    def _button(self, event: InputEvent) -> None:
        self._modify(event.modifiers)
        if event.down and event.time is not None:
            since = event.time - self._pressed.get(event.name, -ALWAYS)
            self._pressed[event.name] = event.time
            self._io.mouse_double_click_time = ALWAYS if 0 <= since <= DOUBLE_CLICK else NEVER
        self._io.add_mouse_button_event(BUTTONS[event.name], event.down)

    def _modify(self, modifiers: frozenset[str]) -> None:
        for word, modifier in MODIFIERS.items():
            self._io.add_key_event(modifier, word in modifiers)


def _is_typing() -> bool:
    """Whether a text field will take characters in the next frame."""
    return imgui.get_current_context().want_text_input_next_frame > 0


def _is_field_requested() -> bool:
    """Whether a field requested the keyboard focus in the last frame."""
    context = imgui.get_current_context()
    return context.nav_move_submitted and bool(
        context.nav_move_flags & imgui.internal.NavMoveFlags_.focus_api
    )
