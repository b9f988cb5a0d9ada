"""Someone who starts the program for the first time, clicks what can be read, and counts the actions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import m2_files
from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.ogre_files import NEWEST, declared_geometry, mesh_bytes, submesh
from tests.ogre_media import SIMPLE
from tests.synthetic import model_bytes, write_pair
from viewer.families.ogre.mesh_layout import SUBMESH
from viewer.scene.items import ByteItem
from viewer.session.state import State
from viewer.storage.image import save_png

TIMEOUT = 20.0
RED, WHITE = (255, 0, 0, 255), (255, 255, 255, 255)


class NewUser:
    """A window with empty settings, and the number of actions since its start."""

    def __init__(self, ctx: Any, folder: Path, *paths: Path) -> None:
        self.actions = 0
        self.desktop = Desktop(ctx, *paths, settings=folder / "settings.json")

    @property
    def state(self) -> State:
        return self.desktop.state

    def sees(self, label: str) -> tuple[float, float]:
        """Where a label is that begins so, as soon as it is drawn."""
        end = time.monotonic() + TIMEOUT
        while True:
            found = drawn_labels(self.desktop)
            match = next((each for each in found if each == label), None)
            match = match or next((each for each in found if each.startswith(label)), None)
            if match is not None:
                return found[match]
            assert time.monotonic() < end, f"{label} is not drawn: {sorted(found)}"

    def clicks(self, label: str) -> None:
        self.actions += 1
        self.desktop.click(*self.sees(label))
        self.desktop.frames(2)

    def chooses(self, folder: str, button: str) -> None:
        """Point at a folder of the dialog and press the button that appears beside it."""
        self.desktop.move(*self.sees(folder))
        self.clicks(button)

    def waits(self, true: Callable[[State], Any]) -> None:
        end = time.monotonic() + TIMEOUT
        while not true(self.state):
            assert time.monotonic() < end, self.state.messages
            self.desktop.skip(seconds=0.0)


@pytest.fixture
def user(ctx: Any, tmp_path: Path) -> Iterator[Callable[..., NewUser]]:
    made: list[NewUser] = []

    def start(*paths: Path) -> NewUser:
        made.append(NewUser(ctx, tmp_path, *paths))
        return made[-1]

    yield start
    for each in made:
        each.desktop.close()


def picture(path: Path, color: tuple[int, ...]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_png(path, np.full((4, 4, 4), color, np.uint8))


def client(folder: Path) -> Path:
    """Game data with a creature of two skins among other files."""
    creature = folder / "Client/Creature/Rabbit"
    picture(creature / "RabbitSkin.blp", RED)
    picture(creature / "RabbitSkinWhite.blp", WHITE)
    (folder / "Client/readme.txt").write_text("none of ours")
    (creature / "Rabbit.m2").write_bytes(m2_files.model(m2_files.WRATH, textures=[{"type": 11}] * 2))
    (creature / "Rabbit00.skin").write_bytes(m2_files.skin())
    return creature


def test_from_a_folder_to_a_creature_that_walks_in_its_skin(
    user: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    creature = client(tmp_path)
    monkeypatch.chdir(tmp_path)
    new = user()
    new.clicks("Open folder…")
    new.chooses("Client", "Open")
    new.waits(lambda state: state.document)
    new.clicks("Walk")
    new.waits(lambda state: state.view.playlist and state.view.playlist[0].animation.name == "Walk")
    begin = new.state.view.clock.time
    new.desktop.frames(4)
    assert new.actions <= 4
    assert new.state.document.path == str(creature / "Rabbit.m2")
    assert new.state.view.clock.playing and new.state.view.clock.time > begin
    assert new.state.model.textures[0].path == str(creature / "RabbitSkin.blp")
    assert new.state.document.unreadable_images == {}
    gallery = new.state.view_info.gallery
    assert gallery is not None and gallery.small(0).size == (4, 4)


def mesh_without_textures(folder: Path) -> Path:
    """A mesh that was copied away from its game, which lies in a folder further down."""
    path = folder / "mine/Hero.mesh"
    path.parent.mkdir()
    path.write_bytes(mesh_bytes(NEWEST, (SUBMESH, submesh(declared_geometry()))))
    return path


def test_from_a_mesh_without_textures_to_a_resource_folder(user: Any, tmp_path: Path) -> None:
    new = user(mesh_without_textures(tmp_path))
    (name,) = [each.name for each in new.state.model.materials]
    media = tmp_path / "mine/game/art/media"
    picture(media / "textures/Skin.png", RED)
    (media / "scripts").mkdir()
    (media / "scripts/hero.material").write_text(SIMPLE.format(name=name, file="Skin.png"))
    new.clicks("1 material missing")
    new.clicks("Search in a folder…")
    new.chooses("game", "Search")
    new.waits(lambda state: [each.path for each in state.model.textures])
    assert new.actions <= 3
    assert [each.path for each in new.state.model.textures] == [str(media / "textures/Skin.png")]
    assert not any("missing" in label for label in drawn_labels(new.desktop) if "material" in label)
    assert new.state.interface.preferences.resources == [str(tmp_path / "mine/game")]


def test_a_cut_file_opens_on_the_bytes_where_it_breaks(user: Any, tmp_path: Path) -> None:
    path = tmp_path / "Cut.mdl"
    path.write_bytes(model_bytes()[:60])
    new = user(path)
    offset = new.state.document.report.errors[0].offset
    assert new.state.view.selection.picked == ByteItem(min(offset, 59))
    new.sees(f"0x{offset:X}")
    new.sees("Inspector")
    marked = new.desktop.app._workspace.panel("chunks").marked
    assert marked is not None and marked[1] == min(offset, 59)


def test_one_click_leads_from_a_model_that_is_cut_later_to_the_bytes(user: Any, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    path.write_bytes(model_bytes()[:-200])
    new = user(path)
    assert new.state.model.geometries or new.state.skeleton
    new.clicks("Show bytes")
    new.desktop.frames(4)
    offset = new.state.document.report.errors[0].offset
    picked = new.state.view.selection.picked
    assert new.actions == 1 and new.desktop.app._workspace.panel("chunks").marked[1] <= offset
    assert picked is not None
