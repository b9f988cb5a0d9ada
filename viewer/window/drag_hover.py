"""Detects files that are dragged over the window, on X11.

pyglet 2.1 handles the messages of XDND and has an event for dropped files, but no event for hovering files.
pyglet's handler raises a TypeError if the source offers three data types or fewer, or if messages come out of
order.

Source: https://freedesktop.org/wiki/Specifications/XDND
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

VERSION = 5
"""The newest version of XDND that pyglet supports."""
MORE_TYPES = 1
"""The flag in XdndEnter that means more than three data types. A property of the source window then lists
them.
"""


def follow_drags(window: Any, changed: Callable[[bool], None]) -> bool:
    """Call `changed` with True when files hover over a pyglet window, and with False when they leave or are
    dropped.

    Return False if hovering cannot be detected: on Windows and macOS, pyglet hides the messages.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        from pyglet.libs.x11 import xlib

        handlers, kind = window._event_handlers, xlib.ClientMessage
        leave = xlib.XInternAtom(window._x_display, b"XdndLeave", False)
        handlers[kind] = _Drags(window, changed, handlers[kind], leave)
    except (ImportError, AttributeError, KeyError):  # this version of pyglet has other names
        return False
    # During a drag the program of the files has the pointer, so a motion here shows that the drag has ended.
    window.push_handlers(on_mouse_motion=lambda *position: changed(False))
    return True


class _Drags:
    """Handles client messages of a window, before and after pyglet's own `handler`."""

    def __init__(
        self, window: Any, changed: Callable[[bool], None], handler: Callable[[Any], None], leave: int
    ) -> None:
        self._window, self._changed, self._handler, self._leave = window, changed, handler, leave

    def __call__(self, event: Any) -> None:
        window, kind, data = self._window, event.xclient.message_type, event.xclient.data.l
        enter, position, drop = (
            window._xdnd_atoms[name] for name in ("XdndEnter", "XdndPosition", "XdndDrop")
        )
        if kind == enter and not data[1] & MORE_TYPES:
            self._enter(data)
        elif self._expected(kind, position, drop):
            self._handler(event)
        if kind in (enter, position):
            self._changed(bool(window._xdnd_format))
        elif kind in (self._leave, drop):
            self._changed(False)

    def _expected(self, kind: int, position: int, drop: int) -> bool:
        """Whether pyglet can handle the message.

        It cannot handle a drop without data, or a position before the enter message.
        """
        window = self._window
        if kind == drop:
            return bool(window._xdnd_format)
        return kind != position or window._xdnd_version is not None

    def _enter(self, data: Any) -> None:
        """Handle the enter message of a source with at most three data types, for which pyglet's handler
        fails: store the source, its version and the type of the offered files.
        """
        window, files = self._window, self._window._xdnd_atoms["text/uri-list"]
        window._xdnd_source, window._xdnd_version = data[0], (data[1] >> 24) & 0xFF
        offered = window._xdnd_version <= VERSION and files in data[2:5]
        window._xdnd_format = files if offered else None
