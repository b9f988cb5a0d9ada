"""The pages of the properties panel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from tests import m2_files
from tests.labels import drawn_labels
from tests.quads import quad
from tests.synthetic import model_bytes
from viewer.scene.items import (
    AnimationItem,
    BoneItem,
    ByteItem,
    GeometryItem,
    IndexBufferItem,
    Item,
    LodItem,
    MaterialItem,
    MorphItem,
    TextureItem,
    VertexBufferItem,
    VertexItem,
)
from viewer.scene.material import Image, Material, Texture
from viewer.session.requests import GiveFile
from viewer.storage.documents import open_document
from viewer.ui.item_text import item_title
from viewer.ui.kit.texts import middled
from viewer.ui.properties import page_widgets
from viewer.ui.properties.properties_panel import PropertiesPanel
from viewer.view.texture_shot import TextureShot
from viewer.view.view_info import PanelPicture, ViewInfo

ITEMS: tuple[Item | None, ...] = (
    None,
    BoneItem(0),
    BoneItem(1),
    GeometryItem(0),
    LodItem(0, 1),
    VertexItem(0, 3),
    MorphItem(0),
    AnimationItem(0),
    VertexBufferItem(0),
    IndexBufferItem(0),
    ByteItem(0),
)


CLAY = (
    "<scene>"
    + 5
    * (
        '<component type="StaticModel"><attribute name="Model" value="Model;Models/Post.mdl"/>'
        '<attribute name="Material" value="Material;{}.xml"/></component>'
    )
    + "</scene>"
)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The names and values that a page shows."""
    found: list[tuple[str, str]] = []
    shown = page_widgets._copyable

    def listen(name: str, text: str, *more: Any, **named: Any) -> None:
        found.append((name, text))
        shown(name, text, *more, **named)

    monkeypatch.setattr(page_widgets, "_copyable", listen)
    return found


@pytest.mark.parametrize("item", ITEMS, ids=str)
def test_every_kind_of_item_has_a_page(post: Any, item: Item | None, said: list[tuple[str, str]]) -> None:
    post.state.view.selection.pick(item)
    post.show(PropertiesPanel())
    assert said or item in (IndexBufferItem(0),)


def shown_of(post: Any, item: Item, said: list[tuple[str, str]]) -> dict[str, str]:
    post.state.view.selection.pick(item)
    post.show(PropertiesPanel())
    return dict(reversed(said))


def test_a_bone_tells_how_many_vertices_it_moves(post: Any, said: list[tuple[str, str]]) -> None:
    shown_of(post, BoneItem(1), said)
    texts = [text for _, text in said]
    assert "16" in texts and "10" in texts, (
        "four of five rings, weights 1/4 + 2/4 + 3/4 + 1, four corners each"
    )


def test_a_bone_tells_where_it_is_now(post: Any, said: list[tuple[str, str]]) -> None:
    assert shown_of(post, BoneItem(1), said)["In the model"] == "0 0.5 0"


def test_a_vertex_tells_its_attributes_and_bones(post: Any, said: list[tuple[str, str]]) -> None:
    shown_of(post, VertexItem(0, 4), said)
    texts = [text for _, text in said]
    assert "-0.1 0.25 -0.1" in texts and "0.75 0.25 0 0" in texts


def test_the_document_tells_how_much_is_unexplained(post: Any, said: list[tuple[str, str]]) -> None:
    panel = PropertiesPanel()
    for _ in range(1000):  # it counts over as many frames as it needs
        post.show(panel)
        if "…" not in dict(said)["Unexplained"]:
            break
    assert dict(said)["Unexplained"] == "0 bytes"


def test_a_file_of_a_game_shows_its_archive(post: Any, said: list[tuple[str, str]]) -> None:
    post.state.files.sources = lambda path: ("patch-3.MPQ", "patch.MPQ", "common-2.MPQ")
    post.show(PropertiesPanel())
    assert dict(said)["Archive"] == "patch-3.MPQ" and dict(said)["Hides"] == "patch.MPQ, common-2.MPQ"


def test_the_document_shows_its_dimensions(post: Any, said: list[tuple[str, str]]) -> None:
    post.show(PropertiesPanel())
    assert dict(said)["Dimensions, metres"] == "0.2 × 1 × 0.2" and "In metres" not in dict(said)


def test_dimensions_in_another_unit_are_shown_in_metres_too(
    desk: Any, tmp_path: Path, said: list[tuple[str, str]]
) -> None:
    (tmp_path / "Made.m2").write_bytes(m2_files.model())
    desk.state.put(open_document(tmp_path / "Made.m2"))
    desk.show(PropertiesPanel())
    assert "Dimensions, yards" in dict(said) and dict(said)["In metres"].endswith("m")


def test_a_click_on_the_parent_selects_it(post: Any) -> None:
    post.state.view.selection.pick(BoneItem(1))
    post.show(PropertiesPanel())
    line = imgui.get_text_line_height_with_spacing()
    post.click(150, 2.9 * line)
    assert post.state.view.selection.picked == BoneItem(0)


@pytest.mark.parametrize(
    ("item", "title"),
    [
        (BoneItem(1), "bone tip"),
        (ByteItem(255), "byte 0xFF"),
        (VertexItem(0, 7), "vertex 7"),
        (BoneItem(99), "bone 99"),
    ],
)
def test_items_have_titles(post: Any, item: Item, title: str) -> None:
    assert item_title(post.state, item) == title


class Shelf:
    """A gallery whose every picture is the same."""

    def __init__(self, glo: int) -> None:
        self._picture = PanelPicture(glo, (8, 8), ((8, 8), (4, 4)), "PNG RGBA")

    def small(self, number: int) -> PanelPicture:
        return self._picture

    def view(self, place: str, shot: TextureShot) -> PanelPicture:
        return self._picture

    def image(self, number: int) -> Image | None:
        return Image((np.zeros((8, 8, 4), np.uint8), np.zeros((4, 4, 4), np.uint8)))


@pytest.fixture
def painted(post: Any, ctx: Any) -> Iterator[Any]:
    """The desk with a model of one material and two textures, one of which is missing."""
    found = Texture("Textures/skin.png", "/models/Textures/skin.png")
    lost = Texture("Textures/lost.png", None, ("/models/Textures", "/models"))
    material = Material(
        "Skin.xml", None, ("/models/Materials",), {"diffuse": 0, "normal": 1}, technique="Diff.xml"
    )
    post.state.document.content = quad(material, (found, lost))
    texture = ctx.texture((8, 8), 4)
    post.shelf = Shelf(texture.glo)
    post.state.view_info = ViewInfo(gallery=post.shelf)
    yield post
    texture.release()


def test_a_material_tells_where_it_was_searched(painted: Any, said: list[tuple[str, str]]) -> None:
    shown_of(painted, MaterialItem(0), said)
    texts = [text for _, text in said]
    assert "/models/Materials" in texts and "Diff.xml" in texts


def test_a_click_on_the_image_of_a_texture_shows_it_in_its_panel(
    painted: Any, said: list[tuple[str, str]]
) -> None:
    shown = shown_of(painted, TextureItem(1), said)
    assert shown["Size"] == "8 × 8" and shown["Levels"] == "2"
    painted.click(100, 100)
    assert painted.state.view.texture_view.number == 1
    assert painted.state.interface.front == "texture"


def test_a_missing_texture_tells_where_it_was_searched(painted: Any, said: list[tuple[str, str]]) -> None:
    shown_of(painted, TextureItem(1), said)
    assert {"/models/Textures", "/models"} <= {text for _, text in said}


def test_places_that_were_searched_can_be_told_apart_in_a_narrow_panel(
    painted: Any, said: list[tuple[str, str]]
) -> None:
    home = Path(painted.state.document.path).parent
    tail = "dungeons/textures/of/a/rather/deep/folder/with/a/picture/in/it/lost.blp"
    searched = tuple(str(each / tail) for each in (home, home.parent, home.parent.parent))
    model = painted.state.document.content
    painted.state.document.content = replace(model, textures=(Texture("lost.blp", None, searched),))
    shown_of(painted, TextureItem(0), said)
    lines = [text for name, text in said if name == "path"][-3:]
    assert all(line.endswith("lost.blp") and "…" in line for line in lines)
    assert [line[:4] for line in lines] == ["dung", "../d", "../."]


def test_the_middle_of_a_long_text_gives_way() -> None:
    assert [middled("abcdefghij", most) for most in (10, 7, 4, 0)] == [
        "abcdefghij",
        "abc…hij",
        "a…ij",
        "a…j",
    ]


def test_in_a_narrow_panel_values_stand_behind_the_names(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[float] = []
    starts: list[float] = []
    faint, copyable = page_widgets.faint, page_widgets._copyable

    def name(text: str) -> None:
        faint(text)
        ends.append(imgui.get_item_rect_max().x)

    def value(*more: Any, **named: Any) -> None:
        starts.append(imgui.get_cursor_screen_pos().x)
        copyable(*more, **named)

    monkeypatch.setattr(page_widgets, "faint", name)
    monkeypatch.setattr(page_widgets, "_copyable", value)

    def narrow(state: Any, ask: Any) -> None:
        imgui.begin_child("narrow", (150, 280))
        page_widgets.field("Unexplained", "36 B")
        imgui.end_child()

    post.show(narrow)
    assert len(ends) == len(starts) > 0
    assert all(start > end for start, end in zip(starts, ends, strict=True))


def lone(folder: Path) -> Path:
    """A model without its view, and without the keys of its fourth sequence."""
    path = folder / "Made.m2"
    path.write_bytes(m2_files.model(m2_files.WRATH, textures=[]))
    return path


def test_the_page_of_a_document_gives_its_missing_files(desk: Any, tmp_path: Path) -> None:
    desk.state.put(open_document(lone(tmp_path)))
    desk.show(PropertiesPanel())
    desk.move(100, 100)
    desk.host.input.wheel(0, -20)
    desk.frames(2)
    labels = drawn_labels(desk)
    assert any(".skin file Made00.skin is missing" in label for label in labels)
    desk.click(*labels["Choose a file…"])
    assert desk.posted == [GiveFile("Made00.skin")]


def test_the_page_of_a_document_offers_the_materials_of_scenes(desk: Any, tmp_path: Path) -> None:
    clay = CLAY.format("A", "B", "B", "C", "D")
    for name, data in {"Models/Post.mdl": model_bytes(), "Scenes/1.xml": clay.encode()}.items():
        (tmp_path / "Data" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "Data" / name).write_bytes(data)
    for name in "BCD":
        (tmp_path / f"Data/{name}.xml").write_text("<material/>")
    desk.state.put(open_document(tmp_path / "Data/Models/Post.mdl"))
    desk.show(PropertiesPanel())
    desk.move(100, 100)
    desk.host.input.wheel(0, -20)
    desk.frames(2)
    labels = drawn_labels(desk)
    rows = [label for label in labels if label.endswith(("use", "uses"))]
    assert rows == ["B.xml, 2 uses", "A.xml, 1 use", "C.xml, 1 use", "D.xml, 1 use"]
    desk.click(*labels["A.xml, 1 use"])
    assert desk.posted == [], "its file is missing"
    desk.click(*labels["C.xml, 1 use"])
    assert desk.posted == [GiveFile("Materials/Post.xml", None, str(tmp_path / "Data/C.xml"))]


def test_the_page_of_an_animation_gives_its_missing_keys(desk: Any, tmp_path: Path) -> None:
    desk.state.put(open_document(lone(tmp_path)))
    desk.state.view.selection.pick(AnimationItem(3))
    desk.show(PropertiesPanel())
    desk.move(100, 100)
    desk.host.input.wheel(0, -20)
    desk.frames(2)
    labels = drawn_labels(desk)
    assert "Made0060-00.anim" in labels
    desk.click(*labels["Choose a file…"])
    assert desk.posted == [GiveFile("Made0060-00.anim")]


@pytest.mark.parametrize(
    ("width", "text"),
    [(380, "2 warnings, 1 note in Problems"), (170, "2 warnings, 1 note"), (110, "2 warnings, …")],
)
def test_the_link_to_the_problems_fits(
    post: Any, monkeypatch: pytest.MonkeyPatch, width: float, text: str
) -> None:
    links: list[tuple[str, float, float]] = []
    drawn = imgui.text_link

    def link(text: str) -> bool:
        room = imgui.get_content_region_avail().x
        clicked = drawn(text)
        links.append((text, imgui.get_item_rect_size().x, room))
        return clicked

    monkeypatch.setattr(imgui, "text_link", link)
    report = post.state.document.report
    report.note("odd")
    report.warn("stray indices")
    panel = PropertiesPanel()

    def draw(state: Any, request: Any) -> None:
        if imgui.begin_child("narrow", ImVec2(width, 0)):
            panel(state, request)
        imgui.end_child()

    post.show(draw)
    shown, taken, room = links[-1]
    assert shown == text and taken <= room


def test_messages_are_a_link_to_the_problems(post: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    links: list[tuple[str, Any]] = []
    drawn = imgui.text_link

    def link(text: str) -> bool:
        clicked = drawn(text)
        links.append((text, imgui.get_item_rect_min()))
        return clicked

    monkeypatch.setattr(imgui, "text_link", link)
    report = post.state.document.report
    report.note("odd")
    report.warn("stray indices")
    post.show(PropertiesPanel())
    text, at = links[-1]
    assert text == "2 warnings, 1 note in Problems", "the model has a warning of its own"
    post.click(at.x + 5, at.y + 5)
    assert post.state.interface.front == "problems"
