"""An OpenGL context without a window or a display."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moderngl

from viewer.errors import GraphicsError

NEEDED = "OpenGL 3.3"
ADVICE = {
    "linux": "install libegl1 and libgl1-mesa-dri (Fedora: mesa-libEGL and mesa-dri-drivers)",
    "win32": "install a graphics driver, or put Mesa's opengl32.dll beside python.exe",
    "darwin": "it needs a session at the Mac's screen, or one that is logged in",
}


@contextmanager
def context() -> Iterator[moderngl.Context]:
    """A context that is current inside the `with`. GraphicsError, which says what to install, if there is no
    OpenGL."""
    ctx = _create()
    try:
        yield ctx
    finally:
        ctx.release()


def _create() -> moderngl.Context:
    """Create the context with EGL where the system has it (it needs no display), else with the system's
    default."""
    backend: dict[str, Any] = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    try:
        return moderngl.create_context(standalone=True, require=330, **backend)
    except Exception as error:  # the backends raise a plain Exception
        advice = ADVICE.get(sys.platform, "install a graphics driver")
        raise GraphicsError(f"no {NEEDED} ({error}); {advice}") from error
