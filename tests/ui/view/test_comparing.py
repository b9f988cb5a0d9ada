"""Two compared documents in the view under a fake mouse. The picture itself is tested with the App."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import ImVec2
from msgspec.structs import replace

from viewer.actions import ACTIONS_BY_NAME
from viewer.scene.choices import CompareMode
from viewer.scene.vertex_distances import ModelDistances, VertexDistances
from viewer.session.comparison import find_partner, follow
from viewer.session.comparison_result import ComparisonResult
from viewer.session.documents import OpenDocuments
from viewer.session.state import State
from viewer.ui.view import comparing
from viewer.ui.view.comparing import captions_lines, pane_under, view_panes
from viewer.ui.view.view_panel import ViewPanel

SIZE = ImVec2(400, 300)
LOW = ImVec2(0, 0)


@pytest.fixture
def pair(post: Any) -> Any:
    """The desk with the post in view, and two others."""
    for name in ("Second.mdl", "Third.mdl"):
        post.state.adopt(State(OpenDocuments([replace(post.state.document, path=f"/somewhere/{name}")])))
    return post


def compare(desk: Any, mode: CompareMode) -> ViewPanel:
    """The view on the desk, which compares."""
    view = ViewPanel()
    desk.state.compare(mode)

    def draw(state: State, post: Any) -> None:
        find_partner(state)
        follow(state)
        view(state, post)

    desk.show(draw)
    return view


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the captions."""
    texts: list[str] = []
    monkeypatch.setattr(comparing, "label", lambda draw, text, box, color: texts.append(text))
    return texts


def test_the_pane_under_the_pointer_is_that_of_a_document(pair: Any) -> None:
    compare(pair, CompareMode.SIDE)
    found = view_panes(pair.state, LOW, SIZE)
    assert [pane_under(found, pair.state, x).state.documents.current for x in (10, 190, 210, 390)] == [
        0,
        0,
        1,
        1,
    ]
    assert pane_under(found, pair.state, 200).state is pair.state, "on the line between them"
    assert found[1].low.x == 201 and found[1].size.x == 199


def test_in_a_difference_the_pointer_means_the_document_in_view(pair: Any) -> None:
    pair.state.show(1)
    compare(pair, CompareMode.DIFFERENCE)
    found = view_panes(pair.state, LOW, SIZE)
    assert pane_under(found, pair.state, 10).state is pair.state


def test_the_view_asks_in_the_picture_of_the_other_document(pair: Any) -> None:
    view = compare(pair, CompareMode.SIDE)
    pair.move(301, 150)
    pair.frames()
    assert view.state_under(pair.state) is pair.state.partner
    assert view.position == pytest.approx((100 / 199, 0.5), abs=0.01)
    pair.move(50, 150)
    pair.frames()
    assert view.state_under(pair.state) is pair.state
    assert view.position == pytest.approx((50 / 199, 0.5), abs=0.01)


def test_a_turn_in_either_pane_turns_both(pair: Any) -> None:
    compare(pair, CompareMode.SIDE)
    before = pair.state.view.camera.yaw
    pair.drag((300, 150), (320, 150))
    pair.frames(2)
    assert (pair.state.view.camera.yaw - before) % 360 == pytest.approx(352)
    assert pair.state.partner.view.camera == pair.state.view.camera


def test_the_line_of_the_slider_is_dragged_and_the_camera_stays(pair: Any) -> None:
    compare(pair, CompareMode.SLIDER)
    before = pair.state.view.camera
    pair.move(200, 150)
    pair.drag((200, 150), (100, 150))
    assert pair.state.documents.comparison.split == pytest.approx(0.25)
    pair.drag((100, 20), (-50, 20))
    assert pair.state.documents.comparison.split == 0.0
    assert pair.state.view.camera == before


def test_beside_the_line_a_drag_turns(pair: Any) -> None:
    compare(pair, CompareMode.SLIDER)
    before = pair.state.view.camera
    pair.drag((250, 150), (270, 150))
    assert pair.state.documents.comparison.split == 0.5 and pair.state.view.camera != before


def test_a_double_click_centres_the_line(pair: Any) -> None:
    compare(pair, CompareMode.SLIDER)
    pair.state.documents.comparison = replace(pair.state.documents.comparison, split=0.25)
    pair.frames(2)
    pair.move(100, 150)
    for _ in range(2):
        pair.press()
        pair.release()
    assert pair.state.documents.comparison.split == 0.5


def test_captions_tell_names_and_sizes(pair: Any, said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    compare(pair, CompareMode.SLIDER)
    assert set(said) == {"Post.mdl", "Second.mdl"}, "no room for more"
    said.clear()
    monkeypatch.setattr(comparing, "_numbers", lambda state: "20 v")
    pair.frames(1)
    assert said == ["Post.mdl", "20 v", "Second.mdl", "20 v"]


def test_the_numbers_are_those_of_the_model(pair: Any) -> None:
    assert comparing._numbers(pair.state) == "20 vertices   32 triangles   2 bones"


def test_the_share_of_a_difference_is_told(pair: Any, said: list[str]) -> None:
    compare(pair, CompareMode.DIFFERENCE)
    assert "Counting the differing pixels …" in said and captions_lines(pair.state) == 2
    pair.state.view_info = replace(pair.state.view_info, differing=0.125)
    pair.frames(1)
    assert "12.50 % of the pixels differ" in said


@pytest.fixture
def legend(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the legend of distances."""
    texts: list[str] = []
    entries = comparing._entries

    def noted(*words: Any) -> Any:
        found = entries(*words)
        texts[:] = [text for _, _, text in found]
        return found

    monkeypatch.setattr(comparing, "_entries", noted)
    return texts


def distances(moved: int, largest: float, unmatched: int = 0) -> VertexDistances:
    model = ModelDistances((), 20, moved, unmatched)
    return VertexDistances((model, model), largest)


def test_distances_have_a_legend(pair: Any, said: list[str], legend: list[str]) -> None:
    compare(pair, CompareMode.DISTANCE)
    assert captions_lines(pair.state) == 2 and not legend
    pair.state.comparison_result = ComparisonResult(distances(3, 0.25))
    pair.frames(1)
    assert legend == ["0", "0.25 units", "not moved"]
    pair.state.comparison_result = ComparisonResult(distances(0, 0.0, 2))
    pair.frames(1)
    assert legend == ["not moved", "no counterpart"]


def test_the_caption_of_distances_tells_what_moved(pair: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compare(pair, CompareMode.DISTANCE)
    found = view_panes(pair.state, LOW, SIZE)
    assert comparing._details(pair.state, found)[0] == "20 vertices   32 triangles   2 bones"
    pair.state.comparison_result = ComparisonResult(distances(3, 0.25))
    assert comparing._details(pair.state, found) == ["3 of 20 vertices moved"] * 2
    pair.state.compare(CompareMode.SIDE)
    assert comparing._details(pair.state, found)[0] == "20 vertices   32 triangles   2 bones"


def test_the_shading_cannot_be_chosen_while_distances_show(pair: Any) -> None:
    assert ACTIONS_BY_NAME["shading_lit"].enabled(pair.state)
    compare(pair, CompareMode.DISTANCE)
    assert not any(ACTIONS_BY_NAME[name].enabled(pair.state) for name in ("shading_lit", "next_shading"))


def test_without_a_comparison_there_is_no_caption(pair: Any, said: list[str]) -> None:
    pair.show(ViewPanel())
    assert not said and captions_lines(pair.state) == 0


def test_the_picker_chooses_another_document(pair: Any) -> None:
    compare(pair, CompareMode.SIDE)
    ACTIONS_BY_NAME["compare_next"].run(pair.state, [].append)
    pair.frames(2)
    assert pair.state.partner.document is pair.state.documents.opened[2]
