"""The window: events in, frames out. Only this module uses pyglet's events and reads the wall clock."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from viewer.errors import GraphicsError, printable
from viewer.window.pace import FramePacer

if TYPE_CHECKING:
    from viewer.app.loop import App, Start

NAME = "Rigscope"
LEAST = (320, 240)
LONGEST = 0.25
"""Longest time step in seconds: after a pause of the whole program, time continues where it was."""
FIRST_FILES = 0.2
"""Seconds that the first frame may wait for files."""
REFERENCE_DPI = 96

ARROW = "CURSOR_DEFAULT"
CURSORS = {
    "text_input": "CURSOR_TEXT",
    "resize_all": "CURSOR_SIZE",
    "resize_ns": "CURSOR_SIZE_UP_DOWN",
    "resize_ew": "CURSOR_SIZE_LEFT_RIGHT",
    "resize_nesw": "CURSOR_SIZE_UP_RIGHT",
    "resize_nwse": "CURSOR_SIZE_UP_LEFT",
    "hand": "CURSOR_HAND",
    "not_allowed": "CURSOR_NO",
}
"""ImGui's cursors as pyglet's; all others become the arrow, which is a window's default."""


def open_window(
    paths: Sequence[str] = (),
    start: Start | None = None,
    size: tuple[int, int] = (1280, 800),
    watch: bool = False,
) -> int:
    """Open the window with these files, run until it is closed, and return the exit status.

    `start(state, size of the picture)` is called when the files are open; an error that it raises closes the
    window. With `watch`, files are read again when they change. GraphicsError without a display or OpenGL
    3.3; the status is 1 if a file could not be read completely.
    """
    gc.disable()  # modules stay: the garbage collector need not scan them again and again during the imports
    try:
        window = Window(size)
        try:
            return window.run(paths, start, watch)
        finally:
            window.close()
    finally:
        gc.enable()


class Window:
    """A pyglet window and its GL context."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._toolkit, self._window, self._ctx = _open(size)
        self._screen = self._ctx.screen
        self._cursor = ARROW
        self._events = _event_loop()

    def run(self, paths: Sequence[str], start: Start | None, watch: bool = False) -> int:
        """Run the loop: frame after frame while something moves, else one frame for each event."""
        from viewer.app.loop import App
        from viewer.app.viewport import Surface
        from viewer.session.settings import default_path
        from viewer.session.state import State
        from viewer.ui.dialogs.file_dialog import FileDialog

        surface = Surface(self._screen, *self._sizes(), self._scale())
        dialog, wake = FileDialog(), self._events.notify
        app = App(self._ctx, State(), surface, paths, start, dialog, default_path(), wake)
        if watch:
            app.watch()
        app.await_first(FIRST_FILES)
        self._listen(app)
        pace = FramePacer()
        try:
            last, rested = time.perf_counter(), False
            pace.hear(last)
            while app.running and not self._window.has_exit:
                now = time.perf_counter()
                self._frame(app, now - last if rested else min(now - last, LONGEST))
                if not gc.isenabled():  # the first picture is drawn, and all modules are imported
                    gc.freeze()
                    gc.enable()
                    pace.rate = self._window.screen.get_mode().rate or 0
                last = now
                rested = pace.is_idle(time.perf_counter(), app.restless)
                if not rested:
                    time.sleep(pace.left(time.perf_counter() - now))
                if self._events.step(app.patience if rested else 0):
                    pace.hear(time.perf_counter())
        finally:
            app.close()
        return int(app.unread)

    def close(self) -> None:
        """Close the window and release its context."""
        self._ctx.release()
        self._window.close()

    def _frame(self, app: App, dt: float) -> None:
        window = self._window
        window.switch_to()
        window.dispatch_events()
        app.surface.points, app.surface.pixels = self._sizes()
        app.surface.scale = self._scale()
        app.frame(dt)
        self._show(app)
        window.flip()

    def _show(self, app: App) -> None:
        """Update the caption, the cursor and full screen if they changed."""
        if app.state.interface.fullscreen != self._window.fullscreen:
            self._window.set_fullscreen(app.state.interface.fullscreen)
        document = app.state.document
        caption = f"{printable(document.path)} · {NAME}" if document else NAME
        if caption != self._window.caption:
            self._window.set_caption(caption)
        cursor = CURSORS.get(app.host.cursor, ARROW)
        if cursor != self._cursor:
            self._cursor = cursor
            name = getattr(self._window, cursor)
            self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(name))

    def _sizes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The window's size in points and in pixels; never zero, even if it is minimised."""
        points, pixels = self._window.get_size(), self._window.get_framebuffer_size()
        return (max(points[0], 1), max(points[1], 1)), (max(pixels[0], 1), max(pixels[1], 1))

    def _scale(self) -> float:
        """The scale of the interface, taken from the screen's dpi where points are pixels."""
        points, pixels = self._sizes()
        return 1.0 if pixels[0] > points[0] else max(self._window.dpi / REFERENCE_DPI, 1.0)

    def _listen(self, app: App) -> None:
        """Forward the window's events to the application."""
        window = self._window
        app.host.clipboard(window.get_clipboard_text, window.set_clipboard_text)
        self._heard = _Events(app, self._toolkit, window)  # pyglet holds it only weakly
        window.push_handlers(self._heard)


class _Events:
    """Translates pyglet's events into the application's. pyglet calls the methods by their names."""

    def __init__(self, app: App, toolkit: Any, window: Any) -> None:
        self._app = app
        self._input = app.host.input
        self._key, self._mouse = toolkit.key, toolkit.mouse
        self._window = window
        self._held = {
            "Ctrl": self._key.MOD_CTRL,
            "Shift": self._key.MOD_SHIFT,
            "Alt": self._key.MOD_ALT,
            "Super": self._key.MOD_COMMAND | self._key.MOD_WINDOWS,
        }

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Forward a pressed key. Returning True keeps pyglet from closing the window at Escape."""
        self._input.key(self._key.symbol_string(symbol), True, self._modifiers(modifiers))
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Forward a released key."""
        self._input.key(self._key.symbol_string(symbol), False, self._modifiers(modifiers))

    def on_text(self, text: str) -> None:
        """Forward typed text."""
        self._input.text(text.replace("\r", ""))

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        """Forward a pointer movement."""
        self._input.pointer(x, self._window.height - 1 - y)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        """Forward a pointer movement with a button held."""
        self._input.pointer(x, self._window.height - 1 - y)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Forward a pressed mouse button."""
        self._input.pointer(x, self._window.height - 1 - y)
        self._input.button(self._button(button), True, self._modifiers(modifiers))

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """Forward a released mouse button."""
        self._input.pointer(x, self._window.height - 1 - y)
        self._input.button(self._button(button), False, self._modifiers(modifiers))

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """Forward a scroll of the wheel."""
        self._input.wheel(-scroll_x, scroll_y)

    def on_mouse_leave(self, x: int, y: int) -> None:
        """Note that the pointer left the window."""
        self._input.pointer_left()

    def on_activate(self) -> None:
        """Note that the window gained the keyboard focus."""
        self._input.focus(True)

    def on_deactivate(self) -> None:
        """Note that the window lost the keyboard focus."""
        self._input.focus(False)

    def on_file_drop(self, x: int, y: int, paths: Sequence[str]) -> None:
        """Open the files that were dropped on the window."""
        from viewer.session.requests import Open

        self._app.post(Open(tuple(paths)))

    def _button(self, button: int) -> str:
        return str(self._mouse.buttons_string(button)).lower()

    def _modifiers(self, modifiers: int) -> frozenset[str]:
        return frozenset(name for name, bit in self._held.items() if modifiers & bit)


def _event_loop() -> Any:
    """pyglet's event loop, which waits for the system's events and can be woken from other threads."""
    import pyglet.app

    loop: Any = pyglet.app.platform_event_loop
    loop.start()
    return loop


def _config_of(pyglet: Any) -> Any:
    """The configuration class that the window requests."""
    if not sys.platform.startswith("linux"):
        return pyglet.gl.Config
    from viewer.window.glx import BestConfig

    return BestConfig


def _open(size: tuple[int, int]) -> tuple[Any, Any, Any]:
    """Open pyglet's window and moderngl's context in it; returns pyglet's window module too."""
    import moderngl

    try:
        import pyglet

        pyglet.options.shadow_window = False
        from pyglet import window as toolkit

        config = _config_of(pyglet)(
            major_version=3, minor_version=3, forward_compatible=True, double_buffer=True, depth_size=0
        )
        opened = toolkit.Window(*size, NAME, resizable=True, vsync=True, file_drops=True, config=config)
    except Exception as error:
        raise GraphicsError(
            f"no window can be opened ({type(error).__name__}: {error}); it takes a display "
            "(DISPLAY on Linux) and OpenGL 3.3. Without a display: rigscope render FILE -o PICTURE.png"
        ) from error
    opened.set_minimum_size(*LEAST)
    try:
        return toolkit, opened, moderngl.create_context(require=330)
    except Exception as error:
        opened.close()
        raise GraphicsError(f"no OpenGL 3.3 in the window: {error}") from error
