"""Transport and animations under a fake mouse."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui

from tests.labels import drawn_labels
from viewer.scene.animation import Animation
from viewer.scene.items import AnimationItem
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, color32
from viewer.ui.panels.animations import AnimationsPanel
from viewer.ui.timeline.transport import scrub, speed_field, transport
from viewer.view.playlist import PlaylistEntry

WIDTH = 400


def button(number: int) -> float:
    return (number + 0.5) * (imgui.get_frame_height() * 1.25 + 2)


def test_the_play_button_pauses(bent: Any) -> None:
    bent.show(transport)
    bent.click(button(2), 8)
    assert not bent.state.view.clock.playing


def test_the_other_play_button_turns_round(bent: Any) -> None:
    bent.show(transport)
    bent.click(button(1), 8)
    assert bent.state.view.clock.playing and bent.state.view.clock.speed == -1
    bent.click(button(1), 8)
    assert not bent.state.view.clock.playing


def test_scrubbing_holds_the_clock_and_lets_it_go(bent: Any) -> None:
    clock = bent.state.view.clock
    clock.seek(5.25)
    bent.show(transport)
    bent.move(300, 8)
    bent.press()
    here = clock.time
    clock.advance(0.1)
    assert 5 < clock.time < 6 and clock.time == here, "the clock keeps its loops, and stands under the hand"
    bent.release()
    clock.advance(0.1)
    clock.advance(0.1)
    assert clock.playing and clock.time > here


def test_a_narrow_bar_keeps_the_time(bent: Any) -> None:
    """900 points at 160 % leave the bar 29 letters: the speed and the ends of the clip go, the time stays."""
    bent.show(
        lambda state, post: (
            imgui.set_window_size("desk", (29 * imgui.get_font_size(), 300)),
            transport(state, post),
        )
    )
    labels = drawn_labels(bent)
    assert any(text.startswith("/ 1.000 s") for text in labels)


def typed(desk: Any, x: float, text: str) -> None:
    """Replace what is in the field at `x`."""
    typed_at(desk, x, 8, text)


def typed_at(desk: Any, x: float, y: float, text: str) -> None:
    """Replace what is in the field at a point."""
    desk.click(x, y)
    desk.frames(2)
    desk.host.input.text(text)
    desk.frames(2)
    desk.key("ENTER")


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time bar with all its widgets."""
    monkeypatch.setattr("viewer.ui.timeline.transport.NARROW", 10)
    monkeypatch.setattr("viewer.ui.timeline.transport.NARROWEST", 10)
    monkeypatch.setattr("viewer.ui.timeline.transport.WIDE", 10)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(("text", "time"), [("0.533", 0.533), ("0,25", 0.25), ("9", 1.0), ("-1", 0.0)])
def test_a_time_can_be_typed(bent: Any, text: str, time: float) -> None:
    bent.show(transport)
    typed(bent, button(8) + 4, text)
    assert bent.state.view.clock.shown(1.0) == pytest.approx(time, abs=1e-5)


@pytest.mark.usefixtures("wide")
def test_what_is_no_time_changes_nothing(bent: Any) -> None:
    bent.show(transport)
    bent.state.view.clock.seek(0.25)
    typed(bent, button(8) + 4, "soon")
    assert bent.state.view.clock.time == 0.25


def test_a_speed_can_be_typed_as_frames_a_second(bent: Any) -> None:
    bent.show(lambda state, post: speed_field(state))
    bent.click(20, 8, "right")
    bent.frames(2)
    popup = next(
        each
        for each in imgui.get_current_context().windows
        if each.name.startswith("##Popup") and each.active
    )
    typed_at(bent, popup.pos.x + 20, popup.pos.y + 20, "12")
    assert bent.state.view.clock.speed == pytest.approx(0.4), "12 of 30 frames"


def row(desk: Any, number: float) -> float:
    """The y of a row; row 0, the rest pose, follows the headings."""
    return (number + 1.5) * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)


def test_a_click_selects_an_animation_and_plays_it_alone(bent: Any) -> None:
    bent.state.view.clock.pause()
    bent.state.view.clock.seek(0.3)
    bent.show(AnimationsPanel())
    bent.click(30, row(bent, 2))
    assert bent.state.view.selection.picked == AnimationItem(1)
    assert [each.animation.name for each in bent.state.view.playlist] == ["Other"]
    assert bent.state.view.clock.playing and bent.state.view.clock.time == 0


def test_the_rest_pose_is_the_first_row(bent: Any) -> None:
    bent.show(AnimationsPanel())
    bent.click(30, row(bent, 0))
    assert bent.state.view.playlist == ()


def blended(desk: Any) -> State:
    state: State = desk.state
    state.playback.mix(
        [
            PlaylistEntry(state.playback.animation("Bend")),
            PlaylistEntry(state.playback.animation("Other"), 0.5),
        ]
    )
    state.view.bone = 1
    desk.show(AnimationsPanel())
    return state


def layer(number: int) -> float:
    """The height of the name line of a layer, below the list and the header of the layers."""
    line = imgui.get_text_line_height_with_spacing()
    top = 4.5 * line + imgui.get_style().item_spacing.y + imgui.get_frame_height_with_spacing()
    return top + (2 * number + 0.5) * imgui.get_frame_height_with_spacing()


def test_the_weight_of_a_layer_is_a_slider(bent: Any) -> None:
    state = blended(bent)
    state.view.clock.seek(0.4)
    bent.click(20, layer(1) + imgui.get_frame_height_with_spacing())
    assert state.view.playlist[1].weight < 0.1
    assert state.view.clock.time == 0.4


def test_a_layer_goes_on_top_starts_at_a_bone_and_goes(bent: Any) -> None:
    state = blended(bent)
    second = layer(1) + imgui.get_frame_height_with_spacing()
    right, side = WIDTH, imgui.get_frame_height()
    bent.click(right - 1.6 * side, second)
    assert state.view.playlist[1].additive
    bent.click(right - 0.5 * side, second)
    assert state.view.playlist[1].start_bone == 1
    bent.click(right - 0.5 * side, layer(1))
    assert [each.animation.name for each in state.view.playlist] == ["Bend"]


def test_the_controls_of_a_single_layer_are_folded(bent: Any) -> None:
    state = bent.state
    bent.show(AnimationsPanel())
    bent.click(20, layer(0))
    assert state.view.playlist[0].weight == 1.0
    bent.click(20, layer(0) - imgui.get_frame_height_with_spacing())
    bent.click(20, layer(0) + imgui.get_frame_height_with_spacing())
    assert state.view.playlist[0].weight < 0.1


def test_details_are_drawn_for_what_is_selected(bent: Any) -> None:
    bent.state.view.bone = 0
    bent.state.view.selection.pick(AnimationItem(1))
    bent.show(AnimationsPanel())
    bent.move(30, row(bent, 2))
    bent.frames(60)
    assert bent.state.view.selection.hover is None
    bent.state.view.selection.turn()
    assert bent.state.view.selection.hover == AnimationItem(1)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_fields_have_room_for_long_clips(bent: Any, monkeypatch: pytest.MonkeyPatch, scale: float) -> None:
    fields: dict[str, tuple[float, float]] = {}
    drawn = imgui.input_text

    def note(name: str, text: str, *more: Any) -> Any:
        found = drawn(name, text, *more)
        room = imgui.get_item_rect_size().x - 2 * imgui.get_style().frame_padding.x
        fields[name] = (imgui.calc_text_size(text).x, room)
        return found

    bent.host.style("dark", scale)
    monkeypatch.setattr(imgui, "input_text", note)
    clip = Animation("Long", 4000.0, ())
    bent.state.document.animations = (clip,)
    bent.state.playback.choose(clip)
    bent.state.view.clock.fps = 120.0
    bent.state.view.clock.seek(3999.9377)

    def wide(state: Any, post: Any) -> None:
        imgui.begin_child("wide", (1500 * scale, 60))
        transport(state, post)
        imgui.end_child()

    bent.show(wide)
    assert {"##seconds", "##frame"} <= fields.keys()
    assert all(text <= room for text, room in fields.values()), fields


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(("time", "frame"), [(0.1, "3"), (0.15, "4.5")])
def test_a_time_between_two_frames_has_a_fraction_of_a_frame(
    bent: Any, monkeypatch: pytest.MonkeyPatch, time: float, frame: str
) -> None:
    shown: dict[str, str] = {}
    drawn = imgui.input_text
    monkeypatch.setattr(
        imgui, "input_text", lambda name, text, *more: shown.update({name: text}) or drawn(name, text, *more)
    )
    clock = bent.state.view.clock
    clock.pause()
    clock.fps = 30.0
    clock.seek(time)
    bent.show(transport)
    assert shown["##frame"] == frame


def test_the_playback_range_is_a_line_below_the_slider(bent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    bent.state.view.clock.trim(0.25, 0.75)
    lines: list[tuple[Any, Any]] = []

    class Noted:
        """A draw list that notes filled rectangles."""

        def add_rect_filled(self, low: Any, high: Any, color: int) -> None:
            assert color == color32(ACCENT, 0.6)
            lines.append((low, high))

    monkeypatch.setattr("viewer.ui.timeline.transport.imgui.get_window_draw_list", Noted)
    bent.show(lambda state, post: scrub(state, 200))
    low, high = lines[-1]
    assert (low.x, high.x) == (pytest.approx(50, abs=1), pytest.approx(150, abs=1))
    assert high.y == imgui.get_frame_height() and high.y - low.y < 5
