"""Listed folders and packages in the whole program."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from imgui_bundle import imgui
from PIL import Image

from tests.app.conftest import SMALL, Make, until
from tests.desktop import state_without_multisampling, unrasterized
from tests.fuzzing.axp_sample_files import small_axp
from tests.gallery_entries import ENTRIES
from tests.library import query_cases
from tests.packages import POST, post_files, write_package
from tests.synthetic import model_bytes, write_pair
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.loop import App
from viewer.app.viewport import DrawSurface
from viewer.app.wall import file_library, file_tasks
from viewer.app.wall.file_library import pictures_left, scan
from viewer.app.wall.file_work import FileWork
from viewer.errors import ViewerError
from viewer.gpu.target import RenderTarget
from viewer.library.batch import pictures
from viewer.library.batch.batch import Ended
from viewer.library.batch.journal import Journal
from viewer.library.file_sources import source_files
from viewer.library.index.index import Index
from viewer.library.index.query import plain_words
from viewer.library.index.ratings import Ratings
from viewer.library.thumbnails.batch import draw_thumbnails
from viewer.library.thumbnails.thumbnail import ThumbnailTask
from viewer.scene.choices import CompareMode
from viewer.scene.files import Mark
from viewer.scene.reading_context import DEFAULT
from viewer.session.comparison import in_order
from viewer.session.file_table import FileTable
from viewer.session.requests import (
    CompareFiles,
    ListFiles,
    MarkFiles,
    Open,
    OpenListed,
    OpenNeighbour,
    RemoveFileBatch,
    SaveFilePictures,
    answered,
)
from viewer.session.state import State
from viewer.storage.cache_folder import journal_folder
from viewer.view.view_info import PanelPicture


def listed(state: State) -> list[str]:
    """The listed names in their order."""
    table = state.files.table
    rows = state.files.rows(state.interface.preferences) if table is not None else ()
    return [] if table is None else [table.names[row] for row in rows]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Models in a folder and its subfolder, of different sizes."""
    top = tmp_path / "models"
    for name, extra in (("Apple.mdl", 0), ("Pear.mdl", 8), ("more/Zut.mdl", 4)):
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model_bytes() + bytes(extra))
    (top / "notes.txt").write_text("nothing to open")
    return top


def view(app: App, path: Path) -> State:
    """Wait until the file is in view."""
    return until(app, lambda state: state.document is not None and state.document.path == str(path))


def test_an_opened_folder_is_listed_beside_its_first_model(make: Make, folder: Path) -> None:
    app = make(folder)
    state = until(app, listed)
    assert listed(state) == ["Apple.mdl", "Pear.mdl", "more/Zut.mdl"]
    assert state.document is not None and state.document.path.endswith("Apple.mdl")
    assert state.interface.shows("files") and not state.files.wall
    assert until(app, lambda state: state.files.cursor).files.cursor == str(folder / "Apple.mdl")


def test_an_opened_package_is_listed_beside_its_first_model(make: Make, tmp_path: Path) -> None:
    path = write_package(tmp_path, files=[*post_files(), ("Other/Zebra.mdl", model_bytes())])
    app = make(path)
    state = until(app, lambda state: listed(state) and len(state.documents.opened) == 2)
    assert POST in listed(state) and state.document is not None
    assert state.document.path == f"{path}::{POST}"
    assert state.documents.opened[0].path == str(path), "its own page is the tab before"


def test_the_files_of_an_opened_game_are_listed_by_their_names_in_it(make: Make, tmp_path: Path) -> None:
    (tmp_path / "Data").mkdir()
    (tmp_path / "Data/Model.axp").write_bytes(
        small_axp({"a/one.mdl": model_bytes(), "two.mdl": model_bytes()})
    )
    app = make(tmp_path)
    state = until(app, lambda state: listed(state) and len(state.documents.opened) == 2)
    table = state.files.table
    assert table is not None and [table.path(row) for row in range(2)] == [
        f"{tmp_path}::two.mdl",
        f"{tmp_path}::a/one.mdl",
    ]
    assert state.files.sources(table.path(0)) == ("Model.axp",)
    app.post(OpenListed(table.path(1)))
    view(app, Path(f"{tmp_path}::a/one.mdl"))


def test_a_single_file_lists_nothing_until_it_is_asked_for(make: Make, folder: Path) -> None:
    app = make(folder / "more" / "Zut.mdl")
    assert app.state.files.root == ""
    app.post(ListFiles())
    assert listed(until(app, listed)) == ["Zut.mdl"]


def test_steps_in_the_view_go_on_in_the_order_of_the_list(make: Make, folder: Path) -> None:
    app = make(folder)
    until(app, listed)
    app.state.interface.preferences.files_sort = "size"
    app.post(OpenNeighbour(1))
    state = view(app, folder / "more" / "Zut.mdl")
    stepped = state.pending_files.stepped
    assert stepped is not None and (stepped.number, stepped.count) == (2, 3)
    app.post(OpenNeighbour(1))
    assert len(view(app, folder / "Pear.mdl").documents.opened) == 1


def test_a_listed_file_takes_the_place_of_a_listed_one(make: Make, folder: Path) -> None:
    app = make(folder)
    until(app, listed)
    app.post(OpenListed(str(folder / "Pear.mdl")))
    assert len(view(app, folder / "Pear.mdl").documents.opened) == 1
    app.post(Open((str(folder / "Apple.mdl"),)))
    assert len(view(app, folder / "Apple.mdl").documents.opened) == 2
    app.post(OpenListed(str(folder / "Pear.mdl")))
    assert len(view(app, folder / "Pear.mdl").documents.opened) == 2, "it is open already"
    app.post(Open((str(folder / "Apple.mdl"),)))
    assert len(view(app, folder / "Apple.mdl").documents.opened) == 2, "and comes into view again"


def names(app: App) -> list[str]:
    """The names of the compared files, the first of them at the left."""
    return [Path(each.document.path).name for each in in_order(app.state) if each.document is not None]


def test_two_selected_files_are_compared_with_each_other_though_others_are_open(
    make: Make, folder: Path
) -> None:
    third = folder.parent / "Third.mdl"
    third.write_bytes(model_bytes())
    app = make(third, folder / "more" / "Zut.mdl")
    app.post(ListFiles(str(folder)))
    until(app, listed)
    app.state.files.selected = {str(folder / "Apple.mdl"), str(folder / "Pear.mdl")}
    for _ in range(2):
        ACTIONS_BY_NAME["compare_files"].run(app.state, app.post)
        until(app, lambda state: not app.busy)
        assert app.state.documents.comparison.mode is CompareMode.SIDE
        assert names(app) == ["Apple.mdl", "Pear.mdl"]
        app.state.show(0)  # another model in view, and both files open: the same pair again


def test_a_selected_file_that_is_no_model_is_not_compared(make: Make, folder: Path, tmp_path: Path) -> None:
    clip = write_pair(folder).with_name("Post_Bend.ani")
    assert clip.exists()
    app = make(folder / "Pear.mdl")
    app.post(CompareFiles(str(folder / "Apple.mdl"), str(clip)))
    until(app, lambda state: not app.busy)
    assert app.state.documents.compared is None
    assert any("is no model, so it is not compared" in each.text for each in app.state.messages)


def test_a_file_from_elsewhere_stays_open_beside_a_listed_one(
    make: Make, folder: Path, tmp_path: Path
) -> None:
    app, other = make(folder), tmp_path / "Other.mdl"
    other.write_bytes(model_bytes())
    until(app, listed)
    app.post(Open((str(other),)))
    view(app, other)
    app.post(OpenListed(str(folder / "Pear.mdl")))
    state = view(app, folder / "Pear.mdl")
    assert str(other) in [each.path for each in state.documents.opened]


def test_a_listed_animation_plays_on_the_model_in_view(make: Make, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    app = make(tmp_path)
    until(app, listed)
    app.post(OpenListed(str(path.with_name("Post_Bend.ani"))))
    state = until(
        app,
        lambda state: any("Bend" in each.path for each in state.documents.opened[1:]) or state.view.playlist,
    )
    assert state.document is not None and state.document.path == str(path)


def test_files_that_come_and_go_are_listed(make: Make, folder: Path) -> None:
    app = make(folder)
    until(app, listed)
    time.sleep(0.3)  # until the folder is watched
    (folder / "Pear.mdl").unlink()
    (folder / "Zoo.mdl").write_bytes(model_bytes())
    until(app, lambda state: listed(state) == ["Apple.mdl", "Zoo.mdl", "more/Zut.mdl"])


def test_words_are_found_in_names(make: Make, folder: Path) -> None:
    app = make(folder)
    until(app, listed)
    app.state.files.query = "MORE zut"
    until(app, lambda state: listed(state) == ["more/Zut.mdl"])
    app.state.files.query = ""
    until(app, lambda state: len(listed(state)) == 3)


def test_without_an_index_words_find_what_the_index_finds() -> None:
    """The written cases of the query language that are words alone."""
    files = [each.name for each in ENTRIES]
    none = [0] * len(files)
    table = FileTable("/library", False, files, none, none, none)
    plain = {query: words for query in query_cases.CASES if (words := plain_words(query)) is not None}
    assert {"skin", "orcs shaman"} <= plain.keys() and "orcs OR skin" not in plain and "error" not in plain
    for query, words in plain.items():
        found = sorted(table.names[row] for row in file_library.named(words, table))
        assert found == query_cases.names(query), query


def test_a_covered_view_rests(make: Make, tmp_path: Path) -> None:
    write_pair(tmp_path)
    app = make(tmp_path)
    state = until(app, lambda state: listed(state) and state.view.playlist)
    state.files.wall = True
    app.frame(0.0)
    before = state.view.clock.time
    app.frame(0.5)
    assert state.view.clock.time == before
    until(app, lambda state: app.pause != 0)
    state.files.wall = False
    app.frame(0.5)
    assert state.view.clock.time > before and app.pause == 0


def test_a_place_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(ViewerError, match="does not exist"):
        scan(str(tmp_path / "gone"), DEFAULT)


def test_files_of_another_size_or_time_have_changed(folder: Path) -> None:
    before = scan(str(folder), DEFAULT).table
    (folder / "Pear.mdl").write_bytes(model_bytes())
    (folder / "Apple.mdl").unlink()
    now = scan(str(folder), DEFAULT, before)
    assert {Path(path).name for path in now.changed} == {"Pear.mdl", "Apple.mdl"}
    assert now.said == ()


@pytest.fixture
def indexed(ctx: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[App]:
    """The folder in a window with one process for each work, and a cache of its own."""
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    (folder / "more" / "Cut.mdl").write_bytes(model_bytes()[:30])
    target = RenderTarget(ctx, SMALL)
    surface = DrawSurface(target.framebuffer, SMALL, SMALL)
    app = App(ctx, state_without_multisampling(), surface, [str(folder)], workers=1)
    with unrasterized(ctx):
        yield app
    app.close()
    target.release()


def test_files_are_read_drawn_and_found_by_what_is_in_them(indexed: App) -> None:
    files = indexed.state.files
    state = until(indexed, lambda state: listed(state) and (files.table.count("bones") > 0).sum() == 3)
    assert [files.table.names[row] for row in files.table.errors] == ["more/Cut.mdl"]
    for query, found in (("bones>1", 3), ("error", 1), ("cut", 1), ("bones>1 more", 1)):
        files.query = query
        until(indexed, lambda state, query=query: files.result.query == query)
        assert len(listed(state)) == found, query
    files.query = "bones>"
    until(indexed, lambda state: files.result.error)
    assert files.result.at == 6 and len(listed(state)) == 1, "what was found before stays"
    files.query, files.wall = "", True
    shown = [files.table.path(row) for row in range(4)]
    until(indexed, lambda state: all(map(files.picture, shown)))
    assert [isinstance(files.picture(path), PanelPicture) for path in shown] == [True, True, False, True]
    until(indexed, lambda state: indexed.pause is None)
    index, reason = Index(), files.picture(shown[2])
    until(indexed, lambda state: [e.thumbnail_error for e in index.query("cut", [files.root])] == [reason])
    index.close()


def test_a_listed_file_that_is_dropped_into_the_view_opens(make: Make, folder: Path) -> None:
    app = make(folder)
    state = until(app, listed)
    app.surface.points = app.surface.pixels = (1280, 800)
    for _ in range(12):
        app.frame(0.0)
    windows = imgui.get_current_context().windows
    table = next(each for each in windows if "###files/files" in each.name and each.active)
    mouse, height = app.host.input, imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
    mouse.pointer(table.pos.x + 60, table.pos.y + 2.5 * height)  # the second file, below the header
    app.frame(0.1)
    mouse.button("left", True)
    for x in (300, 600, 640):
        app.frame(0.1)
        mouse.pointer(x, 300)
    app.frame(0.1)
    mouse.button("left", False)
    app.frame(0.1)
    view(app, folder / "Pear.mdl")
    assert len(state.documents.opened) == 1


def test_a_picture_that_is_saved_behind_the_wall_leaves_no_texture_in_the_view(
    make: Make, folder: Path, ctx: Any
) -> None:
    """The view has no picture of a released target, whatever is drawn while the wall covers it."""
    app = make(folder)
    state = until(app, lambda state: state.document is not None)
    app.frame(0.0)
    assert app._workspace.view.picture
    state.files.wall = True
    app._viewport.draw(state, state.options, (40, 30))
    app.frame(0.0)
    assert not app._workspace.view.picture
    state.files.wall = False
    app.frame(0.0)
    assert app._workspace.view.picture and ctx.error == "GL_NO_ERROR"


def test_the_pictures_of_listed_files_are_saved_in_a_folder(
    indexed: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, out, seen = until(indexed, listed), tmp_path / "out", threading.Event()
    out.mkdir()
    paths = tuple(state.files.table.path(row) for row in range(2))

    def drawn(*args: Any) -> Iterator[Any]:
        """Draw the pictures; the task goes on when its progress was shown."""
        for outcome in draw_thumbnails(*args):
            yield outcome
            assert seen.wait(60)

    monkeypatch.setattr(pictures, "draw_thumbnails", drawn)
    indexed.post(SaveFilePictures(paths, path=str(out)))
    until(indexed, lambda state: "saving 1 of 2" in state.files.progress)
    seen.set()
    until(indexed, lambda state: state.messages)
    assert [each.text for each in state.messages] == [f"2 pictures written to {out}"]
    assert sorted(each.name for each in out.iterdir()) == sorted(f"{Path(path).stem}.png" for path in paths)


@pytest.mark.parametrize(
    ("typed", "name", "form"), [("mine.jpg", "mine.jpg", "JPEG"), ("mine", "mine.png", "PNG")]
)
def test_a_contact_sheet_has_the_typed_name(
    indexed: App, tmp_path: Path, folder: Path, typed: str, name: str, form: str
) -> None:
    state = until(indexed, listed)
    paths = tuple(state.files.table.path(row) for row in range(2))
    indexed.post(SaveFilePictures(paths, sheet=True))
    until(indexed, lambda state: state.pending_files.browser is not None)
    browser = state.pending_files.browser
    assert (browser.folder, browser.name) == (str(folder), "contact-sheet.png")
    browser.name = typed
    assert browser.saved == name
    indexed.post(answered(browser.question, (str(folder / browser.saved),)))
    until(indexed, lambda state: (folder / name).exists() and not state.unfinished)
    with Image.open(folder / name) as picture:
        assert picture.format == form


def interrupted_pictures(folder: Path, out: Path) -> None:
    """What a window leaves that ended while it saved pictures."""
    files = tuple(source_files([str(folder)], (".mdl",), pytest.fail, DEFAULT))[:1]
    work = FileWork("pictures", files, State().context, str(out))
    Journal(journal_folder(), work.key, msgspec.to_builtins(work)).close(whole=False)


def test_a_window_offers_the_tasks_of_an_earlier_window(
    indexed: App, folder: Path, tmp_path: Path, make: Make
) -> None:
    interrupted_pictures(folder, tmp_path / "out")
    state = until(indexed, lambda state: state.files.batches)
    assert [each.title for each in state.files.batches] == ["Pictures of 1 file"]
    indexed.post(RemoveFileBatch(0))
    until(indexed, lambda state: not state.files.batches and not [*journal_folder().iterdir()])
    interrupted_pictures(folder, tmp_path / "out")
    assert make(folder).state.files.batches == [], "a window without processes, which is drawn into a file"


def test_saved_pictures_are_drawn_with_the_resource_folders(
    make: Make, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[ThumbnailTask] = []

    def write(
        files: object, collection: object, drawing: ThumbnailTask, *rest: object, **more: object
    ) -> Ended:
        """Record the task that would draw the pictures."""
        tasks.append(drawing)
        return Ended("", (), 0, "")

    monkeypatch.setattr(file_tasks, "write_pictures", write)
    app = make(folder)
    state = until(app, listed)
    state.interface.preferences.resources = [str(tmp_path)]
    app.frame(0.0)
    app.post(SaveFilePictures((state.files.table.path(0),), path=str(tmp_path)))
    until(app, lambda state: tasks)
    assert tasks[0].context.resources == (str(tmp_path),)


def test_the_progress_counts_the_pictures_that_are_left() -> None:
    known = {"a": "", "b": "cannot be drawn", "c": ""}
    assert pictures_left("abc", known.__getitem__) == "drawing pictures, 2 of 3 left"
    assert pictures_left("b", known.__getitem__) == ""


def test_a_mark_is_shown_at_once_found_and_kept(
    make: Make, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RIGSCOPE_DATA", str(tmp_path / "data"))
    app, pear = make(folder), str(folder / "Pear.mdl")
    until(app, listed)
    app.post(MarkFiles((pear,), rating=4))
    app.post(MarkFiles((pear,), favourite=True))
    app.frame(0.0)
    table = app.state.files.table
    assert table is not None and table.mark_of(pear) == Mark(4, True)
    until(app, lambda state: Ratings().all().get(pear) == Mark(4, True))
    assert scan(str(folder), DEFAULT).table.mark_of(pear) == Mark(4, True)


def test_a_mark_that_cannot_be_stored_is_a_line_and_is_taken_back(
    make: Make, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RIGSCOPE_DATA", str(tmp_path / "file" / "data"))
    app, pear = make(folder), str(folder / "Pear.mdl")
    until(app, listed)
    app.post(MarkFiles((pear,), rating=4))
    until(app, lambda state: any("ratings cannot be written" in each.text for each in state.messages))
    until(app, lambda state: state.files.table is not None and not state.files.table.mark_of(pear).rating)
