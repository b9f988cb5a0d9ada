"""The window's own file dialog with real folders: typed and pasted paths, new folders, favourites."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.conftest import Make, until
from tests.labels import drawn_labels
from tests.synthetic import model_bytes
from viewer.app.loop import App
from viewer.app.output import screenshot
from viewer.session.folder_listing import FolderListing
from viewer.session.requests import (
    Browse,
    CloseDocument,
    ExportModel,
    GiveFile,
    Open,
    OpenFolder,
    RecordFilm,
    SaveAs,
    SavedFile,
    Screenshot,
)
from viewer.storage.image import save_png
from viewer.ui.workspace import STEADY

FILM = RecordFilm(turntable=True, frames=(0, 1), size=(32, 32))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `models` with two models, a folder in it, and a home beside it."""
    (tmp_path / "models" / "maps").mkdir(parents=True)
    (tmp_path / "home").mkdir()
    for name in ("Fox.mdl", "Hare.mdl", "maps/Town.mdl"):
        (tmp_path / "models" / name).write_bytes(model_bytes())
    monkeypatch.chdir(tmp_path / "models")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    return tmp_path


class Hand:
    """A hand at the keys of an App that shows its dialog."""

    def __init__(self, app: App, question: Any) -> None:
        self.app = app
        app.post(question)
        self.ready()
        self.frames(3)

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.app.frame(1 / 60)

    @property
    def browser(self) -> FolderListing:
        found = self.app.state.pending_files.browser
        assert found is not None
        return found

    def ready(self) -> None:
        until(self.app, lambda state: (each := state.pending_files.browser) and each.entries is not None)

    def types(self, text: str) -> None:
        self.app.host.input.text(text)
        self.frames(3)

    def key(self, name: str) -> None:
        self.app.host.input.key(name, True, frozenset())
        self.frames(2)
        self.app.host.input.key(name, False)
        self.frames(2)

    @property
    def shown(self) -> list[str]:
        return [each.name for each in self.browser.shown]


def opened(app: App) -> list[str]:
    until(app, lambda state: state.documents.opened and not state.pending_files.loading)
    return [Path(each.path).name for each in app.state.documents.opened]


def test_a_typed_path_shows_its_folder_and_its_candidates(make: Make, tree: Path) -> None:
    hand = Hand(make(), Open())
    hand.types("../mod")
    hand.ready()
    assert (hand.browser.folder, hand.shown) == (str(tree), ["models"])
    hand.key("TAB")
    hand.ready()
    assert hand.browser.text == "../models/" and hand.shown == ["maps", "Fox.mdl", "Hare.mdl"]
    hand.types("ha")
    hand.key("TAB")
    assert hand.browser.text == "../models/Hare.mdl"
    hand.key("ENTER")
    assert opened(hand.app) == ["Hare.mdl"] and hand.app.state.pending_files.browser is None


def test_a_pasted_path_and_enter_open_the_file_before_its_folder_is_listed(make: Make, tree: Path) -> None:
    hand = Hand(make(), Open())
    hand.app.host.input.text(f'"{tree / "models" / "maps" / "Town.mdl"}"')
    hand.frames(1)
    hand.app.host.input.key("ENTER", True, frozenset())
    assert opened(hand.app) == ["Town.mdl"]


def test_the_home_folder_and_back(make: Make, tree: Path) -> None:
    hand = Hand(make(), Open())
    hand.types("~")
    hand.ready()
    assert hand.browser.folder == str(tree / "home")
    hand.key("BACKSPACE")
    hand.ready()
    assert hand.browser.folder == str(tree / "models")
    hand.key("BACKSPACE")
    hand.ready()
    assert hand.browser.folder == str(tree)


def test_enter_after_a_folder_goes_there(make: Make, tree: Path) -> None:
    hand = Hand(make(), Open())
    hand.types("maps/")
    hand.key("ENTER")
    hand.ready()
    hand.frames(3)
    assert (hand.browser.folder, hand.browser.text) == (str(tree / "models" / "maps"), "")
    hand.types("to")
    hand.key("ENTER")
    assert opened(hand.app) == ["Town.mdl"]


def test_a_path_to_nowhere_says_so_and_enter_reports_it(make: Make, tree: Path) -> None:
    hand = Hand(make(), Open())
    hand.types("nowhere/fox.mdl")
    hand.ready()
    assert "No such file" in hand.browser.error or "cannot find" in hand.browser.error
    hand.key("ENTER")
    state = until(hand.app, lambda state: state.messages)
    assert "fox.mdl" in state.messages[-1].text and state.pending_files.browser is None


def test_a_pasted_folder_and_enter_choose_the_folder(make: Make, tree: Path) -> None:
    hand = Hand(make(), OpenFolder())
    hand.types(str(tree / "models" / "maps"))
    hand.key("ENTER")
    assert opened(hand.app) == ["Town.mdl"]


def test_a_file_is_saved_at_a_typed_path(make: Make, tree: Path) -> None:
    hand = Hand(make(tree / "models" / "Fox.mdl"), SaveAs(Screenshot()))
    assert hand.browser.text == "Fox.png"
    hand.types("~/fox.png")
    hand.key("ENTER")
    until(hand.app, lambda state: (tree / "home" / "fox.png").exists())


def open_hare(hand: Hand, tree: Path) -> None:
    """Open a second file behind the dialog."""
    hand.app.post(Open((str(tree / "models" / "Hare.mdl"),)))
    state = until(hand.app, lambda state: len(state.documents.opened) == 2 and not hand.app.loading)
    assert state.document is not None and state.document.path.endswith("Hare.mdl")
    hand.frames(3)


@pytest.mark.parametrize(
    ("request_", "name"), [(Screenshot(), "Fox.png"), (ExportModel(".obj"), "Fox.obj"), (FILM, "Fox.mp4")]
)
def test_the_document_that_was_asked_about_is_saved_although_another_came_into_view(
    make: Make, tree: Path, request_: SavedFile, name: str
) -> None:
    hand = Hand(make(tree / "models" / "Fox.mdl"), SaveAs(request_))
    open_hare(hand, tree)
    hand.key("ENTER")
    state = until(hand.app, lambda state: (tree / "models" / name).exists())
    assert state.document is not None and state.document.path.endswith("Fox.mdl")
    kept = state.interface.preferences
    assert str(tree / "models" / "{name}") in {kept.pictures.removesuffix(".png"), kept.exports, kept.films}


def test_the_picture_shows_the_panels_of_the_document_that_came_into_view_again(
    make: Make, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = Hand(make(tree / "models" / "Fox.mdl"), SaveAs(Screenshot()))
    open_hare(hand, tree)
    frames: list[str] = []
    draw, save = hand.app._workspace.draw, screenshot.save_all
    monkeypatch.setattr(
        hand.app._workspace, "draw", lambda *args: (frames.append(hand.app.state.document.path), draw(*args))
    )
    monkeypatch.setattr(screenshot, "save_all", lambda *args: (frames.append("saved"), save(*args)))
    hand.key("ENTER")
    hand.frames(8)
    before = frames[: frames.index("saved")]
    assert before[-STEADY:] == [str(tree / "models" / "Fox.mdl")] * STEADY
    assert (tree / "models" / "Fox.png").exists()


def test_nothing_is_saved_if_the_document_was_closed_behind_the_dialog(make: Make, tree: Path) -> None:
    hand = Hand(make(tree / "models" / "Fox.mdl"), SaveAs(Screenshot()))
    open_hare(hand, tree)
    hand.app.post(CloseDocument(0))
    hand.frames(2)
    hand.key("ENTER")
    hand.frames(3)
    assert [each.text for each in hand.app.state.messages] == ["Fox.mdl was closed, so nothing is saved"]
    assert hand.app.state.pending_files.browser is None
    assert not (tree / "models" / "Fox.png").exists() and not (tree / "models" / "Hare.png").exists()


def test_a_texture_is_given_to_the_document_that_was_asked_about(make: Make, tree: Path) -> None:
    save_png(tree / "models" / "red.png", np.full((2, 2, 4), 255, np.uint8))
    hand = Hand(make(tree / "models" / "Fox.mdl"), GiveFile("skin.png", 0))
    open_hare(hand, tree)
    hand.types("red.png")
    hand.key("ENTER")
    hand.frames(3)
    views = {
        Path(each.path).name: each_view.textures
        for each, each_view in hand.app.state.documents.views.items()
        if each
    }
    assert views == {"Fox.mdl": {0: str(tree / "models" / "red.png")}, "Hare.mdl": {}}


def test_a_typed_folder_is_entered_and_the_suggested_name_stays(make: Make, tree: Path) -> None:
    hand = Hand(make(tree / "models" / "Fox.mdl"), SaveAs(Screenshot()))
    hand.types("maps")
    assert "Open folder" in drawn_labels(hand)
    hand.key("ENTER")
    hand.ready()
    assert (hand.browser.folder, hand.browser.text) == (str(tree / "models" / "maps"), "Fox.png")
    hand.types("~/")
    hand.key("ENTER")
    hand.ready()
    assert (hand.browser.folder, hand.browser.text) == (str(tree / "home"), "Fox.png")


def click(hand: Hand, label: str) -> None:
    x, y = drawn_labels(hand)[label]
    hand.app.host.input.pointer(x, y)
    hand.frames()
    hand.app.host.input.button("left", True, frozenset())
    hand.frames()
    hand.app.host.input.button("left", False)
    hand.frames(3)


def test_a_new_folder_is_made_and_shown(make: Make, tree: Path) -> None:
    hand = Hand(make(), OpenFolder())
    click(hand, "New folder…")
    hand.types("made")
    hand.key("ENTER")
    until(hand.app, lambda state: (each := state.pending_files.browser) and each.folder.endswith("made"))
    hand.ready()
    assert hand.browser.folder == str(tree / "models" / "made") and (tree / "models" / "made").is_dir()


def test_a_folder_that_cannot_be_made_is_reported_in_the_dialog(make: Make, tree: Path) -> None:
    hand = Hand(make(), OpenFolder())
    click(hand, "New folder…")
    hand.types("maps")
    hand.key("ENTER")
    until(hand.app, lambda state: (each := state.pending_files.browser) and each.problem)
    assert hand.browser.problem.startswith("the folder maps cannot be made: ")
    assert hand.browser.folder == str(tree / "models")


def test_a_star_keeps_a_folder_among_the_favourites(make: Make, tree: Path) -> None:
    hand = Hand(make(), Open())
    favourites = hand.app.state.interface.preferences
    click(hand, "")
    assert favourites.favourite_folders == [str(tree / "models")]
    hand.app.post(Browse(str(tree)))
    hand.frames(2)
    hand.ready()
    assert "Favourites" in drawn_labels(hand)
    click(hand, "models")
    hand.ready()
    assert hand.browser.folder == str(tree / "models")
    click(hand, "")
    assert favourites.favourite_folders == []


def test_the_order_stays_in_the_next_folder(make: Make, tree: Path) -> None:
    hand = Hand(make(), Open())
    hand.browser.order = hand.app.state.pending_files.order = "size", True
    hand.types("maps/")
    hand.ready()
    assert hand.browser.order == ("size", True)
