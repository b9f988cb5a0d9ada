"""Opens the pyglet window where the user left it, with a moderngl context."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from viewer.errors import OLD_DRIVER, GraphicsError, has_old_driver, printable
from viewer.scene.names import JOINT
from viewer.window.placement import Rectangle, as_box, on_screens, stored_placement
from viewer.window.window_manager import claim_position

NAME = "Rigscope"
SEPARATOR = re.compile(rf"[/\\]|{JOINT}")

LEAST = (320, 240)
USUAL = (1280, 720)
WITHOUT_WINDOW = "Without a window: rigscope render FILE -o PICTURE.png"
LIBRARIES = {"libgl": "libGL.so.1", "libx11": "libX11.so.6"}
"""The usual file names of the graphics libraries. These names are tried first, because moderngl would start
two processes to find the names.
"""
TOOLKIT_LIBRARIES = {
    "GL": LIBRARIES["libgl"],
    "X11": LIBRARIES["libx11"],
    "Xext": "libXext.so.6",
    "Xinerama": "libXinerama.so.1",
    "Xrandr": "libXrandr.so.2",
    "Xrender": "libXrender.so.1",
    "Xxf86vm": "libXxf86vm.so.1",
}
"""The usual file names of the libraries that pyglet loads, by pyglet's names. To find the names, pyglet would
start a process for each library.
"""


@contextmanager
def known_libraries(pyglet: Any) -> Iterator[None]:
    """Let pyglet try the usual file names first, until the `with` block ends. Libraries in the current folder
    are not searched, because pyglet would import its window modules to find that folder.
    """
    pyglet.options.search_local_libs = False
    loader = pyglet.lib.loader
    search = loader.find_library

    def find(name: str) -> Any:
        """Return the file name of a library; None if it is not found."""
        usual = TOOLKIT_LIBRARIES.get(name, "")
        try:
            return usual if usual and ctypes.CDLL(usual) else search(name)
        except OSError:  # the system has another version of the library
            return search(name)

    loader.find_library = find
    try:
        yield
    finally:
        loader.find_library = search


def open_pyglet(size: tuple[int, int] | None) -> tuple[Any, Any, Any, Rectangle | None]:
    """Open a pyglet window and a moderngl context in it.

    Return pyglet's window module, the window, the context, and the requested rectangle. The rectangle is None
    if the system chose the position. GraphicsError if there is no display or no OpenGL 3.3.
    """
    try:
        import pyglet

        pyglet.options.shadow_window = False
        with known_libraries(pyglet) if sys.platform.startswith("linux") else nullcontext():
            from pyglet import window as toolkit

            config = _config_of(pyglet)(
                major_version=3, minor_version=3, forward_compatible=True, double_buffer=True, depth_size=0
            )
            opened, asked = _placed(toolkit, config, size)
    except Exception as error:
        raise GraphicsError(f"no window can be opened: {_why(error)}. {WITHOUT_WINDOW}") from error
    try:
        return toolkit, opened, _context(), asked
    except Exception as error:
        opened.close()
        raise GraphicsError(f"no window can be opened: {_why(error)}. {WITHOUT_WINDOW}") from error


def _why(error: Exception) -> str:
    """Say why no window can be opened, and what to do about it."""
    if has_old_driver(error):
        return f"{OLD_DRIVER} ({error})"
    if os.environ.get("WAYLAND_DISPLAY") and not os.environ.get("DISPLAY"):
        return (
            "the window needs X11, and this Wayland session has no XWayland: install xwayland (Fedora: "
            "xorg-x11-server-Xwayland) and log in again"
        )
    return (
        f"{' '.join(str(error).split()) or type(error).__name__}; it needs a display (DISPLAY on Linux) and "
        "OpenGL 3.3"
    )


def _context() -> Any:
    """Create a moderngl context in the window that was opened last."""
    import moderngl

    choices: tuple[dict[str, Any], ...] = (LIBRARIES, {}) if sys.platform.startswith("linux") else ({},)
    for libraries in choices:
        try:
            return moderngl.create_context(require=330, **libraries)
        except Exception as error:  # moderngl's backends raise plain exceptions
            failure = error
    raise failure


def _placed(toolkit: Any, config: Any, size: tuple[int, int] | None) -> tuple[Any, Rectangle | None]:
    """Show a window of this size where the user left it. If that position is outside the present screens, the
    window is moved.

    Also return the requested rectangle; None if the system chose the position.
    """
    import pyglet.display

    from viewer.session.settings import default_path, read_field

    stored = stored_placement(read_field(default_path(), "window"))
    wanted = size or ((stored.box.width, stored.box.height) if stored else USUAL)
    box = Rectangle(*((stored.box.x, stored.box.y) if stored else (0, 0)), *wanted)
    box = on_screens(box, [as_box(screen) for screen in pyglet.display.get_display().get_screens()])
    extent = (box.width, box.height) if size is None else size
    opened = toolkit.Window(
        *extent, NAME, resizable=True, vsync=True, file_drops=True, config=config, visible=stored is None
    )
    if stored is not None:
        claim_position(opened, LEAST)
        opened.set_location(box.x, box.y)
        if stored.maximized and size is None:
            opened.maximize()
        opened.set_visible(True)
    opened.set_minimum_size(*LEAST)
    return opened, box if stored is not None else None


def _config_of(pyglet: Any) -> Any:
    """Return the class of the framebuffer configuration to request."""
    if not sys.platform.startswith("linux"):
        return pyglet.gl.Config
    from viewer.window.glx import BestConfig

    return BestConfig


def window_title(path: str | None) -> str:
    """The title of the window: the file name, its folder or package, and the program's name.

    `path` is None if no file is open.
    """
    if path is None:
        return NAME
    last = max(SEPARATOR.finditer(path), key=lambda match: match.end(), default=None)
    folder, name = (path[: last.start()] or path[0], path[last.end() :]) if last else ("", path)
    return " · ".join(filter(None, (printable(name), printable(folder), NAME)))
