"""Timeline and curves under a fake mouse. `Bend` has keys at 0, 0.5 and 1 second."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui, implot
from msgspec.structs import replace

from tests.synthetic import skeleton_of
from viewer.scene.items import BoneItem, KeyItem, TrackItem
from viewer.ui.timeline.curves import CurvesPanel
from viewer.ui.timeline.dope_sheet import GAP, DopeRow, DopeSheetView
from viewer.ui.timeline.timeline_panel import TimelinePanel
from viewer.view.playlist import PlaylistEntry

WIDTH, HEIGHT = 400, 300


def names() -> float:
    """The width of the names in the timeline."""
    return min(13 * imgui.get_font_size(), WIDTH / 2)


def x(time: float) -> float:
    """Where a time of `Bend` is, while the whole clip is in view."""
    return names() + (time + 0.02) / 1.04 * (WIDTH - names())


def y(row: float) -> float:
    """The middle of a row; -1 is the line of all keys, -2 the ruler."""
    line, ruler = round(imgui.get_font_size() * 1.25), round(imgui.get_font_size() * 1.7)
    head = imgui.get_frame_height_with_spacing()
    return head + (ruler / 3 if row == -2 else ruler + line * (row + 1.5))


def test_the_ruler_moves_the_time(bent: Any) -> None:
    bent.show(TimelinePanel())
    bent.drag((x(0.3), y(-2)), (x(0.7), y(-2)))
    assert bent.state.view.clock.time == pytest.approx(0.7, abs=0.01)


def test_a_click_on_a_key_goes_there_and_selects_it_in_its_file(bent: Any) -> None:
    bent.show(TimelinePanel())
    bent.click(x(0.5) + 2, y(0))
    assert bent.state.view.clock.time == pytest.approx(0.5)
    selection = bent.state.view.selection
    assert selection.picked == KeyItem(TrackItem(None, 0), 1)
    assert selection.source.path.endswith("Post_Bend.ani")
    assert selection.source.origin.span(selection.picked).size == 32
    bent.state.purge()
    assert selection.picked == KeyItem(TrackItem(None, 0), 1)
    assert bent.state.view.bone == 1 and bent.state.marked == BoneItem(1), "the bone that it moves"


def test_a_click_on_the_summary_goes_to_the_key(bent: Any) -> None:
    bent.show(TimelinePanel())
    bent.click(x(0.5) - 2, y(-1))
    assert bent.state.view.clock.time == pytest.approx(0.5)
    assert bent.state.view.selection.picked is None


def test_a_click_on_a_name_selects_its_bone(bent: Any) -> None:
    bent.show(TimelinePanel())
    bent.click(20, y(0))
    assert bent.state.view.bone == 1 and bent.state.view.selection.picked == BoneItem(1)
    bent.state.view.selection.turn()
    assert bent.state.view.selection.hover == BoneItem(1)
    bent.frames(30)
    bent.click(20, y(0))
    assert bent.state.view.bone is None


def test_the_wheel_zooms_to_the_pointer(bent: Any) -> None:
    bent.show(TimelinePanel())
    bent.move(x(0.5), y(1))
    bent.host.input.wheel(0, 3)
    bent.frames(4)
    start, end = bent.state.view.timeline.view
    assert end - start < 0.8
    assert start + (x(0.5) - names()) / (WIDTH - names()) * (end - start) == pytest.approx(0.5, abs=0.02)


def test_a_middle_drag_pans_and_the_button_shows_all(bent: Any) -> None:
    bent.show(TimelinePanel())
    bent.drag((x(0.5), y(1)), (x(0.25), y(1)), "middle")
    assert bent.state.view.timeline.view == pytest.approx((0.23, 1.27), abs=0.02)
    bent.click(WIDTH - 8, 8)
    assert bent.state.view.timeline.view is None


def test_the_flags_trim_what_plays(bent: Any) -> None:
    bent.show(TimelinePanel())
    low = imgui.get_frame_height_with_spacing() + round(imgui.get_font_size() * 1.7) - 3
    bent.drag((x(1.0) - 2, low), (x(0.75), low))
    start, end = bent.state.view.clock.range
    assert (start, end) == (0.0, pytest.approx(0.75, abs=0.01))
    assert bent.state.playback.trimmed


def test_a_right_click_has_a_menu(bent: Any) -> None:
    bent.show(TimelinePanel())
    bent.state.view.clock.seek(0.5)
    bent.click(x(0.3), y(1), "right")
    bent.frames(3)
    bent.click(x(0.3) + 20, y(1) + 10)
    bent.frames(2)
    assert bent.state.view.clock.range == (pytest.approx(0.5), 1.0), "Set range start"


def test_rows_without_a_bone_and_events_are_drawn(bent: Any) -> None:
    bent.state.playback.choose(bent.state.playback.animation("Other"))
    bent.show(TimelinePanel())
    assert bent.state.view.playlist[0].animation.events[0].name == "step"
    bent.move(20, y(2))
    bent.frames(60)
    bent.click(20, y(2))
    assert bent.state.view.bone is None


def test_the_tooltip_of_an_event_is_below_the_names_of_events(bent: Any) -> None:
    bent.state.playback.choose(bent.state.playback.animation("Other"))
    bent.show(TimelinePanel())
    names_of_events = imgui.get_frame_height_with_spacing() + round(imgui.get_font_size() * 1.7)
    bent.move(x(0.5) + 5, names_of_events + 3)
    bent.frames(90)
    (hint,) = (
        each
        for each in imgui.get_current_context().windows
        if each.name.startswith("##Tooltip") and each.active and not each.hidden
    )
    assert hint.pos.y >= names_of_events + imgui.get_font_size()


def test_the_curves_follow_the_selected_bone(bent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    panel, plotted = CurvesPanel(), []
    plot = panel._plot
    monkeypatch.setattr(panel, "_plot", lambda *all: (plotted.append(all[2].target), plot(*all)))
    bent.show(panel)
    for bone, name in enumerate(bent.state.skeleton.names):
        bent.state.view.bone = bone
        plotted.clear()
        bent.frames(2)
        assert set(plotted) == {name} & set(bent.state.view.playlist[0].animation.targets)
    bent.move(WIDTH / 2, HEIGHT / 2)
    bent.frames(3)


@pytest.mark.parametrize("high", [40, 70, 110, 180])
def test_low_curves_never_scroll(bent: Any, high: int) -> None:
    bent.state.view.bone = 1
    scrolled = []
    panel = CurvesPanel()

    def draw(state: Any, post: Any) -> None:
        imgui.begin_child("low", (WIDTH, high + imgui.get_frame_height_with_spacing()))
        panel(state, post)
        scrolled.append(imgui.get_scroll_max_y())
        imgui.end_child()

    bent.show(draw)
    bent.frames(4)
    assert scrolled[-1] == 0


def test_the_first_frame_of_curves_has_the_axis_of_its_bone(bent: Any) -> None:
    panel, seen = CurvesPanel(), []
    playhead = panel._playhead

    def noting(state: Any) -> None:
        limits = implot.get_plot_limits().y
        seen.append((limits.min, limits.max))
        playhead(state)

    panel._playhead = noting  # type: ignore[method-assign]
    panel._off |= {"rotation", "scale"}
    bent.state.playback.choose(bent.state.playback.animation("Other"))
    bent.state.view.bone = bent.state.skeleton.names.index("tip")
    bent.show(panel)
    bent.frames(4)
    assert seen and seen[0] == seen[-1], "position 0 1 0, from the first frame on"
    assert seen[0] == pytest.approx((-0.12, 1.12))


def test_the_axes_of_curves_have_units(bent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    formats: set[str] = set()
    texts: list[str] = []
    setup = implot.setup_axis_format
    ticks = implot.setup_axis_ticks
    monkeypatch.setattr(implot, "setup_axis_format", lambda *all: (formats.add(all[1]), setup(*all)))
    monkeypatch.setattr(implot, "setup_axis_ticks", lambda *all: (texts.extend(all[2]), ticks(*all)))
    bent.state.view.bone = bent.state.skeleton.names.index("tip")
    bent.show(CurvesPanel())
    bent.frames(2)
    assert {each[-1] for each in formats} == {"m", "°", "s"} and not texts
    bent.state.view.timeline.frames = True
    bent.frames(2)
    assert {"0 f", "30 f"} <= set(texts)


def test_a_click_in_the_curves_goes_there(bent: Any) -> None:
    bent.state.view.bone = 1
    bent.show(CurvesPanel())
    bent.frames(3)
    bent.click(WIDTH * 0.8, HEIGHT * 0.3)
    bent.frames(2)
    assert 0.5 < bent.state.view.clock.time < 0.95


def test_zooming_the_curves_zooms_the_timeline(bent: Any) -> None:
    bent.state.view.bone = 1
    bent.show(CurvesPanel())
    bent.move(WIDTH * 0.6, HEIGHT * 0.3)
    bent.host.input.wheel(0, 2)
    bent.frames(4)
    start, end = bent.state.view.timeline.view
    assert end - start < 1.0


def test_names_of_deep_bones_fit_left_of_the_keys(bent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tuple[DopeRow, float, float, str]] = []
    made = DopeSheetView.fitted_name

    def note(sheet: DopeSheetView, row: DopeRow) -> tuple[float, str]:
        deep = replace(row, depth=30, name=row.name * 4)
        moved, name = made(sheet, deep)
        room = sheet.scale.left - sheet.names - 2 * GAP
        found.append((deep, moved + imgui.calc_text_size(name).x, room, name))
        return moved, name

    monkeypatch.setattr(DopeSheetView, "fitted_name", note)
    bent.show(TimelinePanel())
    assert found and all(taken <= room for _, taken, room, _ in found)
    assert all(name == row.name for row, _, _, name in found), "the indentation gives way first"


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_choice_of_rows_is_not_cut(bent: Any, monkeypatch: pytest.MonkeyPatch, scale: float) -> None:
    found: list[float] = []
    combo = imgui.begin_combo

    def note(name: str, shown: str, *more: Any) -> bool:
        opened = combo(name, shown, *more)
        if name == "##rows":
            room = imgui.get_item_rect_size().x - imgui.get_frame_height() - imgui.get_style().frame_padding.x
            found.append(room - imgui.calc_text_size(shown).x)
        return bool(opened)

    bent.host.style("dark", scale)
    monkeypatch.setattr(imgui, "begin_combo", note)
    bent.show(TimelinePanel())
    assert found and min(found) >= 0


@pytest.mark.parametrize("button", ["middle", "right"])
def test_a_drag_that_pans_opens_no_menu(bent: Any, button: str) -> None:
    bent.show(TimelinePanel())
    bent.drag((x(0.5), y(1)), (x(0.25), y(1)), button)
    bent.frames(2)
    assert bent.state.view.timeline.view == pytest.approx((0.23, 1.27), abs=0.02)
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup)


def test_a_bone_that_is_selected_elsewhere_is_scrolled_to(bent: Any) -> None:
    document = bent.state.document
    document.content = replace(document.content, skeleton=skeleton_of(60))
    bent.state.view.timeline.rows = "all"
    bent.show(TimelinePanel())
    sheet = next(
        each
        for each in imgui.get_current_context().windows
        if each.name.startswith("desk/sheet") and each.active
    )
    assert sheet.scroll.y == 0
    bent.state.view.bone = 50
    bent.frames(3)
    line = round(imgui.get_font_size() * 1.25)
    assert 0 < 50 * line - sheet.scroll.y < sheet.size.y - y(-1), "its row is in sight"
    bent.state.view.bone = None
    before = sheet.scroll.y
    bent.frames(3)
    assert sheet.scroll.y == before


def test_the_list_of_layers_marks_the_shown_one_and_a_click_shows_another(
    bent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = bent.state
    state.playback.mix([PlaylistEntry(state.playback.animation(name)) for name in ("Bend", "Other")])
    middles: dict[str, tuple[float, float]] = {}
    marked: dict[str, bool] = {}

    def noting(draw: Any) -> Any:
        def run(name: str, *more: Any) -> Any:
            result = draw(name, *more)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            middles[name] = ((low.x + high.x) / 2, (low.y + high.y) / 2)
            if more:
                marked[name] = more[0]
            return result

        return run

    for name in ("begin_combo", "selectable"):
        monkeypatch.setattr(imgui, name, noting(getattr(imgui, name)))
    bent.show(TimelinePanel())
    bent.click(*middles["##layer"])
    bent.frames(2)
    assert (marked["Bend##0"], marked["Other##1"]) == (True, False)
    bent.click(*middles["Other##1"])
    bent.frames(2)
    assert state.view.timeline.layer == 1
