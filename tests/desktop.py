"""A whole program without a window, and a hand at its mouse and keys."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from imgui_bundle import imgui

from viewer.app.loop import App
from viewer.app.viewport import Surface
from viewer.arrays import Size
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
RASTERIZER_DISCARD = 0x8C89  # GL_RASTERIZER_DISCARD


def state_without_multisampling() -> State:
    """The state of a new program. llvmpipe takes most of a test's time for four samples of a pixel."""
    state = State()
    state.options.samples = 0
    return state


class Desktop:
    """`size` in points, of which a point of the theme takes `scale`."""

    def __init__(
        self,
        ctx: Any,
        *paths: Path,
        size: Size = (1280, 800),
        scale: float = 1.0,
        settings: Path | None = None,
    ) -> None:
        self._ctx = ctx
        self.target = RenderTarget(ctx, size)
        surface = Surface(self.target.framebuffer, size, size, scale)
        self.app = App(
            ctx, state_without_multisampling(), surface, [str(path) for path in paths], settings=settings
        )
        self.settle()

    @property
    def state(self) -> State:
        return self.app.state

    def settle(self) -> None:
        """Frames until nothing is being read and the docks are at rest."""
        end = time.monotonic() + 60
        self.skip(seconds=0.0)
        while self.app.busy and time.monotonic() < end:
            self.skip(seconds=0.0)
        self.frames(6)

    def frames(self, count: int = 1) -> None:
        """Frames, of which only the last is rasterized: no test looks at the others, and llvmpipe is slow."""
        self.skip(count - 1)
        self.app.frame(DT)

    def skip(self, count: int = 1, seconds: float = DT) -> None:
        """Frames that are computed as always, with all GL calls, but leave the pixels as they are."""
        self._ctx.enable_direct(RASTERIZER_DISCARD)
        for _ in range(count):
            self.app.frame(seconds)
        self._ctx.disable_direct(RASTERIZER_DISCARD)

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
