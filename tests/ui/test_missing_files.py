"""The ways to give a missing file."""

from __future__ import annotations

from typing import Any

from viewer.binary.span import Span
from viewer.errors import NeededFile, Report
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.items import AnimationItem, MaterialItem, TextureItem
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Model
from viewer.session.requests import AddResourceFolder, GiveFile
from viewer.session.state import State
from viewer.ui.item_menu import give_file, missing_name


def test_the_buttons_ask_for_the_file_and_for_a_folder(desk: Any) -> None:
    desk.show(lambda state, post: give_file(post, "Skin.png", 3))
    desk.click(30, 8)
    assert desk.posted == [GiveFile("Skin.png", 3)]
    desk.click(200, 8)
    assert desk.posted[1:] == [AddResourceFolder()]


def test_without_a_name_only_the_search_is_offered(desk: Any) -> None:
    desk.show(lambda state, post: give_file(post, ""))
    desk.click(30, 8)
    assert desk.posted == [AddResourceFolder()]


def document(content: Model, animations: tuple[Animation, ...] = ()) -> Document:
    return Document(
        "/a", "", "", b"", Span("a", 0, 0, "", None, ""), content, Report(), animations=animations
    )


def test_the_file_of_an_animation_without_keys_is_named() -> None:
    state = State()
    gone = Animation("Sit", 1.0, (), missing_file=NeededFile(".anim file", "A0097-00.anim"))
    state.put(document(Model(""), (Animation("Stand", 1.0, ()), gone)))
    assert [missing_name(state, AnimationItem(number)) for number in range(3)] == ["", "A0097-00.anim", ""]


def test_only_missing_textures_and_materials_are_named() -> None:
    found = Texture("there.png", "/there.png", decode=lambda: Image(()))
    model = Model(
        "",
        textures=(found, Texture("gone.png", searched=("/gone.png",))),
        materials=(Material("M", searched=("/m",)), Material("N", "/n")),
    )
    items = (TextureItem(0), TextureItem(1), TextureItem(9), MaterialItem(0), MaterialItem(1))
    state = State()
    assert missing_name(state, TextureItem(1)) == ""
    state.put(document(model))
    assert [missing_name(state, item) for item in items] == ["", "gone.png", "", "M", ""]
