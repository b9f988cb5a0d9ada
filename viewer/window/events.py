"""Forwards pyglet's events to the application."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from viewer.session.requests import Drop, Quit
from viewer.window.placement import PlacementKeeper

if TYPE_CHECKING:
    from viewer.app.loop import App

ISO_LEFT_TAB = 0xFE20
"""The symbol of the Tab key on X11 while Shift is held. pyglet has no name for it."""


class WindowEvents:
    """Handles the events of one window. pyglet calls the methods by their names."""

    def __init__(self, app: App, toolkit: Any, window: Any, placement: PlacementKeeper) -> None:
        self._app = app
        self._input = app.host.input
        self._key = toolkit.key
        getattr(self._key, "_key_names", {}).setdefault(ISO_LEFT_TAB, "TAB")
        self._window = window
        self._times = PressTimes(window)
        self._placement = placement
        self._buttons = {
            toolkit.mouse.LEFT: "left",
            toolkit.mouse.MIDDLE: "middle",
            toolkit.mouse.RIGHT: "right",
        }
        self._held = {
            "Ctrl": self._key.MOD_CTRL,
            "Shift": self._key.MOD_SHIFT,
            "Alt": self._key.MOD_ALT,
            "Super": self._key.MOD_COMMAND | self._key.MOD_WINDOWS,
        }

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Forward a pressed key.

        Return True; otherwise pyglet would close the window when Escape is pressed.
        """
        self._input.key(self._key.symbol_string(symbol), True, self._modifiers(modifiers))
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Forward a released key."""
        self._input.key(self._key.symbol_string(symbol), False, self._modifiers(modifiers))
        self._forget_pressed()

    def on_text(self, text: str) -> None:
        """Forward typed text."""
        self._input.text(text.replace("\r", ""))

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        """Forward a pointer movement."""
        self._input.pointer(x, self._window.height - 1 - y, frozenset())

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        """Forward a pointer movement with a button held."""
        held = frozenset(name for bit, name in self._buttons.items() if buttons & bit)
        self._input.pointer(x, self._window.height - 1 - y, held)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Forward a pressed mouse button."""
        self._input.pointer(x, self._window.height - 1 - y)
        pressed = self._times.next()
        self._input.button(self._button(button), True, self._modifiers(modifiers), pressed)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Forward a released mouse button."""
        self._input.pointer(x, self._window.height - 1 - y)
        self._input.button(self._button(button), False, self._modifiers(modifiers))

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """Forward a scroll of the wheel."""
        self._input.wheel(-scroll_x, scroll_y)

    def on_mouse_enter(self, x: int, y: int) -> None:
        """Record that the pointer entered the window."""
        self._input.pointer_entered()

    def on_mouse_leave(self, x: int, y: int) -> None:
        """Record that the pointer left the window."""
        self._input.pointer_left()

    def on_move(self, x: int, y: int) -> None:
        """Record a move of the window, so that its placement is stored."""
        self._placement.move(time.monotonic())

    def on_resize(self, width: int, height: int) -> None:
        """Record a change of the window's size, so that its placement is stored."""
        self._placement.move(time.monotonic())

    def on_activate(self) -> None:
        """Record that the window gained the keyboard focus."""
        self._input.focus(True)

    def on_deactivate(self) -> None:
        """Record that the window lost the keyboard focus."""
        self._input.focus(False)
        self._forget_pressed()

    def on_close(self) -> bool:
        """Ask the program to quit. Return True; otherwise pyglet would close the window at once."""
        self._app.post(Quit())
        return True

    def on_file_drop(self, x: int, y: int, paths: Sequence[str]) -> None:
        """Open the files that were dropped on the window."""
        self._app.post(Drop(tuple(paths)))

    def _forget_pressed(self) -> None:
        """Clear pyglet's list of held keys.

        On X11, a key stays in the list if its release had another name (Shift+/ is `?`) or went to another
        window. pyglet would ignore the next press of a key in the list.
        """
        getattr(self._window, "pressed_keys", set()).clear()

    def _button(self, button: int) -> str:
        return self._buttons.get(button, "")

    def _modifiers(self, modifiers: int) -> frozenset[str]:
        return frozenset(name for name, bit in self._held.items() if modifiers & bit)


PRESS = 4
"""The number of the event ButtonPress in X11."""
WHEEL = (4, 5, 6, 7)
"""The button numbers of wheel steps in X11."""
TURN = 1 << 32
"""Milliseconds after which the 32-bit clock of X11 starts again at 0."""


class PressTimes:
    """Returns the times of mouse presses.

    On X11, the events contain the times. On other systems, and if pyglet's internal names differ, the time is
    the moment at which pyglet delivers the event.
    """

    def __init__(self, window: Any) -> None:
        self._noted: deque[float] = deque()
        self._last = self._turns = 0
        handlers = getattr(window, "_view_event_handlers", {})
        if PRESS in handlers:
            handlers[PRESS] = self._noting(handlers[PRESS])

    def next(self) -> float:
        """Return the time in seconds of the press that pyglet delivers now. Call it once for each press."""
        return self._noted.popleft() if self._noted else time.monotonic()

    def _noting(self, handle: Any) -> Any:
        """Wrap pyglet's handler of button presses on X11: the wrapper records their times."""

        def noted(event: Any) -> None:
            """Record the time of a press, then call pyglet's handler."""
            if event.xbutton.button not in WHEEL:
                self._noted.append(self._seconds(event.xbutton.time))
            handle(event)

        return noted

    def _seconds(self, milliseconds: int) -> float:
        """Convert a time of X11 to seconds. The seconds keep rising when the 32 bits of X11 overflow."""
        self._turns += milliseconds < self._last - TURN // 2
        self._last = milliseconds
        return (milliseconds + self._turns * TURN) / 1000
