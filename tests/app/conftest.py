"""An App on EGL for the tests of what it does with files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from viewer.app import App, Surface
from viewer.gpu.target import Target
from viewer.state import State

SIZE = (480, 320)
Make = Callable[..., App]


@pytest.fixture
def make(ctx: Any) -> Iterator[Make]:
    """Opens paths in an App, which is closed at the end."""
    target = Target(ctx, SIZE)
    made: list[App] = []

    def make(*paths: object) -> App:
        made.append(App(ctx, State(), Surface(target.framebuffer, SIZE, SIZE), [str(p) for p in paths]))
        until(made[-1], lambda state: not made[-1]._files.restless)
        return made[-1]

    yield make
    for app in made:
        app.close()
    target.release()


def until(app: App, true: Callable[[State], Any]) -> State:
    """Frames until something holds."""
    end = time.monotonic() + 10
    app.frame(0.0)
    while not true(app.state):
        assert time.monotonic() < end, app.state.messages
        app.frame(0.0)
    return app.state
