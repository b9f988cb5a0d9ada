"""An OpenGL context without a window or a display."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import moderngl

from viewer.errors import OLD_DRIVER, GraphicsError, has_old_driver

NEEDED = "OpenGL 3.3"
ADVICE = {
    "linux": "install libegl1 and libgl1-mesa-dri (Fedora: mesa-libEGL and mesa-dri-drivers)",
    "win32": "install a graphics driver, or put Mesa's opengl32.dll beside python.exe",
    "darwin": "log in at the Mac's screen, because OpenGL needs a graphical session",
}
EGL = {"backend": "egl"}
LIBRARIES = {"libgl": "libGL.so.1", "libegl": "libEGL.so.1"}
"""The usual names of the OpenGL libraries. These names are tried first, because moderngl's own search starts
two processes.
"""

ADDRESSES = 900 << 20
"""The bytes of address space that the libraries, the driver and a small picture need. With 750 MiB, Mesa's
software renderer ends the process as soon as an allocation fails.
"""


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
    try:
        import resource
    except ImportError:  # Windows has no module `resource` and no limit of address space
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < ADDRESSES:
        least = ADDRESSES >> 10
        raise GraphicsError(f"{NEEDED} needs more memory: ulimit -v is {limit >> 10}; raise it to {least}")
