"""The ways to give a missing file."""

from __future__ import annotations

from typing import Any

from viewer.scene.items import MaterialItem, TextureItem
from viewer.scene.material import Image, Material, Texture
from viewer.scene.model import Model
from viewer.session.requests import AddResourceFolder, GiveFile
from viewer.ui.give_file import give_file, missing_name


def test_the_buttons_ask_for_the_file_and_for_a_folder(desk: Any) -> None:
    desk.show(lambda state, post: give_file(post, "Skin.png", 3))
    desk.click(30, 8)
    assert desk.posted == [GiveFile("Skin.png", 3)]
    desk.click(200, 8)
    assert desk.posted[1:] == [AddResourceFolder()]


def test_only_missing_textures_and_materials_are_named() -> None:
    found = Texture("there.png", "/there.png", decode=lambda: Image(()))
    model = Model(
        "",
        textures=(found, Texture("gone.png", searched=("/gone.png",))),
        materials=(Material("M", searched=("/m",)), Material("N", "/n")),
    )
    items = (TextureItem(0), TextureItem(1), TextureItem(9), MaterialItem(0), MaterialItem(1))
    assert [missing_name(model, item) for item in items] == ["", "gone.png", "", "M", ""]
    assert missing_name(None, TextureItem(1)) == ""
