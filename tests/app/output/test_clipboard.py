"""Pictures on the clipboard of every system, as far as this one can tell."""

from __future__ import annotations

import ctypes
import io
import os
import stat
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from viewer.app.output import clipboard
from viewer.errors import ResourceError

PICTURE = np.random.default_rng(1).integers(0, 256, (5, 7, 4), np.uint8)


def helper(folder: Path, name: str, script: str) -> None:
    """A program of that name."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def linux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Linux without helpers, but with a folder for them."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(
        clipboard.shutil, "which", lambda name: str(tmp_path / name) * (tmp_path / name).exists()
    )
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":7")
    return tmp_path


@pytest.mark.parametrize(("display", "program"), [("DISPLAY", "xclip"), ("WAYLAND_DISPLAY", "wl-copy")])
def test_the_helper_of_the_display_gets_a_png(
    display: str, program: str, linux: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(display, "7")
    helper(linux, "xclip", f"cat > {linux}/xclip.png; echo $* > {linux}/xclip.txt")
    helper(linux, "wl-copy", f"cat > {linux}/wl-copy.png; echo $* > {linux}/wl-copy.txt")
    clipboard.put(PICTURE)
    assert "image/png" in (linux / f"{program}.txt").read_text()
    with Image.open(linux / f"{program}.png") as picture:
        assert (np.asarray(picture) == PICTURE).all()
    assert len(list(linux.glob("*.png"))) == 1


@pytest.mark.parametrize(("display", "package"), [("DISPLAY", "xclip"), ("WAYLAND_DISPLAY", "wl-clipboard")])
def test_without_a_helper_it_says_which(
    display: str, package: str, linux: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(display, "7")
    with pytest.raises(ResourceError, match=f"install {package}"):
        clipboard.put(PICTURE)


@pytest.mark.parametrize("script", ["exit 1", "sleep 60"])
def test_a_helper_that_fails_is_named(script: str, linux: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "HELPER_SECONDS", 0.2)
    helper(linux, "xclip", script)
    with pytest.raises(ResourceError, match="xclip failed"):
        clipboard.put(PICTURE)


def test_a_mac_reads_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    helper(tmp_path, "osascript", f'for last; do :; done; cp "$last" {tmp_path}/taken.png')
    clipboard.put(PICTURE)
    with Image.open(tmp_path / "taken.png") as picture:
        assert (np.asarray(picture) == PICTURE).all()


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_a_bitmap_is_what_windows_wants(width: int) -> None:
    picture = PICTURE[:, :width, :3]
    bitmap = clipboard.dib(picture)
    header = b"BM" + (14 + len(bitmap)).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little")
    with Image.open(io.BytesIO(header + bitmap)) as read:
        assert (np.asarray(read) == picture).all()


def test_a_bitmap_is_white_where_the_picture_is_clear() -> None:
    clear, half = np.zeros((2, 1, 1, 4), np.uint8)
    half[..., 3] = 128
    assert clipboard.dib(clear)[40:43] == b"\xff\xff\xff"
    assert clipboard.dib(half)[40:43] == b"\x7f\x7f\x7f"


@pytest.mark.parametrize(("value", "mixed"), [(127, 254), (128, 255)])
def test_a_bitmap_is_rounded_to_the_nearest_number(value: int, mixed: int) -> None:
    """Over white, an alpha of 1 leaves 254 and value / 255."""
    pixel = np.array([[[value, value, value, 1]]], np.uint8)
    assert clipboard.dib(pixel)[40:43] == bytes([mixed] * 3)


class Function:
    """A function of a DLL, whose types can be set."""

    def __init__(self, call: Any) -> None:
        self.call = call

    def __call__(self, *arguments: Any) -> Any:
        return self.call(*arguments)


class Windows:
    """As much of user32 and kernel32 as the clipboard needs."""

    def __init__(self, refusals: int = 0) -> None:
        self.refusals = refusals
        self.blocks: list[Any] = []
        self.held: dict[int, bytes] = {1: b"old"}
        self.open = False
        self.OpenClipboard = Function(self._open)
        self.EmptyClipboard = Function(lambda: self.held.clear())
        self.CloseClipboard = Function(self._close)
        self.RegisterClipboardFormatW = Function(lambda name: {"PNG": 50000}[name])
        self.GlobalAlloc = Function(self._allocate)
        self.GlobalLock = Function(lambda handle: ctypes.addressof(self.blocks[handle]))
        self.GlobalUnlock = Function(lambda handle: True)
        self.SetClipboardData = Function(self._set)

    def _open(self, window: Any) -> bool:
        self.refusals -= 1
        self.open = self.refusals < 0
        return self.open

    def _close(self) -> None:
        self.open = False

    def _allocate(self, flags: int, size: int) -> int:
        self.blocks.append(ctypes.create_string_buffer(size))
        return len(self.blocks) - 1

    def _set(self, form: int, handle: int) -> None:
        assert self.open
        self.held[form] = self.blocks[handle].raw


@pytest.mark.parametrize("refusals", [0, 3])
def test_windows_gets_both_forms(refusals: int) -> None:
    windows = Windows(refusals)
    clipboard.give_to_windows(windows, windows, b"bitmap", b"png")
    assert windows.held == {50000: b"png", clipboard.CF_DIB: b"bitmap"} and not windows.open


def test_a_clipboard_that_never_opens_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard.time, "sleep", lambda seconds: None)
    with pytest.raises(ResourceError, match="another program"):
        clipboard.give_to_windows(Windows(1000), Windows(), b"", b"")
