"""`rigscope render --ui`: draws the whole window without a display."""

from __future__ import annotations

import time

from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.arrays import damaged_numbers
from viewer.commands.options.apply_options import aim, apply
from viewer.commands.options.given_options import Options
from viewer.commands.options.parser import UsageError
from viewer.export.film.film import is_sequence
from viewer.gpu.headless import context
from viewer.gpu.target import RenderTarget
from viewer.session.requests import Screenshot
from viewer.session.state import State

STEADY = 6
"""The number of frames after which the positions of panels and the lengths of lists no longer change."""
SETTLING_FRAMES = 1000
"""The largest number of frames in which panels may still load and count their contents."""
CHECKED, PAUSE = 10.0, 0.02
"""The time limit for file checks, and the time between two polls of them, both in seconds."""


@damaged_numbers()
def draw_window(state: State, options: Options, output: str) -> None:
    """Write a picture of the window with this State to `output`, in the default layout.

    The user's settings are not read. UsageError for a film; OSError or ValueError if the output cannot be
    written.
    """
    if is_sequence(output) or options.frames or options.turntable or options.seamless:
        raise UsageError("--ui draws a single picture: choose an output such as OUT.png")
    state.interface.preferences.theme = options.theme
    state.view.clock.playing = False
    with context() as ctx:
        target = RenderTarget(ctx, options.size)
        surface = DrawSurface(target.framebuffer, options.size, options.size, options.scale)
        app = App(ctx, state, surface, start=lambda state, size: _start(state, options, size))
        try:
            for number in range(SETTLING_FRAMES):
                app.frame(0.0)
                if number >= STEADY and app.pause != 0:
                    break
            end = time.monotonic() + CHECKED
            while app.busy and time.monotonic() < end:
                time.sleep(PAUSE)
                app.frame(0.0)
            app.post(Screenshot(output, "window"))
            app.frame(0.0)
        finally:
            app.close()
            target.release()
    failed = [message.text for message in state.messages if message.kind == "error"]
    if failed:
        raise UsageError(failed[-1])


def _start(state: State, options: Options, size: tuple[int, int]) -> None:
    """Apply the options again, because a document gets default settings when it is first shown."""
    apply(state, options)
    aim(state, options, size)
