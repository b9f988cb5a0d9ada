"""The picture of the model is drawn when something in it changes, and kept otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.desktop import Desktop
from viewer.arrays import Array
from viewer.render.renderer import Renderer
from viewer.scene.camera import Orbit
from viewer.scene.choices import Ghosts, Shading
from viewer.scene.items import BoneItem
from viewer.scene.material import Image
from viewer.session.requests import Reload


@pytest.fixture
def drawn(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A frame for each drawing of the model since the beginning of the test."""
    frames: list[object] = []
    draw = Renderer.draw

    def count(self: Renderer, mesh: Any, frame: Any, target: Any) -> Any:
        frames.append(frame)
        return draw(self, mesh, frame, target)

    monkeypatch.setattr(Renderer, "draw", count)
    return frames


def picture(desktop: Desktop) -> Array:
    """[height, width, 4] u8: the picture of the model after one more frame."""
    desktop.app.frame(1 / 60)
    assert desktop.app._target is not None
    return desktop.app._target.read()


def test_a_still_picture_is_drawn_once(desktop: Desktop, drawn: list[object]) -> None:
    before = picture(desktop)
    drawn.clear()
    assert np.array_equal(picture(desktop), before)
    desktop.app.host.input.pointer(3, 3)  # a pointer beside the picture
    desktop.app.frame(1 / 60)
    desktop.state.interface.palette = True
    for letter in "exp":
        desktop.app.host.input.text(letter)
        desktop.app.frame(1 / 60)
    assert not drawn


def test_a_still_picture_with_ghosts_and_trails_is_drawn_once(desktop: Desktop, drawn: list[object]) -> None:
    desktop.state.options.ghosts, desktop.state.view.trails = Ghosts(1), frozenset({BoneItem(1)})
    picture(desktop)
    drawn.clear()
    for _ in range(3):
        picture(desktop)
    assert not drawn


CHANGES: dict[str, Callable[[Desktop], object]] = {
    "camera": lambda d: setattr(d.state.view, "camera", Orbit(yaw=1.0, distance=3.0)),
    "time": lambda d: setattr(d.state.view.clock, "time", 0.25),
    "an option": lambda d: setattr(d.state.options, "shading", Shading.NORMALS),
    "a hidden part": lambda d: d.state.view.hidden.add(0),
    "the selected bone": lambda d: setattr(d.state.view.selection, "picked", BoneItem(1)),
    "a morph": lambda d: d.state.view.morphs.update({0: 0.5}),
    "the size": lambda d: setattr(d.app, "_picture_size", lambda: (300, 200)),
    "the density": lambda d: setattr(d.app.surface, "scale", 2.0),
    "effects": lambda d: setattr(d.state.view, "effects", replace(d.state.view.effects, seed=7)),
    "a shader": lambda d: d.app._viewport.reload_shaders(),
    "a file": lambda d: d.app.post(Reload()),
    "ghosts": lambda d: setattr(d.state.options, "ghosts", Ghosts(2)),
    "a trail": lambda d: setattr(d.state.view, "trails", frozenset({BoneItem(1)})),
    "the light theme": lambda d: setattr(d.state.view, "on_light", True),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_drawn(desktop: Desktop, drawn: list[object], change: str) -> None:
    CHANGES[change](desktop)
    for _ in range(3):
        desktop.app.frame(0.0)
        desktop.app._tasks.wait(0.05)
    desktop.rest()
    assert drawn


def test_a_replaced_texture_is_drawn(desktop: Desktop, drawn: list[object]) -> None:
    model = desktop.app._viewport._models[desktop.state.document]
    model._replace(0, Image((np.zeros((2, 2, 4), np.uint8),)))
    desktop.app.frame(0.0)
    assert len(drawn) == 1
    desktop.app.frame(0.0)
    assert len(drawn) == 1


def test_a_saved_picture_is_not_taken_for_the_kept_one(desktop: Desktop, drawn: list[object]) -> None:
    before = picture(desktop)
    options, size = replace(desktop.state.options, shading=Shading.SILHOUETTE), desktop.app._picture_size()
    desktop.app._viewport.draw(desktop.state, options, size)
    drawn.clear()
    assert np.array_equal(picture(desktop), before)
    assert len(drawn) == 1
