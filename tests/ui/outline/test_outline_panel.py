"""The outline under a fake mouse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from tests.ui.outline.test_nodes import DRESSED
from viewer.binary import Span
from viewer.errors import Report
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, ByteItem, GeometryItem, GeosetItem, Item
from viewer.scene.model import Model
from viewer.scene.parts import PartOwner
from viewer.scene.skeleton import Skeleton
from viewer.scene.text_filter import TextFilter
from viewer.ui.kit import tree_table
from viewer.ui.kit.shortcuts import run_shortcuts
from viewer.ui.outline import outline_panel
from viewer.ui.outline.outline_panel import OutlinePanel
from viewer.ui.outline.row_texts import RowTexts
from viewer.ui.outline.tree import outline


@pytest.fixture
def panel(post: Any) -> Any:
    """The desk with the outline of the little post on it, and where its rows are."""
    shown = OutlinePanel()
    post.show(shown)

    def click(item: Item, button: str = "left", x: float = 120.0) -> None:
        found = shown._outline.value
        row = found.tree.row_of(found.paths[item])
        post.click(x, _top() + (row + 0.5) * imgui.get_text_line_height_with_spacing(), button)

    post.pick = click
    return post


def _top() -> float:
    return imgui.get_frame_height() + imgui.get_style().item_spacing.y


def test_a_click_selects_a_bone_and_its_weights(panel: Any) -> None:
    panel.pick(BoneItem(1))
    panel.state.purge()
    assert panel.state.view.selection.picked == BoneItem(1)
    assert panel.state.view.bone == 1


def test_a_click_selects_a_geometry(panel: Any) -> None:
    panel.pick(GeometryItem(0))
    assert panel.state.view.selection.picked == GeometryItem(0)


def test_pointing_hovers(panel: Any) -> None:
    panel.pick(BoneItem(0))
    panel.frames(2)
    panel.state.view.selection.turn()
    assert panel.state.view.selection.hover == BoneItem(0)


def test_the_eye_hides_and_shows(panel: Any) -> None:
    panel.pick(GeometryItem(0), x=388)
    assert panel.state.view.hidden == {0} and panel.state.view.selection.picked is None
    panel.frames(30)
    panel.pick(GeometryItem(0), x=388)
    assert panel.state.view.hidden == set()


def test_a_name_ends_before_the_eye(panel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    row = tree_table.tree_row
    monkeypatch.setattr(
        tree_table, "tree_row", lambda *all, **more: (drawn.append(all[1]), row(*all, **more))[1]
    )
    monkeypatch.setattr(outline_panel, "_eye_width", lambda: 360.0)
    panel.frames(2)
    assert any("…" in text for text in drawn)


def test_the_menu_of_a_row_shows_a_geometry_alone(panel: Any) -> None:
    panel.pick(GeometryItem(0), "right")
    assert panel.state.view.selection.picked == GeometryItem(0)
    assert imgui.is_popup_open("", imgui.PopupFlags_.any_popup)


def chain(count: int) -> Skeleton:
    """Bones `b0`, `b1` …, each below the one before."""
    names = tuple(f"b{n}" for n in range(count))
    parents = np.arange(-1, count - 1)
    return Skeleton(names, parents, np.zeros((count, 3)), np.zeros((count, 4)), np.ones((count, 3)))


def bones(count: int) -> PartOwner:
    return PartOwner(Model("", skeleton=chain(count)))


def test_the_filter_keeps_what_is_above() -> None:
    found = outline(bones(5), TextFilter("b3"))
    labels = [row.node.label for row in found.tree.rows(0, len(found.tree))]
    assert labels == ["Bones", "b0", "b1", "b2", "b3"]


def test_the_filter_leaves_nothing_where_nothing_fits() -> None:
    assert not len(outline(bones(5), TextFilter("nose")).tree)


def test_what_is_selected_elsewhere_comes_into_sight(desk: Any, post: Any) -> None:
    shown = OutlinePanel()
    post.show(shown)
    found = shown._outline.value
    found.tree.close(found.paths[BoneItem(1)][0])
    post.state.view.selection.pick(BoneItem(1))
    post.frames(2)
    assert found.tree.row_of(found.paths[BoneItem(1)]) == found.tree.row_of(found.paths[BoneItem(0)]) + 1
    assert found.paths[BoneItem(1)][0] in found.tree.opened


def test_a_byte_of_a_bone_is_that_bone(post: Any) -> None:
    span = post.state.document.origin.span(BoneItem(1))
    post.state.view.selection.pick(ByteItem(span.offset + 2))
    post.state.purge()
    assert post.state.focus == BoneItem(1)
    assert post.state.view.bone == 1


def test_names_of_deep_bones_keep_half_of_the_room(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    content = Model("deep", skeleton=chain(60))
    desk.state.put(Document("deep.mdl", "", "", b"", Span("deep", 0, 0), content, Report()))
    places: list[float] = []
    drawn = tree_table.imgui.tree_node_ex

    def note(label: str, flags: int) -> bool:
        places.append(imgui.get_cursor_pos_x())
        return bool(drawn(label, flags))

    desk.show(OutlinePanel())
    monkeypatch.setattr(tree_table.imgui, "tree_node_ex", note)
    desk.host.input.wheel(0, 0)
    desk.state.view.selection.pick(BoneItem(59))
    desk.frames(3)
    assert places[0] < 50 and 150 < max(places) < 230


def test_another_document_has_no_filter_and_begins_at_the_top(
    post: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scrolled: list[float] = []
    monkeypatch.setattr(imgui, "set_scroll_y", scrolled.append)
    shown = OutlinePanel()
    post.show(shown)
    shown._table.filter = TextFilter("tip")
    scrolled.clear()
    post.frames(2)
    assert shown._table.filter.text == "tip" and scrolled == []
    document = post.state.document
    post.state.put(Document("b.mdl", "", "", b"", Span("b", 0, 0), document.content, Report()))
    post.frames(2)
    assert not shown._table.filter and scrolled == [0.0]


def test_a_group_is_hidden_by_its_row(panel: Any) -> None:
    panel.state.document.content = DRESSED
    shown = OutlinePanel()
    panel.show(shown)
    panel.frames(2)
    found = shown._outline.value
    row = found.tree.row_of(found.paths[GeosetItem(501)][:-1])
    panel.click(120.0, _top() + (row + 0.5) * imgui.get_text_line_height_with_spacing())
    assert panel.state.view.selection.group == (GeosetItem(501), GeosetItem(502))
    panel.show(run_shortcuts)
    panel.key("H")
    assert panel.state.view.hidden == {1, 2, 3}


def test_offsets_of_bytes_stand_beside_items_only_while_bytes_are_shown(
    panel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    offsets: list[str] = []
    get = RowTexts.get

    def noting(self: RowTexts, node: Any, depth: int, room: float, eye: float, offset: str = "") -> Any:
        offsets.append(offset)
        return get(self, node, depth, room, eye, offset)

    monkeypatch.setattr(RowTexts, "get", noting)
    interface = panel.state.interface
    interface.covered = frozenset({"chunks"})
    panel.frames(2)
    assert offsets and not any(offsets)
    interface.bring("chunks")
    interface.covered = frozenset()
    panel.frames(2)
    assert any(offsets)
