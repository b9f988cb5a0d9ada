"""Textures that a model leaves to the program, chosen in the window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from viewer.app.loop import App
from viewer.scene import texture_images
from viewer.scene.choices import LightKind, MissingTextures
from viewer.storage.image import save_png


def seen(app: App) -> set[str]:
    """Which of the colours fill more than a few pixels of the picture."""
    app.state.options.light = LightKind.UNLIT
    app.state.options.missing = MissingTextures.CHECKER
    for _ in range(3):
        app.frame(1.0)
    viewport = app._viewport
    pixels = viewport.draw(app.state, app.state.options, (64, 64)).read()[..., :3].astype(int)
    red, green, blue = np.moveaxis(pixels, 2, 0)
    checks = {
        "red": (red > 240) & (green < 20) & (blue < 20),
        "blue": (blue > 240) & (red < 20) & (green < 20),
        "checker": (red > 150) & (blue > 150) & (green < 100),
    }
    return {name for name, mask in checks.items() if mask.sum() > 5}


def test_what_is_chosen_is_worn_undone_and_worn_again(m2_app: App, m2: Path) -> None:
    state = m2_app.state
    assert seen(m2_app) == {"checker"}
    state.view.textures[0] = str(m2.with_name("red.png"))
    assert seen(m2_app) == {"red"}
    state.view.textures[0] = str(m2.with_name("blue.png"))
    assert seen(m2_app) == {"blue"}
    assert state.undo.undo()
    assert seen(m2_app) == {"red"}
    assert state.undo.undo()
    assert seen(m2_app) == {"checker"}
    assert state.undo.redo()
    assert seen(m2_app) == {"red"}


def test_the_small_pictures_of_the_panels_follow(m2_app: App, m2: Path) -> None:
    state = m2_app.state
    gallery = state.view_info.gallery
    assert gallery is not None
    assert gallery.image(0) is None
    state.view.textures[0] = str(m2.with_name("red.png"))
    m2_app.frame(0.0)
    image = gallery.image(0)
    assert image is not None and image.size == (2, 2)
    del state.view.textures[0]
    m2_app.frame(0.0)
    assert gallery.image(0) is None


def test_a_chosen_picture_is_within_the_budget_of_pixels(
    m2_app: App, m2: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texture_images, "DRIVER_SIDE", 4)
    save_png(m2.with_name("large.png"), np.full((8, 8, 4), 255, np.uint8))
    m2_app.state.view.textures[0] = str(m2.with_name("large.png"))
    m2_app.frame(0.0)
    gallery = m2_app.state.view_info.gallery
    assert gallery is not None
    image = gallery.image(0)
    assert image is not None and image.size == (4, 4)


def test_a_file_that_is_no_picture_is_told_and_the_checker_stays(m2_app: App, m2: Path) -> None:
    m2_app.state.view.textures[0] = str(m2)
    assert seen(m2_app) == {"checker"}
    assert [each.text for each in m2_app.state.messages if each.kind == "error"]


def test_what_was_chosen_stays_when_the_file_is_read_again(m2_app: App, m2: Path) -> None:
    from viewer.session.requests import Reload

    m2_app.state.view.textures[0] = str(m2.with_name("red.png"))
    m2_app.post(Reload())
    m2_app.frame(0.0)
    while m2_app.loading:
        m2_app.frame(0.0)
    assert seen(m2_app) == {"red"}
