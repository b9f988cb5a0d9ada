"""The lines of the Messages panel, and their order."""

from __future__ import annotations

from typing import Any

from viewer.binary.span import Span
from viewer.errors import MISSING_PART, MISSING_TEXTURE, FormatError, Report
from viewer.scene.document import Document
from viewer.scene.items import TextureItem
from viewer.scene.material import Material, Texture
from viewer.scene.model import Model
from viewer.session.state import State
from viewer.ui.panels.messages import count, go_to, lines


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
