"""A texture of the model in view is saved in the background."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.app.conftest import RED
from viewer.app.loop import App
from viewer.session.requests import SaveTexture


def saved(app: App, path: Path, **wanted: Any) -> np.ndarray:
    """Save a texture of the model, and read it."""
    app.post(SaveTexture(0, path=str(path), **wanted))
    app.frame(0.0)
    while app.busy:
        app.frame(0.0)
    assert app.state.messages[-1].text == f"Saved {path}", app.state.messages
    with Image.open(path) as picture:
        return np.asarray(picture).copy()


def test_the_file_that_the_user_chose_is_saved(m2_app: App, m2: Path, tmp_path: Path) -> None:
    m2_app.state.view.textures[0] = str(m2.with_name("red.png"))
    m2_app.frame(0.0)
    assert (saved(m2_app, tmp_path / "x.png") == RED).all()
    assert (saved(m2_app, tmp_path / "x.png", channels="R") == 255).all()


def test_layouts_are_drawn_over_a_readable_picture(m2_app: App, tmp_path: Path) -> None:
    found = saved(m2_app, tmp_path / "x.png", layouts=True)
    assert found.shape[:2] == (1024, 1024) and (found != found[0, 0]).any()


def test_a_texture_without_an_image_is_not_saved(m2_app: App, tmp_path: Path) -> None:
    m2_app.post(SaveTexture(0, path=str(tmp_path / "x.png")))
    m2_app.frame(0.0)
    assert m2_app.state.messages[-1].text == "The texture has no image to save."
    assert not (tmp_path / "x.png").exists()


def test_a_file_that_is_open_is_not_replaced(m2_app: App, m2: Path) -> None:
    before = m2.read_bytes()
    m2_app.post(SaveTexture(0, layouts=True, path=str(m2)))
    m2_app.frame(0.0)
    assert "is open here" in m2_app.state.messages[-1].text and m2.read_bytes() == before


def test_a_folder_that_is_gone_is_one_message(m2_app: App, tmp_path: Path) -> None:
    m2_app.post(SaveTexture(0, layouts=True, path=str(tmp_path / "gone" / "x.png")))
    m2_app.frame(0.0)
    while m2_app.busy:
        m2_app.frame(0.0)
    assert m2_app.state.messages[-1].kind == "error"


def test_without_a_path_the_user_is_asked(m2_app: App) -> None:
    m2_app.post(SaveTexture(0))
    m2_app.frame(0.0)
    m2_app.frame(0.0)
    assert m2_app.state.pending_files.browser is not None
