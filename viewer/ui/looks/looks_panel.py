"""The Look panel: sliders for the choices of a character, its items, and the layers of its body texture."""

from __future__ import annotations

import os

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from viewer.actions import ACTIONS_BY_NAME
from viewer.actions.looks import character_of, choose_look, look_of
from viewer.errors import printable
from viewer.scene.characters import AttachedModel, Character, CharacterLook, ItemEntry, WornFile
from viewer.scene.items import TextureItem
from viewer.scene.names import file_name
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.pending_files import ItemSearch, SavedLooks
from viewer.session.requests import Open, OpenLook, Post
from viewer.session.state import State
from viewer.ui.kit.dialogs import ENTER
from viewer.ui.kit.texts import fitted, label_text
from viewer.ui.kit.theme import ACCENT, FAINT, TEXT, WARNING, color32
from viewer.ui.kit.widgets import (
    button_width,
    clipped,
    colored,
    faint,
    filter_box,
    found_line,
    hint,
    mono,
    nothing,
    same_line_if_fits,
    walked,
)
from viewer.ui.properties.page_widgets import section
from viewer.view.view_info import PanelPicture, Preview

NAMES = 0.34
"""The share of the panel's width for the names of choices and slots."""
ROWS = 10
"""The largest number of items that are visible at once."""
LIST_WIDTH, FAR = 26, 1e6
"""The least width of a list of items in font sizes, and a limit of width and height that no list reaches."""
LEFT, RIGHT, EMPTY = "\uf053", "\uf054", "\uf00d"
BROKEN, PERSON = "\uf071", "\uf007"
PICTURE, SEEN = 4, 8
"""The side of a saved look's picture in font sizes, and the largest number of looks that are visible at
once.
"""
BUTTONS = (
    ("random_look", "Random"),
    ("first_look", "First look"),
    ("save_look", "Save as…"),
    ("open_look", "Open…"),
    ("copy_look_command", "Copy command"),
    ("copy_look_json", "Copy JSON"),
)
REGION_NAMES = {
    "AU": "upper arms",
    "AL": "lower arms",
    "HA": "hands",
    "FU": "upper face",
    "FL": "lower face",
    "TU": "upper torso",
    "TL": "lower torso",
    "LU": "upper legs",
    "LL": "lower legs",
    "FO": "feet",
}
"""The names of the regions of the body texture."""
CHILDREN = imgui.FocusedFlags_.root_and_child_windows
BODY = 1
"""The texture type of the body."""


class LooksPanel:
    """The choices, items and layers of the character in view. A change dresses the model a few frames
    later.
    """

    def __init__(self) -> None:
        self._filter, self._slot, self._entered = EVERYTHING, "", False

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        character = character_of(state)
        if character is None:
            nothing("The model is no character of a game.")
            return
        look = look_of(state, character)
        colored(label_text(character.title), ACCENT)
        _buttons(state, post)
        _saved_looks(state, post)
        for key in look.keys:
            _choice(state, character, look, key)
        with section("Items") as shown:
            for slot in look.slots if shown else ():
                self._item(state, character, look, slot)
        with section("Layers") as shown:
            if shown:
                draw_layers(state, post, character, look)

    def _item(self, state: State, character: Character, look: CharacterLook, slot: str) -> None:
        """Draw a slot: the worn item, and a list of items to choose from."""
        id = look.item(slot)
        imgui.push_id(slot)
        _label(slot.replace("-", " "))
        room, button = imgui.get_content_region_avail().x, imgui.get_frame_height()
        style = imgui.get_style().item_spacing.x
        width = max(room - (button + style if id else 0.0), 20.0)
        imgui.set_next_item_width(width)
        title = label_text(character.titles.get(slot, str(id))) if id else "none"
        shown = fitted(title, width - button - 2 * imgui.get_style().frame_padding.x)
        least = LIST_WIDTH * imgui.get_font_size()
        imgui.set_next_window_size_constraints(ImVec2(least, 0.0), ImVec2(FAR, FAR))
        opened = imgui.begin_combo("##item", shown, imgui.ComboFlags_.height_largest)
        if opened:
            self._items(state, character, look, slot)
            imgui.end_combo()
        elif self._slot == slot:
            self._slot, state.pending_files.items = "", None
        if not opened and shown != title:
            hint(title)
        if id:
            imgui.same_line()
            if imgui.button(EMPTY, ImVec2(button, button)):
                choose_look(state, look.wearing(slot, 0))
            hint("Take off")
        imgui.pop_id()

    def _items(self, state: State, character: Character, look: CharacterLook, slot: str) -> None:
        """Draw the search and the items that fit a slot.

        Arrow keys choose the next item, also while the search has the focus. Enter closes the list; if the
        search does not find the worn item, Enter first chooses the first found item.
        """
        focus = self._slot != slot
        if focus:
            self._filter, self._slot, self._entered = EVERYTHING, slot, False
        self._filter = filter_box("search", self._filter, focus, tip="Id, model or texture")
        search = state.pending_files.items
        if search is None or (search.slot, search.text) != (slot, self._filter.text):
            search = state.pending_files.items = ItemSearch(character, slot, self._filter.text)
        found = [*search.entries]
        now = next((n for n, each in enumerate(found) if each.id == look.item(slot)), None)
        target = walked(-1 if now is None else now, len(found), ROWS - 1)
        self._entered |= imgui.is_window_focused(CHILDREN) and any(
            imgui.is_key_pressed(key, False) for key in ENTER
        )
        if self._entered and (found or search.done):
            target = 0 if now is None and found and self._filter else None
            imgui.close_current_popup()
        if target is not None:
            choose_look(state, look.wearing(slot, found[target].id))
        height = imgui.get_text_line_height_with_spacing()
        size = ImVec2(0, height * min(max(len(found), 1), ROWS) + imgui.get_style().item_spacing.y)
        if imgui.begin_child("items", size):
            if target is not None:
                imgui.set_scroll_y(height * max(target - ROWS // 2, 0))
            for number in clipped(len(found), height):
                _row(state, look, slot, found[number], self._filter)
            if not found:
                faint("No item of the tables fits" if search.done else "Reading …")
        imgui.end_child()


def _row(state: State, look: CharacterLook, slot: str, entry: ItemEntry, wanted: TextFilter) -> None:
    """Draw an item of a list; a click chooses it. Items without files are faint."""
    if not entry.complete:
        imgui.push_style_color(imgui.Col_.text, imgui.get_style_color_vec4(imgui.Col_.text_disabled))
    title = fitted(label_text(entry.title), imgui.get_content_region_avail().x)
    if found_line(title, str(entry.id), look.item(slot) == entry.id, wanted):
        choose_look(state, look.wearing(slot, entry.id))
        imgui.close_current_popup()
    if not entry.complete:
        imgui.pop_style_color()
    hint(
        lambda: "\n".join(
            map(printable, (*entry.names, *([] if entry.complete else ["None of its files exists"])))
        )
    )


def _buttons(state: State, post: Post) -> None:
    """Draw the buttons of the actions, as many in a line as fit."""
    for number, (name, label) in enumerate(BUTTONS):
        if number:
            same_line_if_fits(button_width(label))
        if imgui.button(label):
            ACTIONS_BY_NAME[name].run(state, post)
        hint(ACTIONS_BY_NAME[name].title)


def _saved_looks(state: State, post: Post) -> None:
    """Draw the list of saved looks. A click lets the character wear a look."""
    pending = state.pending_files
    if not state.interface.preferences.looks:
        return
    imgui.set_next_item_width(-1)
    if not imgui.begin_combo("##looks", "Saved looks", imgui.ComboFlags_.height_largest):
        pending.looks = None
        return
    if pending.looks is None:
        pending.looks = SavedLooks()
    looks, side = pending.looks, PICTURE * imgui.get_font_size()
    looks.side = side * imgui.get_io().display_framebuffer_scale.x
    step, visible = side + imgui.get_style().item_spacing.y, list[str]()
    if imgui.begin_child("looks", ImVec2(0, step * min(max(len(looks.paths), 1), SEEN))):
        for number in clipped(len(looks.paths), step):
            visible.append(looks.paths[number])
            _saved_look(looks.picture(visible[-1]), visible[-1], side, post)
        looks.visible = tuple(visible)
    imgui.end_child()
    imgui.end_combo()


def _saved_look(picture: Preview, path: str, side: float, post: Post) -> None:
    """Draw the picture and the name of a saved look; a click opens the look. A look without a picture has an
    icon, and the reason in its tooltip.
    """
    low, draw = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    right = low.x + imgui.get_content_region_avail().x
    if imgui.selectable(f"###{path}", False, 0, ImVec2(0, side))[0]:
        post(OpenLook(path))
        imgui.close_current_popup()
    hint("\n".join(filter(None, (printable(path), picture if isinstance(picture, str) else ""))))
    line = imgui.get_text_line_height()
    middle = low.y + (side - line) / 2
    if isinstance(picture, PanelPicture):
        draw.add_image(imgui.ImTextureRef(picture.glo), low, ImVec2(low.x + side, low.y + side))
    else:
        icon, color = (BROKEN, WARNING) if picture else (PERSON, FAINT)
        wide = imgui.calc_text_size(icon).x
        draw.add_text(ImVec2(low.x + (side - wide) / 2, middle), color32(color), icon)
    name = label_text(os.path.splitext(file_name(path))[0])
    left = low.x + side + line / 2
    draw.add_text(ImVec2(left, middle), color32(TEXT), fitted(name, right - left))


def _label(text: str) -> None:
    """Draw the name of a row, and move to its value."""
    start, room = imgui.get_cursor_pos_x(), imgui.get_content_region_avail().x
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(text[:1].upper() + text[1:])
    imgui.same_line(start + room * NAMES)


def _choice(state: State, character: Character, look: CharacterLook, key: str) -> None:
    """Draw a choice: a slider over the numbers that exist, and an arrow to each side."""
    known = character.choices.of(key, look)
    now = look.number(key)
    at = known.index(now) if now in known else -1
    imgui.push_id(key)
    _label(key.replace("_", " ").replace("color", "colour"))
    imgui.begin_disabled(not known)
    target = _stepped(at, len(known), f"{now} {character.choices.note(key, now)}".strip())
    imgui.end_disabled()
    if target is not None and target != at:
        choose_look(state, character.choices.fitted(look, {key: known[target]}))
    hint(f"{at + 1} of {len(known)}" if known else "The tables offer no choice")
    imgui.pop_id()


def _stepped(at: int, count: int, text: str) -> int | None:
    """Draw an arrow, a slider with a text, and an arrow; return the chosen position, or None."""
    side, gap = imgui.get_frame_height(), imgui.get_style().item_inner_spacing.x
    target = None
    if imgui.button(LEFT, ImVec2(side, side)) and at > 0:
        target = at - 1
    imgui.same_line(0, gap)
    imgui.set_next_item_width(max(imgui.get_content_region_avail().x - side - gap, 20.0))
    with mono():
        moved, value = imgui.slider_int("##slider", max(at, 0), 0, max(count - 1, 0), text)
    if moved:
        target = max(0, min(value, count - 1))
    imgui.same_line(0, gap)
    if imgui.button(RIGHT, ImVec2(side, side)) and at < count - 1:
        target = at + 1
    return target


def draw_layers(state: State, post: Post, character: Character, look: CharacterLook) -> None:
    """Draw the textures of the look, the highest layer first, then the attached models."""
    for number, layer in enumerate(reversed(character.layers)):
        imgui.push_id(number)
        lowest = number == len(character.layers) - 1
        imgui.begin_disabled(lowest or layer.path is None)
        on = layer.key not in look.hidden
        if imgui.checkbox("##on", on)[0]:
            kept = tuple(each for each in look.hidden if each != layer.key)
            choose_look(state, replace(look, hidden=(*kept, layer.key) if on else kept))
        imgui.end_disabled()
        hint("The lowest layer is always drawn" if lowest else "Draw this layer")
        imgui.same_line()
        _file(state, post, layer)
        imgui.pop_id()
    others: tuple[WornFile | AttachedModel, ...] = (*character.textures, *character.attached)
    for number, each in enumerate(others, len(character.layers)):
        imgui.push_id(number)
        _file(state, post, each)
        imgui.pop_id()


def _file(state: State, post: Post, file: WornFile | AttachedModel) -> None:
    """Draw the part and the name of a file. A click selects the model's texture that shows the file. If the
    file is a layer of the body texture, its region is marked in this texture and on the model. A double click
    opens the file.
    """
    part = file.part if isinstance(file, WornFile) else file.slot
    name = label_text(file_name(file.name))
    text = fitted(f"{part}  {name}", imgui.get_content_region_avail().x)
    if file.path is None:
        colored(text, FAINT)
    elif imgui.selectable(f"{text}###file", False, imgui.SelectableFlags_.allow_double_click)[0]:
        if imgui.is_mouse_double_clicked(0):
            post(Open((file.path,)))
        else:
            _select(state, file)
    region = f"Region: {REGION_NAMES[part]}" if part in REGION_NAMES else ""
    texts = filter(None, (file.name, file.path or "The file is missing", file.row, region))
    hint(lambda: "\n".join(map(printable, texts)))


def _select(state: State, file: WornFile | AttachedModel) -> None:
    """Select the texture of the model that shows a file; the Texture panel shows it."""
    textures = state.model.textures if state.model is not None else ()
    own = (number for number, each in enumerate(textures) if each.path == file.path)
    body = (number for number, each in enumerate(textures) if each.kind == BODY)
    number = next(own, next(body, None))
    if number is not None:
        state.view.selection.pick(TextureItem(number))
        view = state.view.texture_view
        view.show(number)
        view.region = file.area if isinstance(file, WornFile) else None
