"""A whole program without a window, and a hand at its mouse and keys."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import moderngl
import pytest
from imgui_bundle import imgui

from viewer.app import viewport
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.arrays import Array, Size
from viewer.gpu.target import RenderTarget
from viewer.session.state import State
from viewer.ui.kit.input import KEYS
from viewer.ui.kit.shortcuts import chords

NAMES = {int(key): name for name, key in KEYS.items()}
MASKS = {
    int(imgui.Key.mod_ctrl): "Ctrl",
    int(imgui.Key.mod_shift): "Shift",
    int(imgui.Key.mod_alt): "Alt",
}
DT = 1 / 60
NEWS = 0.05
"""Longest wait in seconds for the end of a task before the next frame; frames only hold the tasks up."""


def state_without_multisampling() -> State:
    """The state of a new program. llvmpipe takes most of a test's time for four samples of a pixel."""
    state = State()
    state.options.samples = 0
    return state


@contextmanager
def unrasterized(ctx: Any) -> Iterator[None]:
    """What is drawn or copied leaves the pixels as they are, whatever else a pipeline enables."""
    enable_only = moderngl.Context.enable_only

    def and_discard(self: Any, flags: int) -> None:
        enable_only(self, flags | moderngl.RASTERIZER_DISCARD)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moderngl.Context, "enable_only", and_discard)
        patch.setattr(moderngl.Context, "copy_framebuffer", lambda self, target, source: None)
        patch.setattr(viewport, "KeptPicture", lambda *given: None)
        ctx.enable(moderngl.RASTERIZER_DISCARD)
        yield
        ctx.disable(moderngl.RASTERIZER_DISCARD)


class Desktop:
    """`size` in points, of which a point of the theme takes `scale`.

    Frames are rasterized only if it is `drawn`, as it has to be for what lies under the pointer in the
    picture: that takes llvmpipe nine tenths of a frame.
    """

    def __init__(
        self,
        ctx: Any,
        *paths: Path,
        size: Size = (1280, 800),
        scale: float = 1.0,
        settings: Path | None = None,
        drawn: bool = False,
        workers: int = 0,
    ) -> None:
        self.drawn = drawn
        self._ctx = ctx
        self.target = RenderTarget(ctx, size)
        surface = DrawSurface(self.target.framebuffer, size, size, scale)
        opened = [str(path) for path in paths]
        self.app = App(
            ctx, state_without_multisampling(), surface, opened, settings=settings, workers=workers
        )
        self.settle()

    @property
    def state(self) -> State:
        return self.app.state

    def settle(self) -> None:
        """Frames until nothing is being read and the docks are at rest."""
        end = time.monotonic() + 60
        self.skip(seconds=0.0)
        while self.app.loading and time.monotonic() < end:
            self.app._tasks.wait(NEWS)
            self.skip(seconds=0.0)
        self.frames(6)

    def frames(self, count: int = 1) -> None:
        """Frames, of which the last is rasterized if the desktop is `drawn`."""
        self.skip(count - self.drawn)
        if self.drawn:
            self.app.frame(DT)

    def rest(self) -> None:
        """Let the tasks end and a second pass: the next change is an undo step of its own."""
        end = time.monotonic() + 60
        while self.app.busy and time.monotonic() < end:
            self.app._tasks.wait(NEWS)
            self.skip(seconds=0.0)
        self.skip(4, seconds=0.3)

    def skip(self, count: int = 1, seconds: float = DT) -> None:
        """Frames that are computed as always, with all GL calls, but leave the pixels as they are."""
        with unrasterized(self._ctx):
            for _ in range(count):
                self.app.frame(seconds)

    def pixels(self) -> Array:
        """[height, width, 4] u8: one more frame, rasterized."""
        self.app.frame(DT)
        return self.target.read()

    def press(self, chord: str) -> None:
        """A chord of the action table, down and up."""
        key = chords(chord)[0]
        held = frozenset(word for mask, word in MASKS.items() if key & mask)
        name = NAMES[key & ~sum(mask for mask in MASKS)]
        self.app.host.input.key(name, True, held)
        self.frames(2)
        self.app.host.input.key(name, False)
        self.frames(2)

    def type(self, text: str) -> None:
        self.app.host.input.text(text)
        self.frames(2)

    def move(self, x: float, y: float) -> None:
        self.app.host.input.pointer(x, y)
        self.frames()

    def button(self, down: bool) -> None:
        self.app.host.input.button("left", down)
        self.frames()

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.button(True)
        self.button(False)
        self.frames()

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.move(*start)
        self.frames()
        self.button(True)
        self.move(*end)
        self.frames()
        self.button(False)
        self.frames(4)

    def close(self) -> None:
        self.app.close()
        self.target.release()
