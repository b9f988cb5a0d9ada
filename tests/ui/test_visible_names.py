"""Names of files and of their parts are data: the window writes their marks out, wherever it shows them.

Names with terminal escapes, line ends and marks that change the direction of writing are drawn by every
panel, page, menu and tooltip, and every text that reaches Dear ImGui is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from tests.desktop import Desktop
from tests.shader_files import parameter, shader_bytes, unit
from tests.synthetic import animation_bytes, bone, model_bytes, model_record, track
from viewer.errors import MISSING_TEXTURE, FormatError
from viewer.scene.animation import Event
from viewer.scene.camera import Camera
from viewer.scene.items import (
    AnimationItem,
    AttachmentItem,
    BoneItem,
    ByteItem,
    CameraItem,
    EventItem,
    GeometryItem,
    Item,
    LightItem,
    LodItem,
    MaterialItem,
    MorphItem,
    TextureItem,
    VertexItem,
)
from viewer.scene.material import Material, Texture
from viewer.scene.model import Attachment, EventPoint, Light
from viewer.session.folder_listing import FolderEntry, FolderListing
from viewer.session.layouts import PANELS
from viewer.session.pending_files import FileProgress, MatchingModel
from viewer.storage.documents import open_document
from viewer.ui.compiled.shader_page import ShaderPage
from viewer.ui.dialogs.file_browser import file_browser
from viewer.ui.dialogs.palette import CommandPalette
from viewer.ui.kit.texts import ICON, label_text, visible, visible_lines
from viewer.ui.layout import Rect
from viewer.ui.menu import MenuBar
from viewer.ui.view.loading_overlay import arriving
from viewer.ui.view.view_panel import ViewPanel

MARKS = "\x1b[2J\u202eseman\nSECOND LINE"
"""What every name ends with: a terminal escape, a reversal of the direction, a line end."""
TEXTS = {
    **dict.fromkeys(("text_unformatted", "text_disabled", "text", "text_wrapped", "set_tooltip"), (0,)),
    **dict.fromkeys(
        ("selectable", "button", "small_button", "checkbox", "tree_node_ex", "collapsing_header"), (0,)
    ),
    **dict.fromkeys(
        ("menu_item_simple", "begin_menu", "begin_tab_item", "separator_text", "radio_button"), (0,)
    ),
    **dict.fromkeys(("begin_combo", "input_text", "input_text_with_hint"), (0, 1)),
    **dict.fromkeys(
        ("slider_float", "drag_float", "progress_bar", "begin", "table_setup_column"), (0, 1, 2, 4)
    ),
}
"""The functions that draw texts, and the positions of the texts among their arguments."""


def readable(text: str) -> bool:
    """Whether a text has no marks but icons, and no line that a name has begun; `##` ends the drawn text."""
    shown = ICON.sub("", text.partition("##")[0])
    return all(line.isprintable() for line in shown.split("\n")) and "\nSECOND" not in shown


class Ink:
    """A draw list that listens to its texts."""

    def __init__(self, draw: Any, note: Callable[[str], None]) -> None:
        self._draw, self._note = draw, note

    def __getattr__(self, name: str) -> Any:
        return self._text if name == "add_text" else getattr(self._draw, name)

    def _text(self, *arguments: Any) -> None:
        for each in arguments:
            if isinstance(each, str):
                self._note(each)
        self._draw.add_text(*arguments)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All texts that are drawn from now on. Everything counts as hovered, so that all tooltips show."""
    found: list[str] = []

    def listening(function: Callable[..., Any], places: tuple[int, ...]) -> Callable[..., Any]:
        def draw(*arguments: Any, **named: Any) -> Any:
            for place in places:
                if place < len(arguments) and isinstance(arguments[place], str):
                    found.append(arguments[place])
            return function(*arguments, **named)

        return draw

    for name, places in TEXTS.items():
        if hasattr(imgui, name):
            monkeypatch.setattr(imgui, name, listening(getattr(imgui, name), places))
    for name in ("get_window_draw_list", "get_foreground_draw_list", "get_background_draw_list"):
        plain = getattr(imgui, name)
        monkeypatch.setattr(imgui, name, lambda plain=plain: Ink(plain(), found.append))
    monkeypatch.setattr(imgui, "is_item_hovered", lambda flags=0: True)
    monkeypatch.setattr(imgui, "begin_tooltip", lambda: True)
    monkeypatch.setattr(imgui, "end_tooltip", lambda: None)
    return found


def write_hostile(folder: Path) -> Path:
    """A model whose parts and whose file have names with marks, and two animations of it."""
    record = model_record()
    record.morphs[0].name = "taller" + MARKS
    bones = [bone("base" + MARKS, 0, 0, 0), bone("tip" + MARKS, 0, 0.5, 0.5)]
    path = folder / f"Post{MARKS.replace('/', '')}.mdl"
    path.write_bytes(model_bytes(bones=bones, morphs=record.morphs))
    tracks = [
        track("tip" + MARKS, [0, 0.5, 1], position=[[0, 0.5, 0], [0, 0.6, 0], [0, 0.5, 0]]),
        track("wing" + MARKS, [0], scale=[[1, 1, 1]]),
    ]
    for name in ("Bend", "Wave"):
        beside = path.with_name(f"{path.stem}_{name}.ani")
        beside.write_bytes(animation_bytes(name + MARKS, 1.0, tracks))
    return path


def furnish(desktop: Desktop) -> None:
    """Give the model what only some families have, and messages."""
    state = desktop.state
    assert state.document is not None and state.model is not None
    point = (0.0, 0.0, 0.0)
    texture = Texture("gone" + MARKS, searched=("/searched" + MARKS,))
    named = Texture("skin" + MARKS, path="/there/skin" + MARKS, choices=("/there/other" + MARKS,), kind=11)
    state.document.content = replace(
        state.model,
        geometries=tuple(replace(each, name="body" + MARKS, material=0) for each in state.model.geometries),
        materials=(
            Material(
                "m" + MARKS,
                searched=("/m" + MARKS,),
                technique="t" + MARKS,
                units={"diffuse" + MARKS: 0, "normal": 1},
                parameters={"p" + MARKS: "v" + MARKS},
            ),
        ),
        textures=(texture, named),
        cameras=(Camera("portrait" + MARKS, (0.0, 0.0, 5.0), point, 45.0),),
        attachments=(Attachment(0, "Shield" + MARKS, 0, point),),
        events=(EventPoint("$HIT" + MARKS, 0, point),),
        lights=(Light("point", 0, point),),
    )
    clips = tuple(
        replace(
            each,
            events=(Event(0.25, "step" + MARKS),),
            tags=("alias of Walk" + MARKS,),
        )
        for each in state.document.animations
    )
    state.document.animations = clips
    report = state.document.report
    report.warn("texture gone" + MARKS + " is missing", MISSING_TEXTURE)
    report.note("odd" + MARKS)
    report.fail(FormatError("cut" + MARKS, "bones" + MARKS, 7))
    state.say("said" + MARKS, "error")
    state.interface.preferences.recent = ["/recent" + MARKS]
    state.interface.preferences.resources = ["/folder" + MARKS]
    state.playback.choose(clips[0])
    state.options.names = state.options.attachments = state.options.events = True


@pytest.fixture
def hostile(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    desktop = Desktop(ctx, write_hostile(tmp_path), size=(1600, 1000))
    furnish(desktop)
    yield desktop
    desktop.close()


def unreadable(drawn: list[str]) -> list[str]:
    return sorted({text for text in drawn if not readable(text)})


ITEMS: tuple[Item | None, ...] = (
    None,
    BoneItem(1),
    GeometryItem(0),
    LodItem(0, 1),
    VertexItem(0, 3),
    MaterialItem(0),
    TextureItem(0),
    TextureItem(1),
    MorphItem(0),
    AnimationItem(0),
    CameraItem(0),
    AttachmentItem(0),
    EventItem(0),
    LightItem(0),
    ByteItem(40),
)


def test_the_harness_sees_marks(desk: Any, drawn: list[str]) -> None:
    def draw(state: Any, post: Any) -> None:
        imgui.text_unformatted("a\x1b")
        imgui.selectable("b\u202e##c", False)
        imgui.get_window_draw_list().add_text(ImVec2(0, 0), 0xFFFFFFFF, "d\nSECOND LINE")
        imgui.text_unformatted("fine\ntwo lines")

    desk.show(draw)
    assert unreadable(drawn) == ["a\x1b", "b\u202e##c", "d\nSECOND LINE"]


def test_every_panel(hostile: Desktop, drawn: list[str]) -> None:
    for panel in PANELS:
        drawn.clear()
        hostile.state.interface.bring(panel.name)
        hostile.skip(4)
        assert len(drawn) > 50 and unreadable(drawn) == [], panel.name


def test_every_page_of_the_properties(hostile: Desktop, drawn: list[str]) -> None:
    hostile.state.interface.bring("properties")
    for item in ITEMS:
        drawn.clear()
        hostile.state.view.selection.pick(item)
        hostile.skip(3)
        assert unreadable(drawn) == [], item


def test_menus(desk: Any, hostile: Desktop, drawn: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imgui, "begin_menu", lambda title: drawn.append(title) is None)
    monkeypatch.setattr(imgui, "end_menu", lambda: None)
    monkeypatch.setattr(imgui, "menu_item_simple", lambda title, *more: drawn.append(title) is not None)
    desk.host.use()
    desk.state.documents.opened = hostile.state.documents.opened
    desk.state.interface.preferences = hostile.state.interface.preferences
    desk.draw = MenuBar()
    desk.frames(2)
    assert len(drawn) > 50 and unreadable(drawn) == []


def test_the_window_without_files(desk: Any, drawn: list[str]) -> None:
    desk.state.interface.preferences.recent = ["/recent/folder" + MARKS + "/file" + MARKS]
    desk.state.interface.palette = True
    desk.state.say("said" + MARKS)
    palette, view = CommandPalette(), ViewPanel()

    def draw(state: Any, post: Any) -> None:
        view(state, post)
        palette(state, post)

    desk.show(draw)
    assert any("seman" in text for text in drawn) and unreadable(drawn) == []


def test_the_dialog_for_files(desk: Any, drawn: list[str]) -> None:
    folder, names = "/there" + MARKS, ("a" + MARKS, "b##c")
    entries = tuple(FolderEntry(name, number == 1, 1) for number, name in enumerate(names))
    listing = FolderListing(folder, suffixes=("",), entries=entries, recent=(folder,))
    desk.state.pending_files.browser = listing
    desk.show(file_browser)
    assert any("b# #c" in text for text in drawn) and unreadable(drawn) == []


def test_files_on_their_way_and_models_of_an_animation(desk: Any, drawn: list[str], tmp_path: Path) -> None:
    path = tmp_path / "Lone.ani"
    path.write_bytes(animation_bytes("Bend" + MARKS))
    desk.state.put(open_document(path))
    model = MatchingModel("/there/model" + MARKS, 1, 2)
    desk.state.pending_files.companions = {str(path): (model,)}
    desk.show(lambda state, post: arriving(state, post, Rect(0, 0, 400, 300)))
    desk.state.pending_files.loading = (FileProgress("/there/late" + MARKS),)
    desk.frames(2)
    assert any("Bend" in text for text in drawn) and any("late" in text for text in drawn)
    assert unreadable(drawn) == []


def test_the_page_of_a_shader(desk: Any, drawn: list[str], tmp_path: Path) -> None:
    path = tmp_path / "Basic.vs3"
    path.write_bytes(
        shader_bytes(parameters=[parameter("ViewProj" + MARKS, 4, 4)], units=[unit("U" + MARKS, 0)])
    )
    desk.state.put(open_document(path))
    page = ShaderPage()
    desk.show(page)
    desk.frames(2)
    assert any("seman" in text for text in drawn) and unreadable(drawn) == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain", "plain"),
        ("a##b", "a# #b"),
        ("a###b", "a# # #b"),
        ("a\x1b", "a\\x1b"),
        ("\uf1b2 a\n", "\uf1b2 a\\n"),
    ],
)
def test_a_label_has_the_whole_name(name: str, shown: str) -> None:
    assert label_text(name) == shown


def test_lines_stay_lines_only_where_they_are_meant() -> None:
    assert visible_lines("a\x1b\nb") == "a\\x1b\nb"
    assert visible("a\nb") == "a\\nb"
