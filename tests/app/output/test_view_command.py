"""The command that draws the picture of the window again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.app.conftest import Make
from tests.desktop import Desktop
from tests.synthetic import animation_bytes, model_bytes, opened_with_two_clips, track, write_pair
from viewer.app.loop import App
from viewer.app.output.view_command import view_command
from viewer.commands.cli import main
from viewer.scene.camera import Orbit
from viewer.scene.choices import Ghosts, LightKind, Shading, TimeTie
from viewer.scene.display import DisplayOptions
from viewer.scene.items import BoneItem
from viewer.session.comparison import find_partner, follow
from viewer.session.requests import Screenshot

SIZE = (64, 48)


def words(app: App) -> list[str]:
    """The words of the command."""
    return shlex.split(view_command(app.state, SIZE)[0])


def value(app: App, option: str) -> str:
    """The value of an option of the command."""
    found = words(app)
    return found[found.index(option) + 1]


@pytest.fixture
def app(make: Make, tmp_path: Path) -> App:
    return make(write_pair(tmp_path))


def test_it_names_the_model_the_time_and_the_size(app: App, tmp_path: Path) -> None:
    app.state.view.clock.seek(0.25)
    assert words(app)[:5] == ["rigscope", "render", str(tmp_path / "Post.mdl"), "-o", "Post.png"]
    assert value(app, "--time") == "0.25" and value(app, "--size") == "64x48"


def test_only_what_differs_from_the_default_is_named(app: App) -> None:
    assert {"--shading", "--light", "--wireframe", "--lod", "--missing"}.isdisjoint(words(app))
    app.state.options.shading, app.state.options.wireframe = Shading.NORMALS, True
    app.state.options.light, app.state.options.light_direction = LightKind.HEADLAMP, (10.0, -5.0)
    app.state.view.lod = 0
    assert value(app, "--shading") == "normals" and value(app, "--lod") == "0"
    assert value(app, "--light") == "headlamp:10.0,-5.0" and "--wireframe" in words(app)
    app.state.options.shadow = app.state.options.figure = True
    order = ["--wireframe", "--figure", "--shadow", "--shading", "--light"]
    assert [word for word in words(app) if word in order] == order


def test_ghosts_and_trails_are_named(app: App) -> None:
    app.state.options.ghosts, app.state.view.trails = Ghosts(2, 0.25), frozenset({BoneItem(0)})
    assert app.state.skeleton is not None
    assert value(app, "--ghosts") == "2:0.25" and value(app, "--trail") == app.state.skeleton.names[0]
    app.state.options.ghosts = Ghosts(keys=True)
    assert value(app, "--ghosts") == "keys"


def test_clips_of_other_files_are_among_its_files(make: Make, tmp_path: Path) -> None:
    model = tmp_path / "One.mdl"
    model.write_bytes(model_bytes())
    (tmp_path / "clips").mkdir()
    clip = tmp_path / "clips" / "Wave.ani"
    clip.write_bytes(animation_bytes("Wave", 1.0, [track("root", [0], scale=[[1, 1, 1]])]))
    app = make(model, clip)
    app.state.playback.choose(app.state.playback.animations[0])
    assert words(app)[2:4] == [str(model), str(clip)] and value(app, "--animation") == "Wave"
    assert words(app).count("--animation") == 1
    app.state.playback.choose(None)
    assert value(app, "--animation") == "none"


def test_what_the_command_line_cannot_say_is_named(app: App) -> None:
    assert view_command(app.state, SIZE)[1] == []
    app.state.view.hidden.add(0)
    app.state.options.bounds = True
    assert view_command(app.state, SIZE)[1] == ["hidden geometries", "bounds"]


@pytest.mark.parametrize("ortho", [False, True])
def test_it_draws_the_picture_that_the_window_saves(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ortho: bool
) -> None:
    desktop = Desktop(ctx, write_pair(tmp_path), size=(400, 300), drawn=True)
    desktop.state.view.clock.pause()
    desktop.state.view.camera = Orbit((0.1, 0.5, 0.0), 4.0, yaw=20.0, roll=5.0, fov=30.0, ortho=ortho)
    desktop.app.post(Screenshot(str(tmp_path / "saved.png"), content="model"))
    desktop.app.frame(0.0)
    command, left_out = view_command(desktop.state, desktop.app._picture_size())
    desktop.close()
    (tmp_path / "drawn").mkdir()
    monkeypatch.chdir(tmp_path / "drawn")
    assert left_out == [] and main(shlex.split(command)[1:]) == 0
    assert (tmp_path / "drawn" / "Post.png").read_bytes() == (tmp_path / "saved.png").read_bytes()


def test_a_switch_that_is_on_by_default_is_named_when_it_is_off(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.app.output.view_command.DisplayOptions", lambda: DisplayOptions(shadow=True))
    assert "--no-shadow" in words(app)
    app.state.options.shadow = True
    assert not any("shadow" in word for word in words(app))


def test_a_model_beside_itself_is_drawn_with_the_clips_and_times_of_both_sides(tmp_path: Path) -> None:
    state = opened_with_two_clips(tmp_path)
    bend, wave = state.playback.animations
    state.playback.choose(bend)
    state.compare_with_itself()
    state.documents.comparison = replace(state.documents.comparison, tie=TimeTie.SHARE)
    find_partner(state)
    assert state.partner is not None
    state.partner.playback.choose(wave)
    state.view.clock.seek(0.25)
    follow(state)
    for _ in range(2):
        text, left_out = view_command(state, SIZE)
        given = shlex.split(text)
        found = {word: given[number + 1] for number, word in enumerate(given[:-1]) if word[:2] == "--"}
        assert (found["--animation"], found["--with-animation"]) == ("Bend", "Wave")
        assert (found["--time"], found["--with-time"]) == ("0.25", "0.5")
        assert found["--compare"] == "motion" and not left_out
        state.switch_side()
        find_partner(state)
    output = tmp_path / "x.png"
    given[given.index("-o") + 1] = str(output)
    assert main(given[1:]) == 0 and output.exists()
