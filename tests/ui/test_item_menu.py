"""The context menu of an item: it holds what applies to the item, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from tests.ui.conftest import Desk
from viewer.errors import NeededFile
from viewer.scene.camera import Camera
from viewer.scene.items import (
    AnimationItem,
    BoneItem,
    ByteItem,
    CameraItem,
    GeometryItem,
    Item,
    MaterialItem,
    MorphItem,
    TextureItem,
)
from viewer.scene.material import Material, Texture
from viewer.session.requests import CopyPicture, FitView, GiveFile
from viewer.ui.item_menu import item_menu, picture_entries
from viewer.ui.kit.widgets import take_copied
from viewer.ui.outline.outline_panel import OutlinePanel
from viewer.ui.panels.animations import AnimationsPanel
from viewer.ui.properties.properties_panel import PropertiesPanel

CHOSEN: list[str] = []
"""The entry that the next menu chooses."""


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The entries of the last menu."""
    found: list[str] = []
    monkeypatch.setattr(
        imgui, "menu_item_simple", lambda title, *more: (found.append(title), title in CHOSEN)[1]
    )
    monkeypatch.setattr(imgui, "begin_menu", lambda title: False)
    yield found
    CHOSEN.clear()


def menu(desk: Desk, item: Item, choose: str = "") -> None:
    """Draw the menu of an item once, and choose an entry."""
    CHOSEN[:] = [choose]
    desk.host.clipboard(lambda: "", lambda text: None)
    desk.draw = lambda state, post: item_menu(state, post, item)
    desk.frames()
    desk.draw = lambda state, post: None


def test_a_bone_can_be_framed_copied_and_found_in_the_bytes(post: Desk, entries: list[str]) -> None:
    menu(post, BoneItem(1))
    assert entries == ["Frame selected", "Trail", "Copy name", "Show bytes"]
    assert post.state.view.selection.picked == BoneItem(1)


def test_a_geometry_can_be_hidden_and_isolated(post: Desk, entries: list[str]) -> None:
    menu(post, GeometryItem(0), "Hide selected")
    assert entries[:3] == ["Frame selected", "Hide selected", "Isolate selected"]
    assert post.state.view.hidden == {0}


def test_an_animation_plays_and_mixes(post: Desk, entries: list[str]) -> None:
    menu(post, AnimationItem(0), "Play")
    assert entries[0] == "Play" and "Add selected as layer" not in entries, "it plays already"
    assert [each.animation.name for each in post.state.view.playlist] == [
        "Bend"
    ] and post.state.view.clock.playing
    assert entries[-2:] == ["Copy name", "Show bytes"], "its file is attached"


def test_a_morph_has_a_name_and_bytes_only(post: Desk, entries: list[str]) -> None:
    menu(post, MorphItem(0))
    assert entries == ["Copy name", "Show bytes"]


def test_a_camera_of_the_file_is_looked_through(post: Desk, entries: list[str]) -> None:
    state = post.state
    assert state.model is not None and state.document is not None
    camera = Camera("portrait", (0.0, 0.0, 5.0), (0.0, 0.0, 0.0), 45.0)
    state.document.content = replace(state.model, cameras=(camera,))
    menu(post, CameraItem(0), "Look through")
    assert state.view.file_camera_number == 0


def test_what_is_missing_can_be_given(post: Desk, entries: list[str]) -> None:
    state = post.state
    assert state.model is not None and state.document is not None
    gone = Texture("gone.png", searched=("/gone.png",))
    state.document.content = replace(
        state.model, textures=(gone,), materials=(Material("M", searched=("/m",)),)
    )
    menu(post, TextureItem(0), "Choose a file…")
    assert entries == ["Copy name", "Choose a file…", "Search in a folder…"]
    menu(post, MaterialItem(0), "Choose a file…")
    assert post.posted == [GiveFile("gone.png", 0), GiveFile("M", None)]


def test_keys_of_an_animation_that_are_missing_can_be_given(post: Desk, entries: list[str]) -> None:
    state = post.state
    assert state.document is not None
    lost = replace(
        state.playback.animations[0], missing_file=NeededFile(".anim file", "A0097-00.anim"), source=""
    )
    state.document.animations = (lost,)
    menu(post, AnimationItem(0), "Choose a file…")
    assert post.posted == [GiveFile("A0097-00.anim", None)]


def test_a_name_is_copied_with_its_marks_visible(post: Desk, entries: list[str]) -> None:
    state = post.state
    assert state.skeleton is not None and state.model is not None and state.document is not None
    bones = replace(state.skeleton, names=("a\x1b[2Jb", "tip"))
    state.document.content = replace(state.model, skeleton=bones)
    menu(post, BoneItem(0), "Copy name")
    assert take_copied() == "Copied a\\x1b[2Jb"


def test_the_bytes_come_to_the_front(post: Desk, entries: list[str]) -> None:
    menu(post, BoneItem(1), "Show bytes")
    assert post.state.interface.front == "chunks" and post.state.view.selection.picked == BoneItem(1)


def test_a_byte_without_an_owner_has_bytes_only(post: Desk, entries: list[str]) -> None:
    menu(post, ByteItem(0))
    assert entries == ["Show bytes"]


def test_the_picture_offers_what_can_be_done_now(post: Desk, entries: list[str]) -> None:
    CHOSEN[:] = ["Fit to view", "Copy image"]
    post.draw = picture_entries
    post.frames()
    assert "Show all" not in entries, "nothing is hidden"
    assert post.posted == [FitView(), CopyPicture()]


def test_an_empty_window_offers_nothing_of_a_model(desk: Any, entries: list[str]) -> None:
    desk.draw = picture_entries
    desk.frames()
    assert entries == []


@pytest.mark.parametrize("place", ["outline", "animations", "properties"])
def test_lists_and_pages_open_the_menu_by_a_right_click(
    post: Desk, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    panel, modules = {
        "outline": (OutlinePanel(), "viewer.ui.outline.outline_panel"),
        "animations": (AnimationsPanel(), "viewer.ui.panels.animations"),
        "properties": (PropertiesPanel(), "viewer.ui.properties.properties_panel"),
    }[place]
    found: list[Item] = []
    monkeypatch.setattr(f"{modules}.item_menu", lambda state, ask, item: found.append(item))
    post.state.view.selection.pick(BoneItem(1))
    post.show(panel)
    line = imgui.get_text_line_height_with_spacing()
    rows = {
        "outline": (150.0, imgui.get_frame_height() + imgui.get_style().item_spacing.y + 1.5 * line),
        "animations": (30.0, 2.5 * (imgui.get_text_line_height() + 2 * imgui.get_style().cell_padding.y)),
        "properties": (370.0, 30.0),
    }
    post.click(*rows[place], "right")
    post.frames(2)
    wanted = {"outline": GeometryItem(0), "animations": AnimationItem(0), "properties": BoneItem(1)}
    assert found and set(found) == {wanted[place]}
