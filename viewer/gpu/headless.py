"""An OpenGL context without a window or a display."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moderngl

from viewer.errors import OLD_DRIVER, GraphicsError, has_old_driver
from viewer.gpu.driver import ADDRESSES, LIBRARIES, too_few_addresses

NEEDED = "OpenGL 3.3"
ADVICE = {
    "linux": "install libegl1 and libgl1-mesa-dri (Fedora: mesa-libEGL and mesa-dri-drivers)",
    "win32": "install a graphics driver, or put Mesa's opengl32.dll beside python.exe",
    "darwin": "log in at the Mac's screen, because OpenGL needs a graphical session",
}
EGL = {"backend": "egl"}


@contextmanager
def context() -> Iterator[moderngl.Context]:
    """Make a context that is current inside the `with`. If there is no OpenGL, GraphicsError says what to
    install.
    """
    ctx = _create()
    try:
        yield ctx
    finally:
        ctx.release()


def _create() -> moderngl.Context:
    """Create the context. On Linux this uses EGL, which needs no display; on other systems the default of
    moderngl is used.
    """
    _check_address_space()
    linux = sys.platform.startswith("linux")
    choices: tuple[dict[str, Any], ...] = (EGL | LIBRARIES, EGL) if linux else ({},)
    for settings in choices:
        try:
            return moderngl.create_context(standalone=True, require=330, **settings)
        except Exception as error:  # moderngl's backends raise plain exceptions
            failure = error
    if has_old_driver(failure):
        raise GraphicsError(f"{OLD_DRIVER} ({failure})") from failure
    advice = ADVICE.get(sys.platform, "install a graphics driver")
    raise GraphicsError(f"no {NEEDED} ({failure}); {advice}") from failure


def _check_address_space() -> None:
    """Raise a GraphicsError if the shell's limit of address space is so low that the driver would crash."""
    limit = too_few_addresses()
    if limit is not None:
        least = ADDRESSES >> 10
        raise GraphicsError(f"{NEEDED} needs more memory: ulimit -v is {limit >> 10}; raise it to {least}")
