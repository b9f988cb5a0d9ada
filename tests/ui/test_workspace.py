"""Docked panels: layouts, themes and sizes, the user's own arrangement, what lies over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from tests.desktop import Desktop
from tests.synthetic import model_bytes, write_pair
from viewer.actions import ACTIONS
from viewer.scene.choices import MissingTextures, Quality
from viewer.scene.items import ByteItem
from viewer.session import settings
from viewer.session.layouts import DIFFERENCES, FILES, LAYOUTS, PANELS
from viewer.session.preferences import Preferences
from viewer.ui.kit.docking import tab_of
from viewer.ui.kit.theme import GROUND, PALETTES
from viewer.ui.layout import Rect
from viewer.ui.menu import LINES
from viewer.ui.outline.row_texts import RowTexts

Open = Callable[..., Desktop]


@pytest.fixture
def opened(ctx: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens desktops with the little post in them."""
    made: list[Desktop] = []

    def open_one(*paths: Path, **more: Any) -> Desktop:
        made.append(Desktop(ctx, *(paths or (write_pair(tmp_path),)), **more))
        return made[-1]

    yield open_one
    for desktop in made:
        desktop.close()


def picture(desktop: Desktop) -> Rect:
    return desktop.app._workspace.picture(desktop.state, desktop.app.surface.points)


def run(desktop: Desktop, name: str) -> None:
    action = next(each for each in ACTIONS if each.name == name)
    assert action.enabled(desktop.state)
    action.run(desktop.state, desktop.app.post)
    desktop.frames(6)


@pytest.mark.parametrize("size", [(1280, 800), (700, 500), (400, 300), (320, 240)])
def test_every_layout_leaves_room_for_the_picture(opened: Open, size: tuple[int, int]) -> None:
    desktop = opened(size=size)
    for layout in LAYOUTS:
        run(desktop, f"layout_{layout.name}")
        rect = picture(desktop)
        assert rect.x >= 0 and rect.y > 0
        assert rect.x + rect.width <= size[0] and rect.y + rect.height <= size[1]
        assert rect.width >= size[0] * 0.28 and rect.height >= size[1] * 0.28


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_panel_in_both_themes_and_sizes(opened: Open, theme: str, scale: float) -> None:
    desktop = opened(size=(round(1280 * scale), round(800 * scale)), scale=scale)
    run(desktop, f"theme_{theme}")
    for panel in PANELS:
        desktop.state.interface.bring(panel.name)
        desktop.frames(3)
    assert desktop.pixels()[2, 2, :3] / 255 == pytest.approx(PALETTES[theme][GROUND], abs=0.01)


def test_only_a_floating_panel_fills_its_background(opened: Open) -> None:
    desktop = opened()
    desktop.frames(4)
    inner, empty = imgui.internal, int(imgui.WindowFlags_.no_background)
    assert inner.find_window_by_name("view").flags & empty
    assert inner.find_window_by_name("###properties").flags & empty
    window = inner.find_window_by_name("###properties")
    inner.dock_context_process_undock_window(imgui.get_current_context(), window)
    rect = picture(desktop)
    imgui.set_window_pos("###properties", ImVec2(rect.x + 20, rect.y + 60))
    imgui.set_window_size("###properties", ImVec2(200, 240))
    desktop.frames(3)
    window = inner.find_window_by_name("###properties")
    assert not window.flags & empty
    corner = desktop.pixels()[int(window.pos.y + window.size.y) - 3, int(window.pos.x) + 3, :3]
    assert corner / 255 == pytest.approx(PALETTES["dark"][GROUND], abs=0.01)


def test_a_dense_screen_has_the_same_parts_twice_as_large(opened: Open) -> None:
    once, twice = picture(opened()), picture(opened(size=(2560, 1600), scale=2.0))
    for one, two in zip(
        (once.x, once.y, once.width, once.height), (twice.x, twice.y, twice.width, twice.height), strict=True
    ):
        assert two == pytest.approx(2 * one, abs=8)


def test_text_is_sharp_on_a_dense_screen(opened: Open) -> None:
    """Letters drawn at twice the size have more steps than letters that were blown up."""
    large = opened(size=(2560, 1600), scale=2.0).pixels()[:40, :400, :3].astype(int).mean(axis=2)
    blown = large[::2, ::2].repeat(2, axis=0).repeat(2, axis=1)
    assert np.abs(large - blown).max() > 60


def test_hiding_all_panels_and_showing_them_again(opened: Open) -> None:
    desktop = opened()
    before = picture(desktop)
    desktop.press("Tab")
    desktop.frames(6)
    assert picture(desktop).width == 1280
    desktop.press("N")
    desktop.frames(6)
    assert picture(desktop) == before


def test_the_size_of_text_changes_by_key(opened: Open) -> None:
    desktop = opened()
    before = picture(desktop).y
    desktop.press("Ctrl+=")
    desktop.press("Ctrl+=")
    assert desktop.state.interface.preferences.scale == pytest.approx(1.21)
    assert picture(desktop).y > before
    desktop.press("Ctrl+0")
    assert picture(desktop).y == before


def test_an_arrangement_survives_a_restart(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    first = opened(settings=file)
    left = picture(first).x
    first.drag((left - 1, 200), (left + 99, 200))
    moved = picture(first)
    assert moved.x == pytest.approx(left + 100, abs=4)
    run(first, "panel_morphs")
    run(first, "panel_morphs")
    run(first, "theme_light")
    first.app._settings_sync.write(first.state)
    first.app._workspace.keep(first.app.host, first.state)
    first.app._settings_sync.write(first.state)
    second = opened(settings=file)
    assert picture(second) == moved
    assert second.state.interface.preferences.theme == "light"
    assert not second.state.interface.shows("morphs")


def test_the_entry_of_a_panel_shows_it_and_closes_it_only_in_front(opened: Open) -> None:
    desktop = opened()
    interface = desktop.state.interface
    seen = []
    for _ in range(4):
        desktop.press("Ctrl+P")
        desktop.type("panels morphs")
        desktop.press("Enter")
        desktop.frames(6)
        seen.append((interface.shows("morphs"), "morphs" in interface.covered))
    in_front, closed = (True, False), (False, False)
    assert seen == [in_front, closed, in_front, closed], "its tab was covered at first"


def test_reset_layout(opened: Open) -> None:
    desktop = opened()
    before = picture(desktop)
    desktop.drag((before.x - 1, 200), (before.x + 99, 200))
    run(desktop, "panel_chunks")
    run(desktop, "panel_chunks")
    assert not desktop.state.interface.shows("chunks")
    run(desktop, "reset_layout")
    assert picture(desktop) == before
    assert desktop.state.interface.shows("chunks")


def test_a_narrow_window_has_an_arrangement_of_its_own(opened: Open) -> None:
    desktop = opened()
    wide = picture(desktop)
    surface = desktop.app.surface
    surface.points = surface.pixels = (700, 500)
    desktop.frames(8)
    assert picture(desktop).x + picture(desktop).width == pytest.approx(700, abs=2)
    surface.points = surface.pixels = (1280, 800)
    desktop.frames(8)
    assert picture(desktop) == wide


@pytest.mark.parametrize(("size", "scale"), [((900, 600), 1.0), ((900, 600), 1.6), ((1600, 1000), 2.0)])
def test_inspect_bytes_shows_rows_of_bytes_in_windows_of_every_width(
    opened: Open, size: tuple[int, int], scale: float
) -> None:
    desktop = opened(size=size, scale=scale)
    inspect_bytes(desktop)
    chunks = next(each for each in imgui.get_current_context().windows if each.name.endswith("###chunks"))
    assert "chunks" not in desktop.state.interface.covered and not chunks.hidden
    assert chunks.size.x >= 30 * imgui.get_font_size() and chunks.size.y > 9 * imgui.get_font_size()


@pytest.mark.parametrize(("size", "scale"), [((1280, 800), 1.0), ((900, 600), 1.0), ((1600, 1200), 2.0)])
def test_the_outline_has_offsets_while_the_bytes_are_in_front(
    opened: Open, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], scale: float
) -> None:
    desktop = opened(size=size, scale=scale)
    offsets: list[str] = []
    get = RowTexts.get

    def noting(self: RowTexts, *given: Any) -> Any:
        offsets.append(given[-1])
        return get(self, *given)

    monkeypatch.setattr(RowTexts, "get", noting)
    desktop.frames()
    assert offsets and not any(offsets), "the timeline is in front"
    inspect_bytes(desktop)
    offsets.clear()
    desktop.frames()
    assert any(offsets)


def inspect_bytes(desktop: Desktop) -> None:
    desktop.press("Ctrl+P")
    desktop.type("inspect bytes")
    desktop.press("Enter")
    desktop.frames(12)


def test_an_arrangement_without_a_panel_of_today_is_built_anew(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    settings.write(file, Preferences(arrangements={"wide": "[Window][outline]\nPos=0,0\n"}))
    assert picture(opened(settings=file)) == picture(opened())


def test_broken_settings_are_a_message(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("{")
    desktop = opened(settings=file)
    assert any("broken" in message.text for message in desktop.state.messages)
    assert (tmp_path / "settings.json.broken").exists()


def test_the_choice_for_missing_textures_stays(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    first = opened(settings=file)
    next(each for each in ACTIONS if each.name == "missing_checker").run(first.state, first.app.post)
    first.frames(1)
    first.app._settings_sync.write(first.state)
    assert settings.read(file).missing is MissingTextures.CHECKER
    assert opened(settings=file).state.options.missing is MissingTextures.CHECKER


def test_the_choice_of_quality_stays(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    first = opened(settings=file)
    next(each for each in ACTIONS if each.name == "quality_full").run(first.state, first.app.post)
    first.frames(1)
    first.app._settings_sync.write(first.state)
    assert settings.read(file).quality is Quality.FULL
    assert opened(settings=file).state.options.quality is Quality.FULL


def test_grid_and_axes_stay_as_they_were_left(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    first = opened(settings=file)
    first.press("G")
    first.app._settings_sync.write(first.state)
    assert not settings.read(file).grid
    assert not opened(settings=file).state.options.grid


def test_a_tab_shows_a_document_and_its_cross_closes_it(opened: Open, tmp_path: Path) -> None:
    path = write_pair(tmp_path)
    (tmp_path / "Second.mdl").write_bytes(model_bytes())
    desktop = opened(path, tmp_path / "Second.mdl")
    assert len(desktop.state.documents.opened) == 2
    shown = desktop.state.documents.current
    for x in range(300, 700, 20):
        desktop.click(x, 10)
        if desktop.state.documents.current != shown:
            break
    assert desktop.state.documents.current != shown


def test_a_broken_file_has_a_band_that_leads_to_the_bytes(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "Cut.mdl").write_bytes(model_bytes()[:-200])
    desktop = opened(tmp_path / "Cut.mdl")
    error = desktop.state.document.report.errors[0]
    rect = picture(desktop)
    for x in range(round(rect.x + rect.width) - 320, round(rect.x + rect.width), 12):
        if desktop.state.view.selection.picked:
            break
        desktop.click(x, rect.y - 16)
    assert desktop.state.view.selection.picked == ByteItem(error.offset)
    assert desktop.state.interface.shows("chunks")


def test_a_whole_file_has_no_band(opened: Open) -> None:
    assert picture(opened()).y < 30


def test_a_change_is_undone_by_key(opened: Open) -> None:
    desktop = opened()
    desktop.press("W")
    assert desktop.state.options.wireframe
    desktop.rest()
    desktop.press("Ctrl+Z")
    assert not desktop.state.options.wireframe
    desktop.press("Ctrl+Shift+Z")
    assert desktop.state.options.wireframe


def test_opening_a_file_is_nothing_to_undo(opened: Open) -> None:
    assert not opened().state.view.history.past


def test_an_action_runs_from_its_menu_by_mouse(opened: Open) -> None:
    desktop = opened()
    grid = desktop.state.options.grid
    before = ("File", "Edit")
    space = (2 * len(before) + 1) * imgui.get_style().item_spacing.x
    x = 11 + sum(imgui.calc_text_size(title).x for title in before) + space
    desktop.click(x, 10)
    line = imgui.get_text_line_height_with_spacing()
    row = [action.title for action in ACTIONS if action.menu == ("View",)].index("Grid")
    below = next(n for n, action in enumerate(ACTIONS) if action.name == "grid")
    inside = {action.menu[1] for action in ACTIONS[:below] if action.menu[0] == "View" and action.menu[1:]}
    lines = sum(action.name in LINES for action in ACTIONS[: below + 1] if action.menu[0] == "View")
    gap = 1 + imgui.get_style().item_spacing.y
    desktop.click(x + 20, 21 + 8 + (row + len(inside)) * line + lines * gap)
    assert desktop.state.options.grid is not grid


def test_statistics_come_and_go(opened: Open) -> None:
    desktop = opened()
    before = desktop.pixels()
    run(desktop, "statistics")
    assert (desktop.pixels() != before).any()


def test_crowded_tabs_are_icons_and_tell_their_names(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    titles: dict[str, str] = {}
    begin = imgui.begin

    def note(title: str, *more: Any) -> Any:
        shown, _, name = title.partition("###")
        titles[name] = shown
        return begin(title, *more)

    monkeypatch.setattr(imgui, "begin", note)
    opened(size=(640, 400))
    assert len(titles["properties"]) == 1, "three tabs in the width of the outline"
    assert "Timeline" in titles["timeline"]
    opened()
    assert "Properties" in titles["properties"]


def test_two_windows_share_their_recent_files(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    first, second = opened(settings=file), opened(settings=file)
    first.state.interface.remember("/first.mdl")
    second.state.interface.remember("/second.mdl")
    first.app._settings_sync.write(first.state)
    second.app._settings_sync.write(second.state)
    for recent in (second.state.interface.preferences.recent, settings.read(file).recent):
        assert recent[0] == "/second.mdl" and "/first.mdl" in recent


def test_two_windows_share_their_recent_folders(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    first, second = opened(settings=file), opened(settings=file)
    first.state.interface.remember_folder("/first")
    second.state.interface.remember_folder("/second")
    first.app._settings_sync.write(first.state)
    second.app._settings_sync.write(second.state)
    for recent in (second.state.interface.preferences.recent_folders, settings.read(file).recent_folders):
        assert recent[0] == "/second" and "/first" in recent


def test_a_window_of_one_point_is_drawn_and_grows_again(ctx: Any, tmp_path: Path) -> None:
    desktop = Desktop(ctx, write_pair(tmp_path))
    surface = desktop.app.surface
    for size in ((1, 1), (1280, 800)):
        surface.points = surface.pixels = size
        desktop.frames(3)
    assert desktop.app._workspace.picture(desktop.state, surface.points).height > 300
    desktop.close()


@pytest.mark.parametrize(
    "panel", [each.name for each in PANELS if each.finds and each.name not in (FILES, DIFFERENCES)]
)
def test_ctrl_f_focuses_the_find_field_of_the_panel_in_front(opened: Open, panel: str) -> None:
    desktop = opened()
    desktop.state.say("something to read")
    desktop.state.interface.manual = "keys"
    desktop.state.interface.bring(panel)
    desktop.frames(8)
    window = imgui.internal.find_window_by_id(imgui.internal.im_hash_str(f"###{panel}"))
    imgui.internal.focus_window(window)
    desktop.frames(3)
    assert desktop.state.interface.focused == panel
    desktop.press("Ctrl+F")
    desktop.frames(6)
    assert imgui.get_io().want_text_input
    used = imgui.get_current_context().active_id_window
    assert f"###{panel}" in used.name
    desktop.type("w")
    assert not desktop.state.options.wireframe


def test_a_find_field_that_never_shows_is_forgotten(opened: Open) -> None:
    desktop = opened()
    desktop.state.interface.finding = "no such panel"
    desktop.frames(12)
    assert desktop.state.interface.finding == ""
    desktop.press("W")
    assert desktop.state.options.wireframe


def test_the_chunk_tree_keeps_its_position_when_tree_and_bytes_change_sides(opened: Open) -> None:
    desktop = opened(size=(1280, 520))
    desktop.state.interface.bring("chunks")
    desktop.state.view.selection.pick(ByteItem(len(desktop.state.document.data) - 1))
    desktop.frames(8)

    def position() -> tuple[str, float]:
        (tree,) = (
            each
            for each in imgui.get_current_context().windows
            if "###chunks/tree" in each.name and "/chunks_" in each.name
        )
        return tree.name, tree.scroll.y

    before = position()
    assert before[1] > 0
    desktop.state.interface.arrange("bytes")
    desktop.frames(12)
    assert position()[0] == before[0] and position()[1] > 0


def test_a_text_of_the_key_sheet_stays_in_its_column(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop = opened()
    desktop.state.interface.help = True
    desktop.frames(4)
    ends: dict[str, float] = {}
    plain = imgui.text_unformatted

    def noted(text: str) -> None:
        plain(text)
        ends.setdefault(text, imgui.get_item_rect_max().x)

    monkeypatch.setattr(imgui, "text_unformatted", noted)
    desktop.frames(1)
    longest = next(text for text in ends if text.startswith("Close the topmost"))
    column = imgui.get_io().display_size.x * 0.94 / 3
    assert ends[longest] < imgui.get_io().display_size.x * 0.03 + column + 10


def test_a_message_is_shown_over_the_wall(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    desktop = opened()
    desktop.state.files.wall = True
    desktop.frames(2)
    drawn: list[str] = []
    monkeypatch.setattr(
        "viewer.ui.view.view_panel._notice", lambda low, high, text, *more: drawn.append(text)
    )
    desktop.state.say("Saved 2 pictures")
    desktop.frames(2)
    assert drawn[:1] == ["Saved 2 pictures"]


def test_the_order_of_tabs_survives_starts_without_clips(ctx: Any, tmp_path: Path) -> None:
    still = tmp_path / "still" / "Still.mdl"
    still.parent.mkdir()
    still.write_bytes(model_bytes())
    for path in (write_pair(tmp_path), still, tmp_path / "Post.mdl"):
        desktop = Desktop(ctx, path, settings=tmp_path / "settings.json")
        desktop.frames(10)
        names = ("timeline", "curves", "motion", "chunks", "problems")
        orders = [tab.order if (tab := tab_of(f"###{name}")) else -1 for name in names]
        desktop.close()
    assert orders == [0, 1, 2, 3, 4]
