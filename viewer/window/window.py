"""The window: reads events, draws frames. Only this module uses pyglet's events and reads the wall clock."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from viewer.app.tasks import Tasks
from viewer.window.create_window import open_pyglet, window_title
from viewer.window.drag_hover import follow_drags
from viewer.window.events import WindowEvents
from viewer.window.placement import PlacementKeeper, Rectangle, WindowPlacement
from viewer.window.window_manager import is_maximized, window_id

if TYPE_CHECKING:
    from viewer.app.loop import App, Start

TIME_STEP = 0.25
"""The longest time step in seconds. After a longer pause of the program, clips continue where they
stopped.
"""
FIRST_FILES = 0.2
"""The longest time in seconds for which the first frame waits for the opened files."""
REFERENCE_DPI = 96
PROCESSES = max((os.cpu_count() or 1) - 1, 1)
"""The number of processes that draw thumbnails. One processor is left for the window."""

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
"""The pyglet cursor for each cursor of ImGui; all other cursors become the arrow."""


def open_window(
    paths: Sequence[str] = (),
    start: Start | None = None,
    size: tuple[int, int] | None = None,
    watch: bool = False,
    reading: Mapping[str, Any] = MappingProxyType({}),
    together: bool = False,
) -> int:
    """Open the window with these files, run until it is closed, and return the exit status.

    When the files are open, `start(state, size of the picture)` is called; an exception of `start` closes the
    window. `size` is the inner size of the window; None for the last size of the user's window. With `watch`,
    files are reloaded when they change. `reading` are the options about reading, see `session.reading`. With
    `together`, the models are joined to the first. The exit status is 1 if a file could not be read
    completely.
    GraphicsError if there is no display or no OpenGL 3.3.
    """
    gc.disable()  # the imports leave no garbage, so collections would only cost time
    try:
        window = Window(size)
        try:
            return window.run(paths, start, watch, reading, together)
        finally:
            window.close()
    finally:
        gc.enable()


class Window:
    """A pyglet window and its GL context."""

    def __init__(self, size: tuple[int, int] | None = None) -> None:
        with importing_meanwhile():
            self._toolkit, self._window, self._ctx, asked = open_pyglet(size)
        self._placement = PlacementKeeper(asked)
        self._screen = self._ctx.screen
        self._cursor = ARROW
        self._events = _event_loop()

    def run(
        self,
        paths: Sequence[str],
        start: Start | None,
        watch: bool = False,
        reading: Mapping[str, Any] = MappingProxyType({}),
        together: bool = False,
    ) -> int:
        """Run the loop; see `open_window` for the arguments.

        While something moves, draw frame after frame; otherwise draw one frame for each event.
        """
        from viewer.app.loop import App
        from viewer.app.viewport import DrawSurface
        from viewer.session.settings import default_path
        from viewer.session.state import State
        from viewer.ui.dialogs.file_dialog import FileDialog

        surface = DrawSurface(self._screen, *self._sizes(), self._scale())
        dialog, request = FileDialog(window_id(self._window)), self._events.notify
        state = State()
        state.reading.given = dict(reading)
        app = App(
            self._ctx, state, surface, paths, start, dialog, default_path(), request, PROCESSES, together
        )
        if watch:
            app.watch()
        app.await_first(FIRST_FILES)
        self._listen(app)
        self._placement.open(self._place())
        pace = FramePacer()
        try:
            last, rested, has_icon = time.perf_counter(), False, False
            pace.note_event(last)
            while app.running and not self._window.has_exit:
                now = time.perf_counter()
                self._frame(app, now - last if rested else min(now - last, TIME_STEP))
                if not has_icon and not app.loading:
                    has_icon = True
                    self._set_icon()
                if not gc.isenabled():  # after the last import, collect garbage again
                    gc.freeze()
                    gc.enable()
                    pace.rate = self._window.screen.get_mode().rate or 0
                last = now
                rested = pace.is_idle(time.perf_counter(), app.pause == 0)
                if not rested:
                    time.sleep(pace.left(time.perf_counter() - now))
                if self._events.step(app.pause if rested else 0):
                    pace.note_event(time.perf_counter())
        finally:
            self._keep_placement(app)
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
        if self._placement.is_settled(time.monotonic()):
            self._keep_placement(app)
        window.flip()

    def _set_icon(self) -> None:
        """Give the window its icon. Call this after the first picture of the files, which would otherwise
        come later.
        """
        from viewer.app.window_icon import IconPicture, icon_pictures

        pictures = [IconPicture(each) for each in icon_pictures()]
        if pictures:
            self._window.set_icon(*pictures)

    def _keep_placement(self, app: App) -> None:
        """Store the window's position for the next start. A window in full screen stores nothing."""
        if not self._window.fullscreen:
            self._placement.note(self._place(), app.state.interface.preferences)

    def _place(self) -> WindowPlacement:
        window = self._window
        return WindowPlacement(Rectangle(*window.get_location(), *window.get_size()), is_maximized(window))

    def _show(self, app: App) -> None:
        """Update the caption, the cursor and the full-screen state if they have changed."""
        if app.state.interface.fullscreen != self._window.fullscreen:
            self._window.set_fullscreen(app.state.interface.fullscreen)
        caption = window_title(app.state.document.path if app.state.document else None)
        if caption != self._window.caption:
            self._window.set_caption(caption)
        cursor = CURSORS.get(app.host.cursor, ARROW)
        if cursor != self._cursor:
            self._cursor = cursor
            name = getattr(self._window, cursor)
            self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(name))

    def _sizes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The window's size in points and in pixels. Both are at least 1, even if the window is minimised."""
        points, pixels = self._window.get_size(), self._window.get_framebuffer_size()
        return (max(points[0], 1), max(points[1], 1)), (max(pixels[0], 1), max(pixels[1], 1))

    def _scale(self) -> float:
        """The scale of the interface.

        On systems whose points are pixels, it is computed from the screen's dpi.
        """
        points, pixels = self._sizes()
        return 1.0 if pixels[0] > points[0] else max(self._window.dpi / REFERENCE_DPI, 1.0)

    def _listen(self, app: App) -> None:
        """Forward the window's events to the application."""
        window = self._window
        app.host.clipboard(window.get_clipboard_text, window.set_clipboard_text)
        # the handlers are stored here, because pyglet keeps only a weak reference
        self._handlers = WindowEvents(app, self._toolkit, window, self._placement)
        window.push_handlers(self._handlers)
        follow_drags(window, lambda hovers: setattr(app.state.pending_files, "hovering", hovers))


def _event_loop() -> Any:
    """Start pyglet's event loop, which waits for events of the system. Another thread can end the wait."""
    import pyglet.app

    loop: Any = pyglet.app.platform_event_loop
    loop.start()
    return loop


SETTLE_SECONDS = 0.7
"""Seconds after the last event in which frames are still drawn, because tooltips and answers of the GPU come
later than the event.
"""
SETTLE_FRAMES = 48
"""The number of frames that are always drawn after the last event. ImGui needs them too if text is typed
faster than frames are drawn.
"""
USUAL_RATE = 60.0
HEADROOM = 0.9
"""The share of a frame's time that the loop waits if the display does not limit the frame rate."""


class FramePacer(Struct):
    """Paces the frames at the display's `rate` per second, or at 60 if `rate` is implausible.

    Times are in seconds.
    """

    rate: float = USUAL_RATE
    _last_event: float = 0.0
    _frames: int = 0

    def note_event(self, now: float) -> None:
        """Record that an event happened."""
        self._last_event, self._frames = now, 0

    def is_idle(self, now: float, differs: bool) -> bool:
        """Whether the next frame can wait for an event, because nothing moves and the last event came long
        ago.

        `differs` is True if the next frame differs from the last frame. Call this method once after each
        frame.
        """
        self._frames += 1
        return not differs and self._frames > SETTLE_FRAMES and now - self._last_event > SETTLE_SECONDS

    def left(self, elapsed: float) -> float:
        """Return the seconds left of a frame that began `elapsed` seconds ago."""
        rate = self.rate if 20 <= self.rate <= 500 else USUAL_RATE
        return max(HEADROOM / rate - elapsed, 0.0)


PROGRAM = ("viewer.app.loop",)
"""The modules that import everything that the first picture needs."""


@contextmanager
def importing_meanwhile(modules: tuple[str, ...] = PROGRAM) -> Iterator[None]:
    """Import modules in another thread until the `with` block ends.

    The block loads the graphics driver. Loading it does not hold Python's lock and takes up to a fifth of the
    time until the first picture. If a module cannot be imported, its error is raised again where the module
    is used.
    """
    task = Tasks().submit("imports", lambda task: _import(modules))
    try:
        yield
    finally:
        task.wait()


def _import(modules: tuple[str, ...]) -> None:
    for name in modules:
        with suppress(Exception):
            import_module(name)
