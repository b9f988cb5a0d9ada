"""Every list with a filter lists what has all words, anywhere and in any case, and marks them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui

import tests.wow  # noqa: F401
from tests.conftest import ROOT
from tests.desktop import Desktop
from tests.packages import write_package
from tests.shader_files import script_bytes, shader_bytes, unit
from tests.shader_files import text as script_text
from tests.table_files import displays
from tests.ui.conftest import Desk
from viewer.scene.shader import CompiledShader
from viewer.scene.text_filter import TextFilter
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FileTable
from viewer.session.folder_listing import FolderEntry, FolderListing
from viewer.session.layouts import MANUAL, VIEW
from viewer.storage.documents import open_document
from viewer.ui.bytes.byte_selection import ByteSelection
from viewer.ui.bytes.chunk_tree import ChunkTree
from viewer.ui.compiled.disassembly import Disassembly
from viewer.ui.compiled.script_page import ScriptPage
from viewer.ui.dialogs.file_browser import file_browser
from viewer.ui.files.files_panel import FilesPanel
from viewer.ui.files.package_page import PackageList
from viewer.ui.files.wall import Wall
from viewer.ui.kit.widgets import mark_words
from viewer.ui.tables.table_page import TablePage

Marks = dict[str, set[str]]


@pytest.fixture
def sample(ctx: Any) -> Iterator[Desktop]:
    """The window with the sample of Urho3D."""
    made = Desktop(ctx, ROOT / "assets/urho3d/Models/Beacon.mdl")
    made.rest()
    yield made
    made.close()


def found(marked: Marks) -> dict[str, set[str]]:
    """The marks by texts without icons."""
    return {text.rpartition("  ")[2].removeprefix("\uf04b "): words for text, words in marked.items()}


@pytest.mark.parametrize(
    ("panel", "typed", "text", "words"),
    [
        ("outline", "1 ARM2", "Arm2.1", {"Arm2", "1"}),
        ("animations", "dance BEA", "Beacon_Dance", {"Bea", "Dance"}),
        ("timeline", "r eye", "Eye.R", {"Eye", "R"}),
        ("morphs", "I BL", "blink", {"bli"}),
        (MANUAL, "files MANY", "Many files", {"Many", "files"}),
    ],
)
def test_panels_mark_what_is_typed(
    sample: Desktop, marked: Marks, panel: str, typed: str, text: str, words: set[str]
) -> None:
    sample.state.interface.manual = "start"
    sample.state.interface.bring(panel)
    sample.frames(6)
    sample.state.interface.finding = panel
    sample.frames(2)
    sample.type(typed)
    marked.clear()
    sample.frames(2)
    assert found(marked).get(text) == words, marked


def test_problems_mark_words_in_each_column(sample: Desktop, marked: Marks) -> None:
    sample.state.interface.bring("problems")
    sample.frames(3)
    sample.state.interface.finding = "problems"
    sample.frames(2)
    sample.type("bea note")
    marked.clear()
    sample.frames(2)
    assert {"Bea"} in marked.values()


@pytest.mark.parametrize(
    ("opened", "typed", "text", "words"),
    [
        ("Ctrl+,", "quit CTRL", "Quit", {"Quit"}),
        ("Ctrl+,", "quit CTRL", "Ctrl+Q", {"Ctrl"}),
        ("?", "wire", "Wireframe", {"Wire"}),
    ],
)
def test_dialogs_mark_what_is_typed(
    ctx: Any, marked: Marks, opened: str, typed: str, text: str, words: set[str]
) -> None:
    desktop = Desktop(ctx)
    desktop.press(opened)
    desktop.frames(3)
    desktop.type(typed)
    marked.clear()
    desktop.frames(2)
    assert marked[text] == words
    desktop.close()


def drawn(desk: Desk, draw: Any, typed: str, marked: Marks, finding: str = VIEW) -> dict[str, set[str]]:
    """What a panel marks after a text was typed into its filter."""
    desk.show(draw)
    desk.state.interface.finding = finding
    desk.frames(2)
    desk.host.input.text(typed)
    desk.frames(3)
    marked.clear()
    desk.frames(2)
    return found(marked)


def test_a_package_marks_names_but_not_counts(desk: Desk, tmp_path: Path, marked: Marks) -> None:
    files = [(f"mod/{name}", b"x") for name in ("Wolf1.mdl", "Cat.mdl", "Bär.mdl")]
    desk.state.put(open_document(write_package(tmp_path, files=files)))
    drawn(desk, PackageList(), "1 O", marked)
    labels = {text.partition("  ")[2]: words for text, words in marked.items()}
    assert labels == {"mod   1": {"o"}, "Wolf1.mdl": {"o", "1"}}, "the count is not marked"


def test_a_table_marks_parts_of_texts_and_whole_numbers(desk: Desk, tmp_path: Path, marked: Marks) -> None:
    (tmp_path / "CreatureDisplayInfo.dbc").write_bytes(displays())
    desk.state.put(open_document(tmp_path / "CreatureDisplayInfo.dbc"))
    page = TablePage()
    desk.show(page)
    page._grid.value.grid.filter = TextFilter("706 model:7")
    desk.frames(3)
    assert marked == {"706": {"706"}, "7": {"7"}}


def test_chunks_mark_paths_and_values(post: Desk, marked: Marks) -> None:
    tree, view = ChunkTree(), ByteSelection(post.state.document)

    def draw(state: Any, ask: Any) -> None:
        tree.focus_field()
        tree(view)

    shown = drawn(post, draw, "TIP", marked)
    assert shown['"tip"'] == {"tip"}


def test_a_disassembly_marks_instructions_and_notes(desk: Desk, tmp_path: Path, marked: Marks) -> None:
    path = tmp_path / "Basic_9A6030F6.vs3"
    path.write_bytes(shader_bytes(units=[unit("DiffMap", 0)]))
    desk.state.put(open_document(path))
    shader, page = desk.state.document.content, Disassembly()
    assert isinstance(shader, CompiledShader)
    shown = drawn(desk, lambda state, ask: page(state, 0, shader.programs[0], ""), "DP4 viewproj[2]", marked)
    assert {"dp4"} in shown.values() and {"ViewProj[2]"} in [
        {word for word in words if "[" in word} for words in shown.values()
    ]


def test_a_script_marks_its_texts(desk: Desk, tmp_path: Path, marked: Marks) -> None:
    (tmp_path / "a.asc").write_bytes(
        script_bytes(data=b"\xff\xfe".join(map(script_text, ["Hello there", "Whole world"])))
    )
    desk.state.put(open_document(tmp_path / "a.asc"))
    page = ScriptPage()
    page._filter = TextFilter("LL he")
    desk.show(lambda state, ask: page._texts(state, state.document.content))
    assert marked == {"Hello there": {"Hell", "he"}}


def test_the_file_dialog_marks_names(desk: Desk, marked: Marks) -> None:
    entries = (FolderEntry("Straße Nord.mdl", False, 1), FolderEntry("b.mdl", False, 1))
    desk.state.pending_files.browser = FolderListing("/there", suffixes=(".mdl",), entries=entries)
    assert drawn(desk, file_browser, "nord STRASSE", marked) == {"Straße Nord.mdl": {"Straße", "Nord"}}


@pytest.mark.parametrize("panel", [FilesPanel, Wall])
def test_listed_files_mark_the_words_of_the_query(desk: Desk, marked: Marks, panel: Any) -> None:
    table = FileTable("/files", False, ["mod/Wolf.mdl", "mod/Cat.mdl"], [1, 1], [0, 0], [0, 0])
    desk.state.files.begin("/files", table)
    desk.state.files.query = 'wo "mdl" bones>3 name:wolf not'
    desk.state.files.result = QueryResult(
        desk.state.files.query, table, table.rows_of(["/files/mod/Wolf.mdl"])
    )
    desk.show(panel())
    assert found(marked)["Wolf.mdl"] == {"Wo", "mdl"}


def test_marks_of_wrapped_text_stay_on_their_lines(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[tuple[str, float, float]] = []
    text = "one two three four five six seven three"

    def draw(state: Any, ask: Any) -> None:
        places.clear()
        room = imgui.calc_text_size("one two three four").x + 1
        mark_words(TextFilter("THREE six"), text, ImVec2(10, 20), room)

    monkeypatch.setattr(
        "viewer.ui.kit.widgets.mark_ranges",
        lambda ranges, line, corner: places.extend(
            (line[first:end], corner.y, imgui.calc_text_size(line[:first]).x) for first, end in ranges
        ),
    )
    desk.show(draw)
    line = imgui.get_text_line_height()
    assert [(word, y) for word, y, _ in places] == [
        ("three", 20),
        ("six", 20 + line),
        ("three", 20 + 2 * line),
    ]
    assert places[0][2] > 0 and places[2][2] == 0
