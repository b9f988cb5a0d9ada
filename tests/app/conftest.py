"""The whole program with files of one's own, or with a small M2 model that has a moving camera and an open
texture."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.desktop import NEWS, Desktop, state_without_multisampling, unrasterized
from tests.synthetic import write_pair
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.gpu.target import RenderTarget
from viewer.session.state import State
from viewer.storage.image import save_png

SIZE, SMALL = (400, 300), (480, 320)
Make = Callable[..., App]
ZERO = (0.0, 0.0, 0.0)
RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)


def m2_bytes() -> bytes:
    """The model: texture 0 is hair, which no file names; camera 0 goes 2 yards to the left in the second of
    Stand, camera 1 stays."""
    from tests import m2_files

    path = [[*value, *ZERO, *ZERO] for value in (ZERO, (0.0, 2.0, 0.0))]
    track = m2_files.keys(m2_files.CLASSIC, [([0, 1000], path), ([0], path[:1])])
    camera = {"fov": 1.0, "far": 100, "near": 0.1, "position": (5, 0, 1), "target": (0, 0, 1)}
    return m2_files.model(
        textures=[{"type": 6}],
        materials=[{"flags": 5}],
        cameras=[{"type": 0, **camera, "position_track": track}, {"type": 1, **camera}],
    )


@pytest.fixture
def m2(wow: None, tmp_path: Path) -> Path:
    """The model with two pictures beside it."""
    for name, color in (("red.png", RED), ("blue.png", BLUE)):
        save_png(tmp_path / name, np.full((2, 2, 4), color, np.uint8))
    path = tmp_path / "Made.m2"
    path.write_bytes(m2_bytes())
    return path


@pytest.fixture
def m2_app(ctx: Any, m2: Path) -> Iterator[App]:
    """It is in view, and paused at its first moment."""
    target = RenderTarget(ctx, SIZE)
    surface = DrawSurface(target.framebuffer, SIZE, SIZE)
    made = App(ctx, state_without_multisampling(), surface, [str(m2)])
    end = time.monotonic() + 60
    with unrasterized(ctx):
        made.frame(0.0)
        while made.loading and time.monotonic() < end:
            made._tasks.wait(NEWS)
            made.frame(0.0)
        made.state.view.clock.pause()
        made.state.view.clock.seek(0.0)
        made.frame(1.0)
    yield made
    made.close()
    target.release()


@pytest.fixture
def make(ctx: Any) -> Iterator[Make]:
    """Opens paths in an App, which is closed at the end."""
    target = RenderTarget(ctx, SMALL)
    made: list[App] = []

    def make(*paths: object) -> App:
        surface = DrawSurface(target.framebuffer, SMALL, SMALL)
        made.append(App(ctx, state_without_multisampling(), surface, [str(p) for p in paths]))
        until(made[-1], lambda state: not made[-1].busy)
        return made[-1]

    yield make
    for app in made:
        app.close()
    target.release()


def until(app: App, true: Callable[[State], Any]) -> State:
    """Frames until something holds."""
    end = time.monotonic() + 60
    with unrasterized(app._ctx):
        app.frame(0.0)
        while not true(app.state):
            assert time.monotonic() < end, app.state.messages
            app._tasks.wait(NEWS)
            app.frame(0.0)
    return app.state


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A post that is drawn, and at rest."""
    made = Desktop(ctx, write_pair(tmp_path), size=(900, 600), drawn=True)
    made.state.view.clock.playing = False
    made.rest()
    made.frames(2)
    yield made
    made.close()
