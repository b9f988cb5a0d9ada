"""The lines of the Messages panel, and their order."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.binary.span import Span
from viewer.errors import MISSING_PART, MISSING_TEXTURE, FormatError, MissingFile, Report
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, TextureItem
from viewer.scene.material import Material, Texture
from viewer.scene.missing_parts import MissingPart
from viewer.scene.model import Model
from viewer.session.state import State
from viewer.ui.panels import messages
from viewer.ui.panels.messages import count, go_to, lines, missing_part_of


def test_lines_are_in_the_order_of_what_a_user_can_do(post: Any) -> None:
    report = post.state.document.report
    before = {line.text for line in lines(post.state)}
    report.note("odd")
    report.warn("stray indices")
    report.fail(FormatError("cut off", "bones", 7))
    report.warn("texture a.png is missing", MISSING_TEXTURE)
    report.warn("the skeleton is missing", MISSING_PART)
    found = [(line.kind, line.text) for line in lines(post.state) if line.text not in before]
    assert found == [
        ("warning", "the skeleton is missing"),
        ("warning", "texture a.png is missing"),
        ("error", "cut off"),
        ("warning", "stray indices"),
        ("note", "odd"),
    ]


def test_notes_do_not_count(post: Any) -> None:
    state: State = post.state
    before = count(state)
    state.document.report.note("odd")  # type: ignore[union-attr]
    assert count(state) == before


def test_a_line_about_a_missing_file_leads_to_the_page_of_the_document(post: Any) -> None:
    state: State = post.state
    state.selection.pick(BoneItem(0))
    file = MissingFile("skeleton", "a.skeleton", ("/a.skeleton",))
    state.document.report.warn("the skeleton is missing", MISSING_PART, file)  # type: ignore[union-attr]
    line = next(line for line in lines(state) if line.files)
    go_to(state, line)
    assert (state.selection.picked, state.interface.front) == (None, "properties")
    assert missing_part_of(line) == MissingPart("skeleton", "a.skeleton", ("/a.skeleton",))


def test_a_line_about_a_missing_texture_leads_to_its_page() -> None:
    model = Model(
        "",
        textures=(Texture("x.png", searched=("/x.png",)), Texture("ax.png", searched=("/ax.png",))),
        materials=(Material("M", "/m", units={"diffuse": 0, "normal": 1}),),
    )
    state, report = State(), Report()
    report.warn("texture ax.png is missing", MISSING_TEXTURE)
    state.put(Document("/a.mdl", "made up", "", b"", Span("a", 0, 0, "", None, ""), model, report))
    (line,) = lines(state)
    go_to(state, line)
    assert state.selection.picked == TextureItem(1)
    assert state.interface.front == "properties"


def test_the_menu_of_a_line_holds_what_applies(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, entries = "Copy name", []

    def entry(title: str) -> bool:
        entries.append(title)
        return title == chosen

    state: State = post.state
    file = MissingFile("skeleton", "a\x1b.skeleton", ("/a.skeleton",))
    state.document.report.warn("the skeleton is missing", MISSING_PART, file)  # type: ignore[union-attr]
    missing = next(line for line in lines(state) if line.files)
    state.document.report.fail(FormatError("cut off", "bones", 7))  # type: ignore[union-attr]
    broken = next(line for line in lines(state) if line.kind == "error")
    copied: list[str] = []
    post.host.clipboard(lambda: "", copied.append)
    monkeypatch.setattr(messages.imgui, "begin_popup_context_item", lambda: True)
    monkeypatch.setattr(messages.imgui, "end_popup", lambda: None)
    monkeypatch.setattr(messages.imgui, "menu_item_simple", entry)
    post.draw = lambda state, ask: messages._menu(state, ask, missing)
    post.frames()
    assert entries == ["Copy", "Copy name", "Choose a file…", "Search in a folder…"]
    assert copied == ["a\\x1b.skeleton"]
    entries.clear()
    post.draw = lambda state, ask: messages._menu(state, ask, broken)
    post.frames()
    assert entries == ["Copy", "Show bytes"]
