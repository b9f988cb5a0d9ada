"""The Look panel, in the whole window."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import imgui
from msgspec.structs import force_setattr, replace

from tests.character_files import RACE, picture, write_character
from tests.creature_files import write_creature
from tests.desktop import Desktop
from tests.families.wow.looks.test_attachments import ATTACHMENTS, write_item
from viewer.arrays import Array
from viewer.scene.camera import Orbit
from viewer.scene.characters import CharacterLook, ItemEntry
from viewer.scene.display import DisplayOptions
from viewer.scene.items import GeometryItem, GeosetItem, TextureItem
from viewer.session.pending_files import SavedLooks
from viewer.session.requests import Browse, Drop, OpenLook, SaveLook
from viewer.ui.layout import closed_panels
from viewer.view.view_info import PanelPicture

DRAWN = ("button", "slider_int", "selectable", "begin_combo", "checkbox")
Places = dict[str, tuple[float, float]]


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A character, whose look is in front."""
    made = Desktop(ctx, write_character(tmp_path), size=(1280, 1500))
    made.rest()
    yield made
    made.close()


def places(desktop: Desktop) -> Places:
    """The middle of each widget of the panel by its label; widgets of one label are numbered."""
    found: Places = {}

    def noting(draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(label: str, *more: Any) -> Any:
            result = draw(label, *more)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            same = sum(1 for each in found if each.rpartition(" ")[0] == label)
            found[f"{label} {same}"] = (low.x + min(20, (high.x - low.x) / 2)), (low.y + high.y) / 2
            return result

        return drawn

    with pytest.MonkeyPatch.context() as patch:
        for name in DRAWN:
            patch.setattr(imgui, name, noting(getattr(imgui, name)))
        desktop.frames(1)
    return found


def look(desktop: Desktop) -> CharacterLook:
    """The look of the model when it has arrived."""
    desktop.settle()
    document = desktop.state.document
    assert document is not None and isinstance(document.worn, CharacterLook)
    assert document.worn == desktop.state.view.display
    return document.worn


def right(desktop: Desktop, number: int) -> tuple[float, float]:
    """The right arrow of a choice: 0 is the skin."""
    return places(desktop)[f"\uf054 {number}"]


def test_only_a_character_has_the_panel(desktop: Desktop, ctx: Any, tmp_path: Path) -> None:
    assert "looks" not in closed_panels(desktop.state)
    other = Desktop(ctx, write_creature(tmp_path / "other"))
    assert "looks" in closed_panels(other.state)
    other.close()


def test_an_arrow_chooses_the_next_skin_and_a_face_that_it_has(desktop: Desktop) -> None:
    before = look(desktop)
    assert (before.skin, before.face) == (0, 1)
    desktop.click(*right(desktop, 0))
    after = look(desktop)
    assert (after.skin, after.face) == (1, 0)
    assert desktop.state.model is not None
    assert Path(desktop.state.model.textures[0].path or "").name == "Skin1.blp"


def test_undo_takes_a_choice_back(desktop: Desktop) -> None:
    before = look(desktop)
    desktop.click(*right(desktop, 2))
    assert look(desktop).hair == 1
    desktop.rest()
    desktop.click(*right(desktop, 4))
    assert look(desktop).facial_hair == 1
    assert desktop.state.undo.undo()
    assert (look(desktop).hair, look(desktop).facial_hair) == (1, 0)
    assert desktop.state.undo.undo() and look(desktop) == before
    assert desktop.state.undo.redo() and look(desktop).hair == 1


def test_two_quick_changes_are_two_undo_steps_and_a_drag_is_one(desktop: Desktop) -> None:
    before = look(desktop)
    desktop.rest()
    hair, facial = right(desktop, 2), right(desktop, 4)
    desktop.click(*hair)
    desktop.click(*facial)
    assert (look(desktop).hair, look(desktop).facial_hair) == (1, 1)
    assert len(desktop.state.view.history.past) == 2
    assert desktop.state.undo.undo()
    assert (look(desktop).hair, look(desktop).facial_hair) == (1, 0)
    assert desktop.state.undo.undo() and look(desktop) == before
    desktop.rest()
    x, y = places(desktop)["##slider 0"]
    desktop.move(x, y)
    desktop.button(True)
    for step in range(40):
        desktop.move(x + 4 * step, y)
    desktop.button(False)
    look(desktop)
    assert len(desktop.state.view.history.past) == 1


def test_copies_are_those_of_the_sliders_although_the_model_is_not_dressed_yet(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    json_button, command = places(desktop)["Copy JSON 0"], places(desktop)["Copy command 0"]
    monkeypatch.setattr(desktop.app._files, "dress", lambda: None)
    desktop.click(*right(desktop, 2))
    desktop.click(*json_button)
    desktop.frames(2)
    assert json.loads(imgui.get_clipboard_text())["character"]["hair"] == 1
    desktop.click(*command)
    desktop.frames(2)
    assert "hair=1" in imgui.get_clipboard_text()


def test_the_shown_geosets_follow_the_look(desktop: Desktop) -> None:
    desktop.click(*right(desktop, 2))
    look(desktop)
    model, hidden = desktop.state.model, desktop.state.view.hidden
    assert model is not None
    shown = {each.geoset for number, each in enumerate(model.geometries) if number not in hidden}
    assert 3 in shown and 2 not in shown


def test_a_slider_chooses_by_position(desktop: Desktop) -> None:
    x, y = places(desktop)["##slider 0"]
    desktop.drag((x, y), (x + 400, y))
    assert look(desktop).skin == 3


def test_an_item_is_searched_and_worn(desktop: Desktop) -> None:
    desktop.click(*places(desktop)["##item 2"])
    desktop.frames(3)
    desktop.type("shirt")
    desktop.frames(3)
    row = next(name for name in places(desktop) if "(101)" in name)
    desktop.click(*places(desktop)[row])
    assert look(desktop).items == (("shirt", 101),)


def test_enter_wears_the_first_found_item(desktop: Desktop) -> None:
    desktop.click(*places(desktop)["##item 2"])
    desktop.frames(3)
    desktop.type("shirt")
    desktop.press("Enter")
    assert look(desktop).items == (("shirt", 101),)
    desktop.frames(2)
    assert not imgui.get_current_context().open_popup_stack.size()


def test_arrow_keys_choose_items_while_the_search_has_the_focus(desktop: Desktop) -> None:
    desktop.click(*places(desktop)["##item 2"])
    desktop.frames(3)
    desktop.press("Down")
    first = look(desktop).items
    desktop.press("Enter")
    desktop.frames(2)
    assert first and look(desktop).items == first
    assert not imgui.get_current_context().open_popup_stack.size()


def test_items_are_shown_as_they_come_and_frames_do_not_wait(
    desktop: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second item waits for `go`, as a search of its files in a large folder would."""
    character, go = desktop.state.document.character, threading.Event()

    def slow(slot: str, text: str) -> Iterator[ItemEntry]:
        yield ItemEntry(1, ("Fast",), True)
        assert go.wait(60)
        yield ItemEntry(2, ("Slow",), True)

    force_setattr(character, "find_items", slow)
    desktop.click(*places(desktop)["##item 2"])
    while not desktop.state.pending_files.items.entries:
        desktop.frames(1)
    shown = " ".join(places(desktop))
    assert "Fast (1)" in shown and "Slow (2)" not in shown
    go.set()
    desktop.settle()
    while not desktop.state.pending_files.items.done:
        desktop.frames(1)
    assert "Slow (2)" in " ".join(places(desktop))


def test_enter_waits_for_the_first_item(desktop: Desktop) -> None:
    character, go = desktop.state.document.character, threading.Event()

    def slow(slot: str, text: str) -> Iterator[ItemEntry]:
        assert go.wait(60)
        yield ItemEntry(101, ("Shirt",), True)

    force_setattr(character, "find_items", slow)
    desktop.click(*places(desktop)["##item 2"])
    desktop.frames(3)
    desktop.type("shirt")
    desktop.press("Enter")
    assert look(desktop).items == ()
    go.set()
    while not look(desktop).items:
        desktop.frames(1)
    assert look(desktop).items == (("shirt", 101),)


def test_enter_without_a_search_changes_nothing(desktop: Desktop) -> None:
    desktop.click(*places(desktop)["##item 2"])
    desktop.frames(3)
    desktop.press("Enter")
    desktop.frames(2)
    assert look(desktop).items == () and not imgui.get_current_context().open_popup_stack.size()


def test_a_drag_of_a_slider_is_one_step(desktop: Desktop) -> None:
    before = look(desktop)
    x, y = places(desktop)["##slider 0"]
    desktop.move(x, y)
    desktop.button(True)
    for across in (60, 140, 40, 200):
        desktop.move(x + across, y)
        desktop.frames(3)
    desktop.button(False)
    desktop.rest()
    assert look(desktop).skin != before.skin
    desktop.press("Ctrl+Z")
    assert look(desktop) == before
    assert not desktop.state.view.history.past


def test_a_click_on_an_item_closes_the_list(desktop: Desktop) -> None:
    desktop.click(*places(desktop)["##item 2"])
    desktop.frames(3)
    desktop.click(*places(desktop)[next(name for name in places(desktop) if "(101)" in name)])
    desktop.frames(3)
    assert look(desktop).items == (("shirt", 101),)
    assert not imgui.get_current_context().open_popup_stack.size()


def test_an_item_is_taken_off(desktop: Desktop) -> None:
    desktop.state.view.display = look(desktop).wearing("shirt", 101)
    assert look(desktop).items
    desktop.frames(2)
    desktop.click(*places(desktop)["\uf00d 0"])
    assert look(desktop).items == ()


def test_buttons_choose_looks(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.randrange", lambda most: 1)
    before = look(desktop)
    desktop.click(*places(desktop)["Random 0"])
    assert look(desktop) != before
    desktop.click(*places(desktop)["First look 0"])
    assert look(desktop) == before


def test_copies_are_the_look(desktop: Desktop) -> None:
    desktop.state.view.display = look(desktop).wearing("shirt", 101)
    look(desktop)
    desktop.frames(2)
    desktop.click(*places(desktop)["Copy command 0"])
    desktop.frames(2)
    assert imgui.get_clipboard_text().endswith(
        "-o look.png --character skin=0,face=1,hair=0,hair-color=1,facial-hair=0 --item shirt=101"
    )
    desktop.click(*places(desktop)["Copy JSON 0"])
    desktop.frames(2)
    assert json.loads(imgui.get_clipboard_text())["items"] == {"shirt": 101}


def choose(desktop: Desktop, **choices: object) -> None:
    """Choose other values of the look, and wait for the model that wears them."""
    desktop.state.view.display = replace(look(desktop), **choices)
    look(desktop)


def test_a_look_that_was_changed_is_drawn_like_one_that_was_opened(ctx: Any, game: Path) -> None:
    steps: list[dict[str, object]] = [
        {"skin": 1, "face": 0},
        {"items": (("head", 105),)},
        {"hair": 1, "skin": 0, "face": 1},
        {"items": (), "skin": 1, "face": 0, "facial_hair": 1},
    ]
    changed = drawn(ctx, game, *steps)
    fresh = drawn(ctx, game, {"skin": 1, "face": 0, "hair": 1, "facial_hair": 1})
    assert (changed == fresh).all() and changed.std() > 5
    assert (drawn(ctx, game) != fresh).any()


def drawn(ctx: Any, path: Path, *steps: dict[str, object]) -> Array:
    """The picture of the model after the `steps`, [height, width, 4] u8."""
    desktop = Desktop(ctx, path)
    for each in steps:
        choose(desktop, **each)
    desktop.state.view.camera = Orbit(distance=5.0)
    desktop.state.view.clock.seek(0.5)
    picture = desktop.app._viewport.draw(desktop.state, desktop.state.options, (200, 200)).read()
    desktop.close()
    return picture


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A character with a helmet whose model exists."""
    write_item(tmp_path, "Head/Helm_MaM")
    return write_character(tmp_path, attachments=ATTACHMENTS)


def buffers(desktop: Desktop) -> object:
    """The buffers of the model in view on the GPU."""
    return desktop.app._viewport._models[desktop.state.document].mesh.buffers


def test_another_choice_keeps_the_buffers_and_the_camera(ctx: Any, game: Path) -> None:
    desktop = Desktop(ctx, game)
    before, camera = buffers(desktop), desktop.state.view.camera
    choose(desktop, skin=1, face=0)
    assert buffers(desktop) is before and desktop.state.view.camera == camera
    choose(desktop, items=(("head", 105),))
    helmed = buffers(desktop)
    assert helmed is not before, "the helmet has buffers of its own"
    choose(desktop, skin=0, face=1)
    assert buffers(desktop) is helmed
    desktop.close()


def test_a_texture_of_the_user_is_drawn_in_another_look_too(ctx: Any, game: Path, tmp_path: Path) -> None:
    desktop = Desktop(ctx, game)
    desktop.state.view.textures[0] = str(picture(tmp_path / "mine.png", (1, 2, 3, 255)))
    desktop.frames(2)
    choose(desktop, skin=1, face=0)
    materials = desktop.app._viewport._models[desktop.state.document].mesh.materials
    mine = materials._images[0].levels[0][0, 0].tolist()
    assert mine == [1, 2, 3, 255]
    del desktop.state.view.textures[0]
    desktop.frames(2)
    assert materials._images[0].levels[0][0, 0].tolist() != mine
    desktop.close()


def test_a_character_is_checked_when_its_look_rests(
    ctx: Any, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.app.checking.LOOK_REST", 3600.0)
    desktop = Desktop(ctx, game)
    choose(desktop, skin=1, face=0)
    desktop.frames(20)
    assert desktop.state.view.checked is None and not desktop.app._tasks.busy
    monkeypatch.setattr("viewer.app.checking.LOOK_REST", 0.0)
    while desktop.state.view.checked is None:
        desktop.frames(1)
    desktop.close()


def test_a_layer_is_switched_off_and_on(desktop: Desktop) -> None:
    assert torso(desktop) == 4
    desktop.click(*places(desktop)["##on 0"])
    assert look(desktop).hidden and torso(desktop) == 200
    desktop.click(*places(desktop)["##on 0"])
    assert not look(desktop).hidden and torso(desktop) == 4


def test_a_copy_of_a_look_with_a_hidden_layer_names_what_it_leaves_out(desktop: Desktop) -> None:
    desktop.click(*places(desktop)["##on 0"])
    hidden = look(desktop).hidden
    desktop.click(*places(desktop)["Copy command 0"])
    assert "leaves out hidden layers" in desktop.state.messages[-1].text
    desktop.click(*places(desktop)["Copy JSON 0"])
    desktop.frames(2)
    assert json.loads(imgui.get_clipboard_text())["hidden"] == list(hidden)


def torso(desktop: Desktop) -> int:
    """The red value of the upper torso on the body texture."""
    model = desktop.state.model
    assert model is not None and model.textures[0].decode is not None
    return int(model.textures[0].decode().levels[0][8, 40, 0])


def test_a_click_on_a_layer_selects_the_texture_of_the_body(desktop: Desktop) -> None:
    desktop.click(*next(place for name, place in places(desktop).items() if name.startswith("TU  Torso")))
    assert desktop.state.view.selection.picked == TextureItem(0)


def shot(desktop: Desktop, options: DisplayOptions) -> Array:
    """A small picture with options; the State's own are those of the window."""
    return desktop.app._viewport.draw(desktop.state, options, (64, 64)).read().copy()


def test_a_layer_marks_its_region_on_the_texture_and_on_the_model(desktop: Desktop) -> None:
    state = desktop.state
    state.view.clock.pause()
    clean = replace(state.options)
    plain, saved = shot(desktop, state.options), shot(desktop, clean)
    desktop.click(*next(place for name, place in places(desktop).items() if name.startswith("skin  ")))
    assert state.view.texture_view.marked_region(state.view.selection.picked) == (0.0, 0.0, 1.0, 1.0)
    assert (shot(desktop, state.options) != plain).any()
    assert (shot(desktop, clean) == saved).all(), "a saved picture has no mark"
    state.view.selection.pick(TextureItem(1))
    assert (shot(desktop, state.options) == plain).all()


def test_the_properties_list_the_layers_too(desktop: Desktop) -> None:
    desktop.state.interface.bring("properties")
    desktop.frames(5)
    assert any(name.startswith("TU  Torso") for name in places(desktop))


def test_a_double_click_on_a_layer_opens_its_file(desktop: Desktop) -> None:
    place = next(place for name, place in places(desktop).items() if name.startswith("TU  Torso"))
    desktop.click(*place)
    desktop.click(*place)
    desktop.settle()
    assert [Path(each.path).name for each in desktop.state.documents.opened] == ["MadeMale.m2", "Torso.blp"]


def test_what_was_hidden_comes_back_but_never_two_variants_together(desktop: Desktop) -> None:
    view, model = desktop.state.view, desktop.state.model
    assert model is not None
    before = set(view.hidden)
    hair = next(n for n, each in enumerate(model.geometries) if each.geoset == 2 and n not in view.hidden)
    view.selection.pick(GeometryItem(hair))
    desktop.frames(2)
    desktop.press("H")
    assert view.hidden == before | {hair}
    desktop.press("Alt+H")
    assert view.hidden == before, "the other variants of the hair stay hidden"
    desktop.press("Shift+H")
    assert set(range(len(model.geometries))) - view.hidden == {hair}
    desktop.press("Alt+H")
    assert view.hidden == before


def test_a_chosen_variant_comes_back_after_it_was_hidden(desktop: Desktop) -> None:
    view, model = desktop.state.view, desktop.state.model
    assert model is not None
    view.show_variant(model, 3)
    chosen = set(view.hidden)
    view.selection.pick(GeosetItem(3))
    desktop.frames(2)
    desktop.press("H")
    desktop.press("Alt+H")
    assert view.hidden == chosen


def test_a_look_is_saved_opened_and_dropped(desktop: Desktop, tmp_path: Path) -> None:
    saved = tmp_path / "night elf.json"
    desktop.click(*right(desktop, 2))
    night = look(desktop)
    desktop.click(*places(desktop)["Save as… 0"])
    desktop.frames(4)
    browser = desktop.state.pending_files.browser
    assert browser is not None and browser.question.request == SaveLook()
    desktop.app.post(Browse(None))
    desktop.app.post(replace(browser.question, path=str(saved.with_suffix(""))))
    desktop.frames(4)
    assert saved.is_file() and desktop.state.interface.preferences.looks == f"{tmp_path}/night elf"
    desktop.click(*places(desktop)["First look 0"])
    assert look(desktop) != night
    desktop.app.post(OpenLook(str(saved)))
    desktop.settle()
    assert look(desktop) == night
    desktop.click(*places(desktop)["First look 0"])
    look(desktop)
    desktop.app.post(Drop((str(saved),)))
    desktop.settle()
    assert look(desktop) == night
    desktop.click(*places(desktop)["First look 0"])
    look(desktop)
    desktop.click(*places(desktop)["##looks 0"])
    desktop.rest()
    desktop.click(*places(desktop)[f"###{saved} 0"])
    desktop.settle()
    assert look(desktop) == night


def write_skin(path: Path, skin: int) -> None:
    """Write a look of the character's body, with one of its skins."""
    numbers = {"race": RACE, "sex": 0, "skin": skin, "face": 1 - skin, "hair_color": 1}
    path.write_text(json.dumps({"character": numbers}))


def opened_list(desktop: Desktop) -> SavedLooks:
    """Open the list of saved looks with the mouse, and wait until each look has a picture or a reason."""
    desktop.click(*places(desktop)["##looks 0"])
    end = time.monotonic() + 60
    while time.monotonic() < end:
        desktop.frames(2)
        looks = desktop.state.pending_files.looks
        assert looks is not None
        if looks.paths and all(map(looks.picture, looks.paths)):
            return looks
        time.sleep(0.05)
    raise AssertionError("the list has looks without a picture or a reason")


def test_saved_looks_are_listed_with_pictures(
    ctx: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is no look of the body has a reason in place of a picture, and costs the others nothing. A
    look that is saved again has another picture.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "looks"
    folder.mkdir()
    for number in range(2):
        write_skin(folder / f"{number}.json", number)
    (folder / "2 broken.json").write_text("{")
    (folder / "3 other.json").write_text('{"character": {"race": 77, "sex": 0}}')
    model = write_character(tmp_path / "made")
    desktop = Desktop(ctx, model, size=(1280, 1500), workers=1)

    def colors(looks: SavedLooks) -> list[tuple[int, ...]]:
        """The mean colour of the drawn pictures of both skins."""
        at = places(desktop)
        pixels = desktop.pixels()
        corners = [at[f"###{path} 0"] for path in looks.paths[:2]]
        around = [pixels[int(y) - 20 : int(y) + 20, int(x) : int(x) + 30] for x, y in corners]
        return [tuple(each[..., :3].reshape(-1, 3).mean(0).round().astype(int)) for each in around]

    try:
        desktop.rest()
        desktop.state.interface.preferences.looks = str(folder / "0")
        looks = opened_list(desktop)
        assert [Path(path).name for path in looks.paths] == [
            "0.json",
            "1.json",
            "2 broken.json",
            "3 other.json",
        ]
        pictures = [looks.picture(path) for path in looks.paths]
        assert [isinstance(each, PanelPicture) for each in pictures] == [True, True, False, False]
        assert "is no look of a character" in str(pictures[2]) and "race 77" in str(pictures[3])
        before = colors(looks)
        assert before[0] != before[1]
        desktop.press("Escape")
        assert desktop.state.pending_files.looks is None
        write_skin(folder / "0.json", 1)
        assert colors(opened_list(desktop)) == [before[1], before[1]]
    finally:
        desktop.close()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "is no look"),
        ('{"character": {"race": 77, "sex": 0}}', "is a look of another body"),
        ("\0", "is no look"),
    ],
)
def test_a_file_that_is_no_look_changes_nothing(
    desktop: Desktop, tmp_path: Path, text: str, why: str
) -> None:
    before = look(desktop)
    (tmp_path / "bad.json").write_text(text)
    desktop.app.post(OpenLook(str(tmp_path / "bad.json")))
    desktop.settle()
    desktop.rest()
    assert look(desktop) == before
    assert any(why in each.text and "bad.json" in each.text for each in desktop.state.messages)
