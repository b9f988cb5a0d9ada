"""The light of an environment in the window: made in a task, dropped, turned, saved, copied."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.desktop import Desktop
from tests.hdr import hdr
from tests.synthetic import write_pair
from viewer.app.output.view_command import view_command
from viewer.arrays import Array
from viewer.commands.cli import main
from viewer.scene.choices import LightKind, Tone
from viewer.session.requests import Drop, OpenEnvironment, Reload, Screenshot
from viewer.ui.view.mouse import turn_light


def sky(folder: Path, left: float = 0.05, right: float = 0.8) -> str:
    """A picture of all directions whose halves differ."""
    colors = np.full((32, 64, 3), left)
    colors[:, 32:] = right
    path = folder / "sky.hdr"
    path.write_bytes(hdr(colors))
    return str(path)


def picture(desktop: Desktop) -> Array:
    """[height, width, 4] u8: the picture of the model after one more frame."""
    desktop.app.frame(1 / 60)
    assert desktop.app._target is not None
    return desktop.app._target.read()


def test_the_studio_lights_the_model_until_the_environment_is_made(desktop: Desktop) -> None:
    studio = picture(desktop)
    desktop.state.options.light = LightKind.ENVIRONMENT
    first = picture(desktop)
    desktop.rest()
    assert (first == studio).all()
    assert not (picture(desktop) == studio).all()


def test_a_dropped_picture_is_the_environment(desktop: Desktop, tmp_path: Path) -> None:
    desktop.app.post(Drop((sky(tmp_path),)))
    desktop.settle()
    options = desktop.state.options
    assert (options.light, options.environment) == (LightKind.ENVIRONMENT, str(tmp_path / "sky.hdr"))
    assert len(desktop.state.documents.opened) == 1
    desktop.rest()
    desktop.state.undo.undo()
    assert options.light is LightKind.STUDIO


def test_a_drag_turns_the_environment(desktop: Desktop) -> None:
    desktop.state.options.light = LightKind.ENVIRONMENT
    desktop.settle()
    turn_light(desktop.state, 50.0, 10.0)
    assert desktop.state.options.environment_turn == 20.0


def test_a_broken_environment_is_a_message_and_the_room(desktop: Desktop, tmp_path: Path) -> None:
    broken = tmp_path / "broken.hdr"
    broken.write_bytes(b"#?RADIANCE\n\n-Y 2 +X 4\n")
    desktop.app.post(OpenEnvironment(str(broken)))
    desktop.settle()
    desktop.rest()
    assert desktop.state.options.environment == "room"
    assert [
        each.text for each in desktop.state.messages if "broken.hdr" in each.text and each.kind == "error"
    ]


def test_a_reload_reads_the_environment_again(desktop: Desktop, tmp_path: Path) -> None:
    desktop.app.post(OpenEnvironment(sky(tmp_path)))
    desktop.settle()
    before = picture(desktop)
    sky(tmp_path, 0.9, 0.9)
    desktop.app.post(Reload())
    desktop.settle()
    desktop.rest()
    assert not (picture(desktop) == before).all()


def test_the_copied_command_draws_the_saved_picture(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desktop = Desktop(ctx, write_pair(tmp_path), size=(400, 300), drawn=True)
    desktop.state.view.clock.pause()
    options = desktop.state.options
    desktop.app.post(OpenEnvironment(sky(tmp_path)))
    desktop.settle()
    options.environment_turn, options.environment_strength = 35.0, 1.5
    options.tone, options.exposure, options.occlusion = Tone.FILMIC, 0.5, True
    options.environment_background = 0.3
    desktop.app.post(Screenshot(str(tmp_path / "saved.png"), content="model"))
    desktop.app.frame(0.0)
    command, left_out = view_command(desktop.state, desktop.app._picture_size())
    desktop.close()
    assert left_out == [] and "--environment-background" not in command
    (tmp_path / "drawn").mkdir()
    monkeypatch.chdir(tmp_path / "drawn")
    assert main(shlex.split(command)[1:]) == 0
    assert (tmp_path / "drawn" / "Post.png").read_bytes() == (tmp_path / "saved.png").read_bytes()


def test_another_light_leaves_the_environment_out_of_the_copied_command(desktop: Desktop) -> None:
    desktop.state.options.environment_turn = 35.0
    assert "environment" not in view_command(desktop.state, (64, 48))[0]
