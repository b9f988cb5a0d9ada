"""The animations panel with WoW sequences: their order, the search, and that a list reads no keys."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from viewer.scene.animation import Animation, LazyAnimation, LoadedTracks
from viewer.scene.items import AnimationItem
from viewer.scene.text_filter import TextFilter
from viewer.ui.panels.animation_details import facts_of
from viewer.ui.panels.animations import AnimationsPanel, fits

SEQUENCES = [
    (4, 0, "Walk"),
    (0, 1, "Stand 1"),
    (0, 0, "Stand"),
    (13, 0, "Walkbackwards"),
    *((n, 0, f"Other {n}") for n in range(60, 66)),
]


@pytest.fixture
def opened(post: Any) -> list[str]:
    """The names of the sequences whose keys were read."""
    read: list[str] = []

    def make(number: int, variation: int, name: str) -> Animation:
        def opener() -> LoadedTracks:
            read.append(name)
            return LoadedTracks((), (), 0)

        tags = ("alias of Walk",) if number == 13 else ()
        facts = {"id": number, "variation": variation, "flags": 0x20}
        return LazyAnimation(name, 1.0, (), opener=opener, facts=facts, tags=tags)

    post.state.document.animations = tuple(make(*each) for each in SEQUENCES)
    return read


def row(number: float) -> float:
    """The y of a row; row 0, the rest pose, follows the filter and the headings."""
    filter_line = imgui.get_frame_height_with_spacing()
    return filter_line + (number + 1.5) * (
        imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
    )


def test_stand_comes_first_and_nothing_is_read_for_the_list(post: Any, opened: list[str]) -> None:
    post.show(AnimationsPanel())
    post.frames(3)
    assert opened == []
    post.click(30, row(1))
    assert post.state.view.selection.picked == AnimationItem(2), "Stand is the third in the file"


def test_the_search_knows_names_ids_and_aliases() -> None:
    walk = Animation("Walkbackwards", 1.0, (), facts={"id": 13}, tags=("alias of Walk",))
    assert (
        fits(walk, TextFilter("back"))
        and fits(walk, TextFilter("13"))
        and fits(walk, TextFilter("alias"))
        and fits(walk, TextFilter(""))
    )
    assert not fits(walk, TextFilter("1")) and not fits(walk, TextFilter("run"))
    assert not fits(Animation("Bend", 1.0, ()), TextFilter("13"))


def test_the_numbers_of_a_sequence_stand_in_a_line() -> None:
    facts = {"id": 4, "variation": 1, "flags": 0xA1, "speed": 2.5, "blend": 150}
    line = "id 4   variation 1   flags 0xA1   moves 2.5 a second   blends for 150 ms"
    assert facts_of(Animation("Walk", 1.0, (), facts=facts)) == line


def names_that_play(post: Any) -> list[str]:
    return [each.animation.name for each in post.state.view.playlist]


def test_one_click_plays_and_a_click_with_ctrl_selects_only(post: Any, opened: list[str]) -> None:
    post.show(AnimationsPanel())
    post.click(30, row(3))
    assert names_that_play(post) == ["Walk"] and post.state.view.clock.playing
    post.move(30, row(1))
    post.press(held="Ctrl")
    post.host.input.button("left", False, frozenset({"Ctrl"}))
    post.frames()
    assert names_that_play(post) == ["Walk"]
    assert post.state.view.selection.picked == AnimationItem(2)


@pytest.mark.parametrize("clips", [1, 3])
def test_a_click_that_plays_moves_nothing(post: Any, monkeypatch: pytest.MonkeyPatch, clips: int) -> None:
    sizes: list[float] = []
    begin_table = imgui.begin_table
    monkeypatch.setattr(imgui, "begin_table", lambda *all: (sizes.append(all[3].y), begin_table(*all))[1])
    post.state.document.animations = tuple(Animation(f"Clip {number}", 1.0, ()) for number in range(clips))
    post.state.playback.choose(None)
    post.show(AnimationsPanel())
    post.frames(2)
    before = sizes[-1]
    post.click(30, row(1) - imgui.get_frame_height_with_spacing())
    assert names_that_play(post) == ["Clip 0"] and sizes[-1] == before


def test_columns_have_headings(post: Any, monkeypatch: pytest.MonkeyPatch, opened: list[str]) -> None:
    names: list[str] = []
    setup = imgui.table_setup_column

    def note(name: str, flags: int, *more: Any) -> None:
        names.extend([] if flags & imgui.TableColumnFlags_.disabled else [name])
        setup(name, flags, *more)

    monkeypatch.setattr(imgui, "table_setup_column", note)
    post.show(AnimationsPanel())
    assert names[-4:] == ["Clip", "Id", "Flags", "Length"]
    post.state.document.animations = (Animation("Bend", 1.0, ()),)
    post.frames(2)
    assert names[-4:] == ["Clip", "Tracks", "Keys", "Length"]


def test_arrow_keys_walk_the_list_and_play(post: Any, opened: list[str]) -> None:
    post.show(AnimationsPanel())
    post.click(30, row(1))
    for key, name in (("DOWN", "Stand 1"), ("DOWN", "Walk"), ("UP", "Stand 1")):
        post.key(key)
        assert names_that_play(post) == [name]
    post.state.view.clock.pause()
    post.key("ENTER")
    assert names_that_play(post) == ["Stand 1"] and post.state.view.clock.playing


def test_the_list_scrolls_to_what_plays(post: Any, opened: list[str]) -> None:
    panel = AnimationsPanel()
    made = post.state.document.animations
    many = tuple(Animation(f"Clip {number}", 1.0, ()) for number in range(300))
    post.state.document.animations = (*made, *many)
    post.show(panel)
    post.frames(3)
    post.state.playback.choose(many[-1])
    post.frames(4)
    post.click(30, row(5))
    assert post.state.view.playlist[0].animation.name.startswith("Clip 2")


def test_the_filter_finds_names_and_titles() -> None:
    taken = Animation("mixamo.com", 1.0, (), source="Hero_Run.ani")
    assert fits(taken, TextFilter("mixamo"), "Hero_Run") and fits(taken, TextFilter("hero"), "Hero_Run")


def rows_seen(post: Any) -> int:
    """The number of rows of the list that a click plays, from the first on."""
    for count in range(1, 60):
        post.state.playback.choose(None)
        post.click(30, row(count))
        if not post.state.view.playlist:
            return count - 1
    raise AssertionError("the list has no end")


def test_the_list_takes_the_room_that_headers_leave(post: Any) -> None:
    post.state.document.animations = tuple(Animation(f"Clip {number}", 1.0, ()) for number in range(300))
    post.state.playback.choose(post.state.playback.animations[0])
    post.show(AnimationsPanel())
    post.frames(3)
    line = imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y
    header = imgui.get_frame_height_with_spacing()
    assert rows_seen(post) >= (300 - header - 3 * header) // line - 2, "the desk is 300 points high"


def test_a_long_name_is_cut_in_the_middle(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    selectable = imgui.selectable
    monkeypatch.setattr(imgui, "selectable", lambda *all: (drawn.append(all[0]), selectable(*all))[1])
    name = "a very long name of a clip " * 5 + "end"
    post.state.document.animations = (Animation(name, 1.0, ()),)
    post.show(AnimationsPanel())
    assert drawn[-1].startswith("a very") and "…" in drawn[-1] and drawn[-1].endswith("end###clip")


def held_click(post: Any, key: str, y: float) -> None:
    post.move(30, y)
    post.press(held=key)
    post.host.input.button("left", False, frozenset({key}))
    post.frames()


def selected(post: Any) -> list[str]:
    return [each.name for each in post.state.playback.selected]


def test_ctrl_adds_and_removes_and_shift_selects_a_range(post: Any, opened: list[str]) -> None:
    post.show(AnimationsPanel())
    post.click(30, row(1))
    assert selected(post) == ["Stand"]
    held_click(post, "Ctrl", row(3))
    assert selected(post) == ["Stand", "Walk"]
    held_click(post, "Ctrl", row(3))
    assert selected(post) == ["Stand"]
    held_click(post, "Shift", row(4))
    assert selected(post) == ["Stand", "Stand 1", "Walk", "Walkbackwards"]
    held_click(post, "Shift", row(2))
    assert selected(post) == ["Stand", "Stand 1"], "the range begins at the same clip"
    assert names_that_play(post) == ["Stand"], "neither plays another clip"


def test_a_click_and_an_arrow_key_select_one_clip_again(post: Any, opened: list[str]) -> None:
    post.show(AnimationsPanel())
    post.click(30, row(1))
    for again in (lambda: post.click(30, row(2)), lambda: post.key("DOWN")):
        held_click(post, "Shift", row(4))
        assert len(selected(post)) > 1
        again()
        assert len(selected(post)) == 1 and names_that_play(post) == selected(post)


def test_selecting_several_clips_moves_nothing(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[float] = []
    begin_table = imgui.begin_table
    monkeypatch.setattr(imgui, "begin_table", lambda *all: (sizes.append(all[3].y), begin_table(*all))[1])
    post.state.document.animations = tuple(Animation(f"Clip {number}", 1.0, ()) for number in range(5))
    post.show(AnimationsPanel())
    post.frames(2)
    before = sizes[-1]
    held_click(post, "Ctrl", row(1) - imgui.get_frame_height_with_spacing())
    held_click(post, "Shift", row(4) - imgui.get_frame_height_with_spacing())
    assert len(selected(post)) == 4 and not names_that_play(post) and sizes[-1] == before


def test_another_document_has_no_filter(post: Any, opened: list[str]) -> None:
    panel = AnimationsPanel()
    post.show(panel)
    panel._filter = TextFilter("back")
    post.frames(2)
    assert panel._filter.text == "back"
    other = replace(post.state.document, path="other.mdl")
    post.state.put(other)
    post.frames(2)
    assert not panel._filter
