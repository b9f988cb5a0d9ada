"""Panels under a fake mouse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.binary.span import Span
from viewer.errors import FormatError
from viewer.scene.items import ByteItem
from viewer.ui.bytes.bytes_panel import BytesPanel
from viewer.ui.kit.texts import value_text
from viewer.ui.outline.outline_panel import OutlinePanel
from viewer.ui.panels.animations import AnimationsPanel
from viewer.ui.panels.morphs import MorphsPanel
from viewer.ui.problems.problems_panel import ProblemsPanel
from viewer.ui.properties.properties_panel import PropertiesPanel
from viewer.ui.timeline.curves import CurvesPanel
from viewer.ui.timeline.timeline_panel import TimelinePanel
from viewer.ui.timeline.transport import transport
from viewer.ui.view.view_panel import ViewPanel

PANELS = (
    AnimationsPanel(),
    BytesPanel(),
    CurvesPanel(),
    TimelinePanel(),
    ProblemsPanel(),
    MorphsPanel(),
    OutlinePanel(),
    PropertiesPanel(),
    transport,
    ViewPanel(),
)


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: getattr(panel, "__name__", type(panel).__name__))
def test_a_panel_without_a_document_draws(desk: Any, panel: Any) -> None:
    desk.show(panel)
    assert desk.posted == []


def test_an_open_chunk_shows_what_is_inside(post: Any) -> None:
    post.show(BytesPanel())
    post.click(80, 2.5 * post.line)
    assert post.state.view.selection.picked == ByteItem(0)


def test_a_broken_chunk_is_drawn(post: Any) -> None:
    document = post.state.document
    document.root = Span("file", 0, 4, children=[Span("bad %s", 0, 4, value="100 %d", error="cut %n")])
    post.show(BytesPanel())
    post.move(60, 2.5 * post.line)
    post.frames(60)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("Head", '"Head"'),
        (np.float32(0.25), "0.25"),
        (np.array([1.0, 0.5, 0]), "1 0.5 0"),
        ([[1.0, 0.0], [0.0, 2.5]], "1 0 0 2.5"),
        (np.array((7, [1, 2]), [("a", "u1"), ("b", "u1", 2)])[()], "7  1 2"),
        ("x" * 100, '"' + "x" * 62 + "…"),
        (b"MD20", '"MD20"'),
        (b"a\0", "61 00"),
        (np.array([b"MD20"]), '"MD20"'),
    ],
)
def test_values_in_one_short_line(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_the_badge_counts_what_is_wrong_with_the_file(post: Any) -> None:
    post.state.interface.preferences.check_files = False
    panel = ProblemsPanel()
    before = int(panel.badge(post.state) or 0)
    post.state.document.report.warn("a texture is missing")
    post.state.document.report.fail(FormatError("cut off", "bones", 7))
    post.state.say("hello")
    post.state.say("no such file", "error")
    post.show(panel)
    assert int(panel.badge(post.state)) == before + 2
