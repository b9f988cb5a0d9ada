"""Loads the driver of OpenGL while the program imports its modules.

To load Mesa's driver takes 60 ms, in which Python can work if the loading is done by another thread.
"""

from __future__ import annotations

import os
import sys

LIBRARIES = {"libgl": "libGL.so.1", "libegl": "libEGL.so.1"}
"""The usual names of the OpenGL libraries. These names are tried first, because moderngl's own search starts
two processes.
"""
DEVICE = 0x313F
"""EGL_PLATFORM_DEVICE_EXT: a display of EGL on a device, without a window system."""
CHOSEN_DEVICE = "GLCONTEXT_DEVICE_INDEX"
"""The environment variable with which moderngl takes another device than the first."""


ADDRESSES = 900 << 20
"""The bytes of address space that the libraries, the driver and a small picture need. With 750 MiB, Mesa's
software renderer ends the process as soon as an allocation fails.
"""


def too_few_addresses() -> int | None:
    """The shell's limit of address space in bytes, if it is so low that the driver would crash; else None."""
    try:
        import resource
    except ImportError:  # Windows has no module `resource` and no limit of address space
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return limit if limit != resource.RLIM_INFINITY and limit < ADDRESSES else None


def load_driver() -> None:
    """Begin to load the driver for `gpu.headless.context`, in a thread. A failure is reported there."""
    linux = sys.platform.startswith("linux")
    if linux and CHOSEN_DEVICE not in os.environ and too_few_addresses() is None:
        from threading import Thread

        Thread(target=_load, name="OpenGL driver", daemon=True).start()


def _load() -> None:
    """Initialize the display of EGL that moderngl takes. ctypes gives the interpreter free meanwhile."""
    import ctypes

    pointer = ctypes.c_void_p
    try:
        egl = ctypes.CDLL(LIBRARIES["libegl"])
        egl.eglGetProcAddress.restype = pointer
        devices_of = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, pointer, pointer)(
            egl.eglGetProcAddress(b"eglQueryDevicesEXT")
        )
        display_of = ctypes.CFUNCTYPE(pointer, ctypes.c_uint, pointer, pointer)(
            egl.eglGetProcAddress(b"eglGetPlatformDisplayEXT")
        )
    except (OSError, AttributeError, TypeError):
        return
    count, first = ctypes.c_int(), pointer()
    if devices_of(1, ctypes.byref(first), ctypes.byref(count)) and count.value:
        display = display_of(DEVICE, first, None)
        egl.eglInitialize(pointer(display), None, None)
