"""Imports what a window imports of pyglet, in the process from which tests fork windows.

Without a display pyglet does this only if its shadow window is off, as it is in the program.
"""

import pyglet

pyglet.options.shadow_window = False

import pyglet.gl  # noqa: E402
import pyglet.image  # noqa: E402
