"""Packages in the window: models inside open with all that belongs to them, checksums are checked aside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.conftest import Make, until
from tests.packages import NINJA, POST, ninja_files, png, post_files, write_package
from tests.synthetic import model_bytes
from viewer.app.loop import App
from viewer.app.open_files.matching_models import companions
from viewer.app.open_files.model_files import neighbour, open_path
from viewer.app.output.save_paths import suggested
from viewer.scene.animation import Animation
from viewer.scene.package import GOOD, WRONG, Package
from viewer.scene.reading_context import DEFAULT
from viewer.session.pending_files import FolderPosition
from viewer.session.requests import CloseDocument, Open, OpenNeighbour, Reload, ReopenTab, Screenshot
from viewer.session.state import State
from viewer.storage.dependencies import depends_on
from viewer.storage.documents import open_document


def content(state: State) -> Package:
    packages = [each.content for each in state.documents.opened if isinstance(each.content, Package)]
    assert len(packages) == 1
    return packages[0]


def green(app: App) -> int:
    """How many pixels of the picture are green rather than anything else."""
    picture = app._viewport.clean(app.state, (200, 200)).astype(int)
    return int(((picture[..., 1] > picture[..., 0] + 40) & (picture[..., 1] > picture[..., 2] + 40)).sum())


@pytest.mark.parametrize("magic", ["UPAK", "RLZ4"])
def test_the_ninja_in_a_package_is_textured_and_walks(
    make: Make, corpus: Path, tmp_path: Path, magic: str
) -> None:
    path = write_package(tmp_path, magic, ninja_files(corpus))
    app = make(path)
    app.post(Open((f"{path}::{NINJA}",)))
    state = until(app, lambda state: state.document is not None and state.document.path.endswith(".mdl"))
    assert state.document is not None and state.document.report.complete
    assert [texture.path for texture in state.model.textures if state.model] == [
        f"{path}::Textures/NinjaSnowWar/Ninja.dds"
    ]
    state.playback.choose(state.playback.animation("Walk"))
    state.view.clock.play()
    app.frame(0.3)
    first = state.playback.posed()
    app.frame(0.3)
    second = state.playback.posed()
    assert first is not None and second is not None and not np.allclose(first.world, second.world)
    assert green(app) > 1000


def test_checksums_are_checked_beside_the_frames(make: Make, tmp_path: Path) -> None:
    app = make(write_package(tmp_path, "ULZ4"))
    state = until(app, lambda state: content(state).verdicts.all() and not app.busy)
    assert (content(state).verdicts == GOOD).all()
    assert not [message for message in state.messages if message.kind == "error"]


def test_what_is_wrong_is_told_once_all_are_checked(make: Make, tmp_path: Path) -> None:
    path = write_package(tmp_path, files=[("a", b"good bytes"), ("b", b"more bytes")])
    path.write_bytes(path.read_bytes().replace(b"good", b"mood"))
    app = make(path)
    state = until(app, lambda state: content(state).verdicts.all() and not app.busy)
    assert content(state).verdicts.tolist() == [WRONG, GOOD]
    assert state.messages[-1].text == f"{path}: 1 damaged file in the package"
    assert state.document is not None and state.document.report.errors[0].path == "entries[0]"


def test_checking_ends_with_the_document(make: Make, tmp_path: Path) -> None:
    files = [(f"{number}", b"x" * 50) for number in range(3_000)]
    app = make(write_package(tmp_path, files=files))
    app.post(CloseDocument())
    until(app, lambda state: not state.documents.opened and not app.busy)


def test_a_package_is_read_again_with_what_is_open_of_it(make: Make, tmp_path: Path) -> None:
    path = write_package(tmp_path)
    app = make(f"{path}::{POST}")
    write_package(tmp_path, files=[*post_files()[:-1], ("Textures/P.png", png((0, 200, 0)))])
    old = app.state.document
    app.post(Reload())
    until(app, lambda state: state.document is not old)
    assert green(app) > 500


def test_arrow_keys_go_through_the_models_of_the_package(make: Make, tmp_path: Path) -> None:
    path = write_package(tmp_path, files=[*post_files(), ("Other/Zebra.mdl", model_bytes())])
    app = make(f"{path}::{POST}")
    app.post(OpenNeighbour(1))
    found = f"{path}::Other/Zebra.mdl"
    until(app, lambda state: [each.path for each in state.documents.opened] == [found])
    assert neighbour(found, "Urho3D model", -1, DEFAULT) == FolderPosition(f"{path}::{POST}", 1, 2, "model")


def test_a_lone_animation_in_a_package_finds_its_model(tmp_path: Path) -> None:
    path = write_package(tmp_path, files=[("Anims/Bend.ani", post_files()[1][1]), *post_files()])
    document = open_document(f"{path}::Anims/Bend.ani")
    assert isinstance(document.content, Animation)
    assert [each.path for each in companions(document.path, document.content, DEFAULT)] == [f"{path}::{POST}"]


def test_a_model_is_preferred_to_a_package_of_its_folder(tmp_path: Path) -> None:
    path = write_package(tmp_path)
    assert open_path(str(tmp_path), DEFAULT).path == str(path)
    (tmp_path / "Models").mkdir()
    (tmp_path / "Models/Post.mdl").write_bytes(model_bytes())
    assert open_path(str(tmp_path), DEFAULT).path == str(tmp_path / "Models/Post.mdl")


def test_what_is_watched_and_where_pictures_go_is_on_the_disk(tmp_path: Path) -> None:
    path = write_package(tmp_path)
    document = open_document(f"{path}::{POST}")
    assert str(path) in depends_on(document)
    assert not [each for each in depends_on(document) if "::" in each]
    state = State()
    state.put(document)
    assert suggested(state, Screenshot()) == str(tmp_path / "Post.png")


@pytest.mark.parametrize("magic", ["UPAK", "RPAK", "ULZ4", "RLZ4"])
def test_a_model_in_a_package_is_textured_and_moves(make: Make, tmp_path: Path, magic: str) -> None:
    files = [*post_files()[:-1], ("Textures/P.png", png((0, 200, 0)))]
    path = write_package(tmp_path, magic, files)
    app = make(f"{path}::{POST}")
    state = app.state
    assert state.document is not None and state.document.report.complete and state.model is not None
    assert [texture.path for texture in state.model.textures] == [f"{path}::Textures/P.png"]
    state.playback.choose(state.playback.animation("Bend"))
    state.view.clock.play()
    app.frame(0.2)
    first = state.playback.posed()
    app.frame(0.2)
    second = state.playback.posed()
    assert first is not None and second is not None and not np.allclose(first.world, second.world)
    assert green(app) > 500


def test_a_package_and_its_model_are_reopened_each_by_itself(make: Make, tmp_path: Path) -> None:
    path = write_package(tmp_path)
    both = [str(path), f"{path}::{POST}"]
    app = make(path)

    def opened(state: State) -> list[str]:
        return [each.path for each in state.documents.opened]

    until(app, lambda state: opened(state) == both)
    app.post(CloseDocument(1))
    app.post(CloseDocument(0))
    until(app, lambda state: opened(state) == [])
    app.post(ReopenTab())
    until(app, lambda state: opened(state) and not app.busy)
    assert opened(app.state) == both[:1]
    app.post(ReopenTab())
    state = until(app, lambda state: opened(state) == both)
    assert state.document is not None and state.document.model is not None
