"""Where pictures and films go: asked once, remembered as a pattern."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.synthetic import model_bytes, write_pair
from viewer.app.output.save_paths import Destination, named, planned, suggested
from viewer.session.requests import ExportModel, RecordFilm, SaveAs, SavedFile, SaveTexture, Screenshot
from viewer.session.state import State
from viewer.storage.documents import open_document

PICTURE, FILM, FRAMES = Screenshot(), RecordFilm(".mp4"), RecordFilm(".png")
MODEL = ExportModel(".gltf")


@pytest.fixture
def state(tmp_path: Path) -> State:
    made = State()
    made.put(open_document(write_pair(tmp_path)))
    return made


@pytest.mark.parametrize("wanted", [PICTURE, FILM, FRAMES, MODEL])
def test_without_a_pattern_the_user_is_asked(state: State, wanted: SavedFile) -> None:
    assert planned(state, wanted) == SaveAs(wanted)


@pytest.mark.parametrize(
    ("wanted", "name", "used", "next_"),
    [
        (PICTURE, "Post.png", "Post.png", "Post-1.png"),
        (FILM, "Post.mp4", "Post.mp4", "Post-1.mp4"),
        (MODEL, "Post.gltf", "Post.gltf", "Post-1.gltf"),
        (FRAMES, "Post_{frame:04}.png", "Post_0000.png", "Post-1_{frame:04}.png"),
    ],
)
def test_what_is_suggested_lies_beside_the_model_under_an_unused_name(
    state: State, tmp_path: Path, wanted: SavedFile, name: str, used: str, next_: str
) -> None:
    assert suggested(state, wanted) == str(tmp_path / name)
    (tmp_path / used).write_bytes(b"")
    assert suggested(state, wanted) == str(tmp_path / next_)


@pytest.mark.parametrize(
    ("wanted", "typed", "path", "pattern"),
    [
        (PICTURE, "Post.png", "Post.png", "{name}.png"),
        (PICTURE, "Post-3.jpg", "Post-3.jpg", "{name}.jpg"),
        (PICTURE, "Post front.png", "Post front.png", "{name} front.png"),
        (PICTURE, "shot", "shot.png", "shot.png"),
        (PICTURE, "shot.v2", "shot.v2.png", "shot.v2.png"),
        (PICTURE, "Poster.png", "Poster.png", "Poster.png"),
        (PICTURE, "my {name}.png", "my Post.png", "my {name}.png"),
        (FILM, "Post.mp4", "Post.mp4", "{name}"),
        (FILM, "walk", "walk.mp4", "walk"),
        (FRAMES, "Post_{frame:04}.png", "Post_{frame:04}.png", "{name}"),
        (FRAMES, "walk.png", "walk_{frame:04}.png", "walk"),
        (MODEL, "Post-2.gltf", "Post-2.gltf", "{name}"),
        (MODEL, "walk.obj", "walk.obj", "walk"),
        (MODEL, "walk.v2", "walk.v2.gltf", "walk.v2"),
        (FILM, "walk.GIF", "walk.GIF", "walk"),
        (FILM, "walk.v2", "walk.v2.mp4", "walk.v2"),
        (FRAMES, "walk.webm", "walk.webm", "walk"),
    ],
)
def test_a_choice_becomes_a_path_and_a_pattern(
    state: State, tmp_path: Path, wanted: SavedFile, typed: str, path: str, pattern: str
) -> None:
    target = Destination(state, named(wanted, str(tmp_path / typed)))
    assert target.path == str(tmp_path / path)
    target.fail("the disk is full")
    assert planned(state, wanted) == SaveAs(wanted), "a folder that failed is not remembered"
    target.done()
    preferences = state.interface.preferences
    kept = {PICTURE: preferences.pictures, MODEL: preferences.exports}.get(wanted, preferences.films)
    assert tmp_path / pattern == Path(kept)


def test_the_pattern_serves_other_models(state: State, tmp_path: Path) -> None:
    Destination(state, named(PICTURE, str(tmp_path / "Post.png"))).done()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "Second.mdl").write_bytes(model_bytes())
    state.put(open_document(tmp_path / "other" / "Second.mdl"))
    assert planned(state, PICTURE) == Screenshot(str(tmp_path / "Second.png"))
    assert planned(state, FILM) == SaveAs(FILM), "films have a pattern of their own"


def test_all_formats_of_films_share_a_pattern(state: State, tmp_path: Path) -> None:
    Destination(state, named(FILM, str(tmp_path / "walk.mp4"))).done()
    assert planned(state, RecordFilm(".gif", fps=9.0)) == RecordFilm(
        ".gif", fps=9.0, path=str(tmp_path / "walk.gif")
    )


def test_if_the_folder_is_gone_the_user_is_asked_again(state: State, tmp_path: Path) -> None:
    state.interface.preferences.pictures = str(tmp_path / "gone" / "{name}.png")
    assert planned(state, PICTURE) == SaveAs(PICTURE)


def test_a_tilde_is_the_home_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert named(PICTURE, "~/a.png").path == str(tmp_path / "a.png")


def test_a_texture_is_asked_for_each_time_and_named_after_its_file(m2: Path, tmp_path: Path) -> None:
    state = State()
    state.put(open_document(m2))
    assert state.model is not None
    texture = replace(state.model.textures[0], name="Creature\\Wolf\\Skin.blp")
    state.documents.opened[0].content = replace(state.model, textures=(texture,))
    wanted = SaveTexture(0, 1, "A")
    assert planned(state, wanted) == SaveAs(wanted)
    assert suggested(state, wanted) == str(tmp_path / "Skin-level1-A.png")
    assert suggested(state, SaveTexture(0, layouts=True)) == str(tmp_path / "Skin-layout.png")
    assert named(wanted, str(tmp_path / "a")).path == str(tmp_path / "a.png")
    assert not state.interface.preferences.pictures


@pytest.mark.parametrize(
    ("wanted", "typed", "suffix"),
    [(FILM, "walk.gif", ".gif"), (FRAMES, "a.mp4", ".mp4"), (MODEL, "a.OBJ", ".obj")],
)
def test_a_typed_suffix_is_the_format(
    wanted: RecordFilm | ExportModel, typed: str, suffix: str, tmp_path: Path
) -> None:
    found = named(wanted, str(tmp_path / typed))
    assert isinstance(found, RecordFilm | ExportModel) and found.suffix == suffix


def test_a_file_that_the_user_did_not_name_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "walk.mp4").write_bytes(b"")
    (tmp_path / "steps_0000.png").write_bytes(b"")
    assert named(FILM, str(tmp_path / "walk")).path == str(tmp_path / "walk-1.mp4")
    assert named(FILM, str(tmp_path / "walk.mp4")).path == str(tmp_path / "walk.mp4"), "the dialog has asked"
    assert named(FILM, str(tmp_path / "steps.png")).path == str(tmp_path / "steps-1_{frame:04}.png")


def test_an_error_names_the_file_once_and_goes_when_a_repeat_succeeds(state: State, tmp_path: Path) -> None:
    target = Destination(state, replace(PICTURE, path=str(tmp_path / "a.png")))
    target.fail(OSError(28, "No space left on device", str(tmp_path / ".rigscope-7")))
    target.fail(f"{target.path}: the disk is full")
    assert [each.text for each in state.messages] == [f"{tmp_path / 'a.png'}: the disk is full"]
    Destination(state, replace(PICTURE, path=str(tmp_path / "b.png"))).done()
    assert [each.text for each in state.messages] == [f"Saved {tmp_path / 'b.png'}"]
