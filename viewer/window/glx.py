"""Finds the best framebuffer configuration for the window, on X11.

pyglet queries about two dozen attributes of each of several hundred configurations and takes the first
configuration. The queries take a tenth of the time until the first picture. GLX has already sorted the
configurations, so reading the first one is enough.
"""

from __future__ import annotations

from ctypes import byref, c_int
from typing import Any

import pyglet.gl.glx
import pyglet.gl.glx_info
from pyglet.gl.xlib import XlibConfig, XlibDisplayConfig

glx: Any = pyglet.gl.glx
DisplayConfig: Any = XlibDisplayConfig


class BestConfig(XlibConfig):
    """A configuration request that reads only the best match."""

    def match(self, canvas: Any) -> list[Any]:
        """Return a list with the first configuration that GLX offers for the canvas; empty if it has none."""
        try:
            return self._first(canvas)
        except AttributeError:  # this version of pyglet has other names
            return list(super().match(canvas))

    def _first(self, canvas: Any) -> list[Any]:
        display, screen = canvas.display._display, canvas.display.x_screen
        wanted = [glx.GLX_X_RENDERABLE, True]
        for name, value in self.get_gl_attributes():
            if name in DisplayConfig.attribute_ids and value is not None:
                wanted += [DisplayConfig.attribute_ids[name], int(value)]
        numbers, count = (c_int * (len(wanted) + 1))(*wanted, 0), c_int()
        found = glx.glXChooseFBConfig(display, screen, numbers, byref(count))
        if not found or not count.value:
            return []
        return [DisplayConfig(canvas, pyglet.gl.glx_info.GLXInfo(display), found[0], self)]
