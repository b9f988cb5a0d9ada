"""The panel Manual: F1, pages, links, search, pictures, and "show me"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui, rich_md

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import write_pair
from viewer.actions.help import OVERLAY_PAGES, page_in_front
from viewer.errors import FormatError, ResourceError
from viewer.session import manual
from viewer.session.layouts import MANUAL, PANELS
from viewer.session.state import State
from viewer.ui.dialogs.palette import ranked
from viewer.ui.manual import manual_panel
from viewer.ui.manual.manual_panel import ManualPanel, page_text
from viewer.ui.manual.pictures import PagePictures
from viewer.ui.manual.show_me import show


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """The window with the post."""
    made = Desktop(ctx, write_pair(tmp_path))
    yield made
    made.close()


def panel_of(desktop: Desktop) -> ManualPanel:
    panel = desktop.app._workspace.panel(MANUAL)
    assert isinstance(panel, ManualPanel)
    return panel


def scroll_of(desktop: Desktop) -> float | None:
    panel = panel_of(desktop)
    return panel._visits[panel._at].scroll


def test_the_page_of_keys_shows_the_changed_keys() -> None:
    assert "| Wireframe | `W` |" in page_text("keys")
    changed = page_text("keys", (("wireframe", ("Shift+W", "F9")), ("quit", ())))
    assert "| Wireframe | `Shift+W`, `F9` |" in changed and "| Quit |  |" in changed
    assert "| Grid | `G` |" in changed


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_every_panel_has_a_page(panel: Any) -> None:
    assert manual.at(panel.page)


def test_the_page_is_that_of_the_panel_in_front() -> None:
    state = State()
    assert page_in_front(state) == "start#the-first-minute", "nothing is open"
    state.interface.focused = "problems"
    assert page_in_front(state) == "check#in-the-window"
    state.interface.manual, state.interface.focused = "export", MANUAL
    assert page_in_front(state) == "export"
    for window, page in OVERLAY_PAGES.items():
        state.interface.focused = window
        assert page_in_front(state) == page and manual.at(page)
    state.interface.help = True
    assert page_in_front(state) == "keys"


def test_f1_opens_the_page_of_the_focused_panel(desktop: Desktop) -> None:
    assert "Search the manual" not in drawn_labels(desktop)
    desktop.state.interface.bring("chunks")
    desktop.frames(4)
    imgui.set_window_focus("###chunks")
    desktop.frames(2)
    desktop.press("F1")
    desktop.frames(6)
    assert desktop.state.interface.manual == "bytes#in-the-window"
    assert scroll_of(desktop)


def test_the_heading_of_a_new_page_with_pictures_is_at_the_top(desktop: Desktop) -> None:
    desktop.state.interface.read("window#the-manual")
    desktop.frames(12)
    tops = {each.slug: each.y for each in rich_md.last_render_headings()}
    assert scroll_of(desktop) == pytest.approx(tops["the-manual"], abs=1)


def test_f1_without_a_file(ctx: Any) -> None:
    desktop = Desktop(ctx)
    desktop.press("F1")
    desktop.frames(6)
    assert desktop.state.interface.manual == "start#the-first-minute"
    assert rich_md.last_render_headings()[0].text == "Start"
    desktop.press("Ctrl+F")
    desktop.frames(6)
    desktop.type("ribbon")
    assert panel_of(desktop)._search.text == "ribbon", "Ctrl+F searches the manual"
    desktop.close()


def test_the_keys_close_for_their_page(desktop: Desktop) -> None:
    desktop.press("?")
    assert desktop.state.interface.help
    desktop.press("F1")
    assert desktop.state.interface.manual == "keys" and not desktop.state.interface.help


@pytest.mark.parametrize("page", manual.pages(), ids=lambda page: page.name)
def test_every_page_is_drawn_with_its_headings(desk: Any, page: manual.Page) -> None:
    desk.state.interface.manual = page.name
    desk.show(ManualPanel())
    desk.frames(2)
    drawn = [each.slug for each in rich_md.last_render_headings()]
    assert drawn == [each.anchor for each in page.sections]


def test_links_back_and_forward(desk: Any) -> None:
    desk.state.interface.manual = "start"
    panel = ManualPanel()
    desk.show(panel)
    panel._click("materials.md#give-a-texture")
    desk.frames(5)
    assert desk.state.interface.manual == "materials#give-a-texture"
    assert panel._visits[-1].scroll
    panel._click("#where-files-are-searched")
    desk.frames(5)
    assert desk.state.interface.manual == "materials#where-files-are-searched"
    labels = drawn_buttons(desk)
    desk.click(*labels[manual_panel.BACK])
    desk.frames(3)
    assert desk.state.interface.manual == "materials#give-a-texture"
    desk.click(*labels[manual_panel.FORWARD])
    desk.frames(3)
    assert desk.state.interface.manual == "materials#where-files-are-searched"


def drawn_buttons(desk: Any) -> dict[str, tuple[float, float]]:
    """The buttons of a frame by their labels."""
    found: dict[str, tuple[float, float]] = {}
    draw = imgui.button

    def note(text: str, *more: Any) -> bool:
        clicked = draw(text, *more)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        found[text] = (low.x + high.x) / 2, (low.y + high.y) / 2
        return clicked

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imgui, "button", note)
        desk.frames(1)
    return found


def test_a_link_of_the_web_opens_the_browser(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(manual_panel.webbrowser, "open", opened.append)
    desk.state.interface.manual = "start"
    panel = ManualPanel()
    desk.show(panel)
    panel._click("https://example.org/#x")
    desk.frames(2)
    assert opened == ["https://example.org/#x"] and desk.state.interface.manual == "start"


def test_a_search_lists_sections_and_enter_opens_one(desk: Any) -> None:
    desk.state.interface.manual = "start"
    desk.state.interface.finding = MANUAL
    desk.show(ManualPanel())
    desk.host.input.text("give a texture")
    desk.frames(4)
    assert "Give a texture" in drawn_labels(desk)
    desk.key("ENTER")
    desk.frames(4)
    assert desk.state.interface.manual == "materials#give-a-texture"
    assert "Give a texture" not in drawn_labels(desk)


def test_a_search_without_a_result(desk: Any) -> None:
    desk.state.interface.manual, desk.state.interface.finding = "start", MANUAL
    desk.show(ManualPanel())
    desk.host.input.text("xyzzy")
    desk.frames(4)
    assert "No page has these words." in drawn_labels(desk)


def test_a_broken_installation_is_one_line(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ResourceError("the manual's page keys is missing: install rigscope again")

    monkeypatch.setattr(manual, "pages", missing)
    desk.state.interface.manual = "keys"
    desk.show(ManualPanel())
    assert list(drawn_labels(desk)) == ["the manual's page keys is missing: install rigscope again"]


def test_an_unknown_page_is_one_line(desk: Any) -> None:
    desk.state.interface.manual = "kyes"
    desk.show(ManualPanel())
    assert any(label.startswith("no page 'kyes'; near: keys") for label in drawn_labels(desk))


def test_a_picture_fits_the_panel(desk: Any) -> None:
    pictures = PagePictures()
    seen: list[Any] = []
    desk.show(lambda state, post: seen.append(pictures.get("pictures/window.png")))
    desk.frames(2)
    shown = seen[-1]
    assert seen[0] is None, "it is uploaded with the first frame"
    assert shown.size.x == 400 and shown.size.y == pytest.approx(250, abs=2)
    seen.clear()
    desk.show(lambda state, post: seen.append(pictures.get("pictures/nothing.png")))
    assert seen == [None, None]
    with pytest.raises(FormatError):
        manual.picture("pictures/nothing.png", 8)


def test_a_picture_of_a_wider_panel_replaces_its_texture(desk: Any) -> None:
    pictures, width, seen = PagePictures(), [100.0], list[Any]()

    def draw(state: object, post: object) -> None:
        """Get the picture in a part of the panel."""
        if imgui.begin_child("part", imgui.ImVec2(width[0], 0)):
            seen.append(pictures.get("pictures/window.png"))
        imgui.end_child()
        pictures.end_page()

    desk.show(draw)
    desk.frames(3)
    before = len(imgui.get_platform_io().textures)
    assert seen[-1].size.x == 100
    width[0] = 400.0
    desk.frames(4)
    assert seen[-1].size.x == 400
    assert len(imgui.get_platform_io().textures) == before, "ImGui would write into the memory of the old one"


def test_textures_of_a_page_are_deleted_with_the_next_page(desk: Any) -> None:
    pictures, name, seen = PagePictures(), ["window"], list[Any]()

    def draw(state: object, post: object) -> None:
        """Get the one picture of a page."""
        seen.append(pictures.get(f"pictures/{name[0]}.png"))
        pictures.end_page()

    desk.show(draw)
    desk.frames(3)
    before = [(each.width, each.height) for each in imgui.get_platform_io().textures]
    name[0] = "shadings"
    desk.frames(4)
    after = [(each.width, each.height) for each in imgui.get_platform_io().textures]
    assert len(before) == len(after) and before != after
    assert seen[-1] is not None
    name[0] = "window"
    desk.frames(4)
    assert seen[-1].size.x == 400, "a deleted picture is read again"


def test_the_pixels_of_an_uploaded_picture_are_freed(desk: Any) -> None:
    pictures = PagePictures()
    desk.show(lambda state, post: pictures.get("pictures/window.png"))
    desk.frames(3)
    (stored,) = pictures._stored.values()
    assert stored.texture is not None and stored.texture.get_tex_id()
    with pytest.raises(RuntimeError, match="no pixels"):
        stored.texture.get_pixels_array()


def test_show_me_opens_the_menu_at_the_entry(desktop: Desktop) -> None:
    show(desktop.state, "show:View/Camera/Parallel projection")
    desktop.frames(3)
    labels = drawn_labels(desktop)
    assert {"Parallel projection", "Camera"} <= set(labels)
    desktop.click(*labels["Parallel projection"])
    desktop.frames(3)
    assert desktop.state.interface.pointed == ()
    assert "Parallel projection" not in drawn_labels(desktop)


def test_a_click_on_a_key_opens_the_menu_with_its_action(desktop: Desktop) -> None:
    desktop.state.interface.read("window#open-files")
    desktop.frames(8)
    across, down = next(
        (x, y) for y in range(100, 300, 6) for x in range(985, 1260, 12) if is_link(desktop, x, y)
    )
    desktop.click(across, down)
    desktop.frames(4)
    assert desktop.state.interface.pointed == ("File", "Open…")
    assert "Open folder…" in drawn_labels(desktop), "the menu File is open"


def is_link(desktop: Desktop, x: float, y: float) -> bool:
    desktop.move(x, y)
    return bool(imgui.get_mouse_cursor() == imgui.MouseCursor_.hand)


def test_selected_text_is_copied_in_place_of_the_picture(desktop: Desktop) -> None:
    desktop.state.interface.read("window")
    desktop.frames(8)
    desktop.drag((983, 140), (1200, 168))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desktop.app, "post", lambda request: pytest.fail(f"{request} is posted"))
        desktop.press("Ctrl+C")
    assert "open files" in imgui.get_clipboard_text()


def test_show_me_ends_with_the_menu(desktop: Desktop) -> None:
    show(desktop.state, "show:File/Resource folders")
    desktop.frames(3)
    assert "Resource folders" in drawn_labels(desktop) and desktop.state.interface.pointed
    desktop.press("Escape")
    desktop.frames(2)
    assert desktop.state.interface.pointed == ()


def test_show_me_brings_a_panel_to_the_front(desktop: Desktop) -> None:
    desktop.state.interface.toggle("problems")
    show(desktop.state, "show:problems")
    desktop.frames(12)
    assert desktop.state.interface.front == "" and desktop.state.interface.pointed == ()
    assert desktop.app._workspace._pointed[0] == "problems"


def test_the_palette_finds_pages(desktop: Desktop) -> None:
    found = ranked("manual materials")[0]
    assert found.title == "Materials and missing files"
    found.run(desktop.state, desktop.app.post)
    assert desktop.state.interface.manual == "materials" and desktop.state.interface.shows(MANUAL)


def test_the_manual_closes_by_its_cross_and_opens_again(desktop: Desktop) -> None:
    interface = desktop.state.interface
    assert not interface.shows(MANUAL)
    interface.read("keys")
    assert interface.shows(MANUAL)
    interface.toggle(MANUAL)
    assert not interface.shows(MANUAL)
    interface.read("keys")
    assert interface.shows(MANUAL) and page_text("keys")
