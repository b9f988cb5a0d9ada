"""Copies pictures to the system's clipboard.

The window toolkit can copy only text. Therefore Linux needs wl-copy or xclip, macOS uses osascript, and on
Windows ctypes calls the clipboard. The library copykitten is not used. To keep a picture after the program
has ended, copykitten forks the program with its display connections; after the fork, copykitten reports no
errors.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from viewer.arrays import Array
from viewer.errors import ResourceError
from viewer.storage.image import save_png
from viewer.storage.reading import open_regular

HELPER_SECONDS = 10.0
"""The time limit of a helper program in seconds."""

PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy", "--type", "image/png")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-t", "image/png", "-i")),
)
"""The helper program of each display server. Both keep running in the background while the picture is on the
clipboard.
"""

READ_PNG = (
    "on run argv",
    "set the clipboard to (read (POSIX file (item 1 of argv)) as «class PNGf»)",
    "end run",
)

CF_DIB = 8
GMEM_MOVEABLE = 2


def put(pixels: Array) -> None:
    """Put a picture [height, width, 3 or 4] u8, straight alpha, on the clipboard; this can take seconds.

    ResourceError if the picture cannot be copied; the error names a missing helper program.
    """
    with tempfile.TemporaryDirectory(prefix="rigscope-") as folder:
        path = os.path.join(folder, "picture.png")
        save_png(path, pixels)
        if sys.platform == "win32":
            with open_regular(path) as file:
                give_to_windows(ctypes.windll.user32, ctypes.windll.kernel32, dib(pixels), file.read())
        else:
            _run(_command(path), path)


def _command(path: str) -> tuple[str, ...]:
    """The command that copies the picture, from stdin or from `path`.

    ResourceError if no helper is installed.
    """
    if sys.platform == "darwin":
        return ("osascript", *(word for line in READ_PNG for word in ("-e", line)), path)
    served = [command for display, command in PROGRAMS if os.environ.get(display)]
    found = next((command for command in served if shutil.which(command[0])), None)
    if found is None:
        wanted = "wl-clipboard" if os.environ.get("WAYLAND_DISPLAY") else "xclip"
        raise ResourceError(f"a picture cannot be copied without a helper: install {wanted}")
    return found


def _run(command: tuple[str, ...], path: str) -> None:
    """Run a helper program and discard its output.

    A pipe would stay open as long as the helper's background process runs.
    """
    nowhere = subprocess.DEVNULL
    try:
        with open_regular(path) as file:
            subprocess.run(
                command,
                stdin=file,
                stdout=nowhere,
                stderr=nowhere,
                timeout=HELPER_SECONDS,
                check=True,
                start_new_session=True,
            )
    except (OSError, subprocess.SubprocessError) as error:
        raise ResourceError(f"the picture was not copied: {command[0]} failed") from error


def dib(pixels: Array) -> bytes:
    """Encode a device-independent bitmap, which every Windows program can read.

    After a BITMAPINFOHEADER come 24-bit BGR pixels, the bottom row first, each row padded to a multiple of 4
    bytes. The format has no alpha: transparent pixels become white.
    """
    height, width = pixels.shape[:2]
    alpha = pixels[..., 3:].astype(np.uint16) if pixels.shape[2] == 4 else np.uint16(255)
    over_white = (pixels[..., :3] * alpha + 255 * (255 - alpha) + 127) // 255
    rows = np.zeros((height, -(-width * 3 // 4) * 4), np.uint8)
    rows[:, : width * 3] = over_white[::-1, :, ::-1].reshape(height, -1)
    return struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, rows.size, 0, 0, 0, 0) + rows.tobytes()


def give_to_windows(user: Any, kernel: Any, bitmap: bytes, png: bytes) -> None:
    """Put a picture on the clipboard as PNG, which keeps alpha, and as a bitmap.

    `user` and `kernel` are user32 and kernel32. Windows owns the memory that SetClipboardData receives.
    """
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    kernel.GlobalAlloc.restype, kernel.GlobalAlloc.argtypes = pointer, (ctypes.c_uint, size)
    kernel.GlobalLock.restype, kernel.GlobalLock.argtypes = pointer, (pointer,)
    kernel.GlobalUnlock.argtypes = (pointer,)
    user.OpenClipboard.argtypes = (pointer,)
    user.SetClipboardData.argtypes = (ctypes.c_uint, pointer)
    user.RegisterClipboardFormatW.argtypes = (ctypes.c_wchar_p,)
    if not _opened(user):
        raise ResourceError("the picture was not copied: another program is using the clipboard")
    try:
        user.EmptyClipboard()
        for form, data in ((user.RegisterClipboardFormatW("PNG"), png), (CF_DIB, bitmap)):
            handle = kernel.GlobalAlloc(GMEM_MOVEABLE, len(data))
            ctypes.memmove(kernel.GlobalLock(handle), data, len(data))
            kernel.GlobalUnlock(handle)
            user.SetClipboardData(form, handle)
    finally:
        user.CloseClipboard()


def _opened(user: Any) -> bool:
    """Try to open the clipboard for up to one second, because another program may have it open for a moment.
    Return True if the clipboard was opened.
    """
    for _ in range(20):
        if user.OpenClipboard(None):
            return True
        time.sleep(0.05)
    return False
