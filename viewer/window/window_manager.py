"""Window properties that pyglet can neither set nor read: the position chosen by the user, the maximised
state, and the id for the desktop.
"""

from __future__ import annotations

import sys
from typing import Any

MAXIMIZED = ("_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT")
ATOM = 4
"""The number of the X11 property type ATOM."""


def claim_position(window: Any, least: tuple[int, int]) -> None:
    """Mark the position as chosen by the user, on X11. Call this function before the window is shown.

    Without the mark, most window managers choose a position themselves. The marked position belongs to the
    window's inside, not to the border. `least` is the smallest size of the window. After the window is shown,
    pyglet must set its own hints again.
    """
    if not sys.platform.startswith("linux"):
        return
    from ctypes import byref

    from pyglet.libs.x11 import xlib

    hints = xlib.XSizeHints()
    hints.flags = xlib.PMinSize | xlib.USPosition | xlib.PWinGravity
    hints.win_gravity = xlib.StaticGravity
    hints.min_width, hints.min_height = least
    xlib.XSetWMNormalHints(window._x_display, window._window, byref(hints))


def window_id(window: Any) -> str:
    """The id by which the desktop's dialogs find the window, `x11:` and hexadecimal digits; empty without
    X11.
    """
    return f"x11:{window._window:x}" if sys.platform.startswith("linux") else ""


def is_maximized(window: Any) -> bool:
    """Whether the window is maximised; False if the system does not report it."""
    if sys.platform == "win32":
        import ctypes

        return bool(ctypes.windll.user32.IsZoomed(window._hwnd))
    if sys.platform == "darwin":
        return bool(window._nswindow.isZoomed())
    return _is_maximized_on_x(window)


def _is_maximized_on_x(window: Any) -> bool:
    from ctypes import POINTER, cast

    from pyglet.libs.x11 import xlib

    wanted = {xlib.XInternAtom(window._x_display, name.encode(), False) for name in MAXIMIZED}
    state = xlib.XInternAtom(window._x_display, b"_NET_WM_STATE", False)
    data, count, _ = window.get_single_property(window._window, state, ATOM)
    if not data:
        return False
    found = set(cast(data, POINTER(xlib.Atom))[:count])
    xlib.XFree(data)
    return wanted <= found
