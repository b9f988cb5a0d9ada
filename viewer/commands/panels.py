"""`rigscope render --ui`: the whole window as a picture, without a display."""

from __future__ import annotations

import time
from dataclasses import replace

from viewer.app.loop import App
from viewer.app.viewport import Surface
from viewer.commands.arguments import UsageError
from viewer.commands.headless import context
from viewer.commands.options import Options
from viewer.commands.session import aim, apply
from viewer.export.film import is_sequence
from viewer.gpu.target import RenderTarget
from viewer.session.requests import Screenshot
from viewer.session.state import State

STEADY = 6
"""Frames until panels have found their places and lists their lengths."""
LONGEST = 1000
"""Frames that panels get to find and count what they show."""
CHECKED, MOMENT = 10.0, 0.02
"""Seconds that the files of a package may take to be checked, and between two looks."""


def draw_window(state: State, options: Options, output: str) -> None:
    """Write the window with the State in it to `output`, in the default layout. The user's settings
    play no part. UsageError for a film; OSError or ValueError where it cannot be written."""
    if is_sequence(output) or options.frames or options.turntable or options.seamless:
        raise UsageError("--ui is for one picture, such as OUT.png")
    kept = state.interface.kept
    state.interface.kept = replace(kept, theme=options.theme)
    state.clock.playing = False
    with context() as ctx:
        target = RenderTarget(ctx, options.size)
        surface = Surface(target.framebuffer, options.size, options.size, options.scale)
        app = App(ctx, state, surface, start=lambda state, size: _start(state, options, size))
        try:
            for number in range(LONGEST):
                app.frame(0.0)
                if number >= STEADY and not app.restless:
                    break
            end = time.monotonic() + CHECKED
            while app.verifying and time.monotonic() < end:
                time.sleep(MOMENT)
                app.frame(0.0)
            app.post(Screenshot(output))
            app.frame(0.0)
        finally:
            app.close()
            target.release()
    failed = [message.text for message in state.messages if message.kind == "error"]
    if failed:
        raise UsageError(failed[-1])


def _start(state: State, options: Options, size: tuple[int, int]) -> None:
    """What the options say once more, since a document that comes into view begins anew."""
    apply(state, options)
    aim(state, options, size)
