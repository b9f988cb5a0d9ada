"""The buttons in the upper left corner of the picture: shading modes and overlays."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, ImVec4, imgui

from viewer.actions import ACTIONS_BY_NAME, Action
from viewer.actions.bindings import shown_key
from viewer.actions.light import LIGHT
from viewer.scene.choices import SINGLE_SHADINGS, LightKind
from viewer.scene.picture_options import PICTURE_OPTIONS, SWITCHES
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.item_menu import action_entry
from viewer.ui.kit.theme import ACCENT, GROUND, TEXT, rgba
from viewer.ui.kit.widgets import faint, hint
from viewer.ui.view.comparing import compare_button

SHADING = "\uf042"
BEFORE = {"figure": {"effects": "\uf06d", "emitters": "\uf05b", "measure": "\uf545"}}
"""The icons of other buttons, by the switch that they stand before."""
ICONS = {
    name: icon
    for row in SWITCHES
    if row.icon
    for name, icon in (BEFORE.get(row.name, {}) | {row.action: row.icon}).items()
}
"""Icons of Font Awesome by the names of actions, in the order of the buttons."""
MORE = "\uf141"
CLEAR = 0.72
WIDE = 1.15
"""The width of a button in button heights."""
GAP = 2.0
"""The space between buttons in points."""


def buttons(state: State, post: Post, low: ImVec2, size: ImVec2) -> None:
    """Draw the row of buttons over the picture. The last button lists the actions whose buttons do not fit
    into the width of the picture.
    """
    edge = imgui.get_style().window_padding.x
    side = imgui.get_frame_height()
    imgui.set_cursor_screen_pos(ImVec2(low.x + edge, low.y + edge))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(GAP, GAP))
    imgui.push_style_color(imgui.Col_.button, rgba(GROUND, CLEAR))
    _shading(state, post)
    if state.documents.comparable:
        imgui.same_line()
        compare_button(state, post, _ink(state.documents.compared is not None), side)
    right = low.x + size.x - edge - side * 4
    offered = [action for action in map(ACTIONS_BY_NAME.__getitem__, ICONS) if action.enabled(state)]
    room = int((right - imgui.get_item_rect_max().x) / (side * WIDE + GAP))
    fitting = len(offered) if len(offered) <= room else max(room - 1, 0)
    for action in offered[:fitting]:
        imgui.same_line()
        _toggle(state, post, action, side)
    if fitting < len(offered):
        imgui.same_line()
        _more(state, post, offered[fitting:], side)
    imgui.pop_style_color()
    imgui.pop_style_var()


def _toggle(state: State, post: Post, action: Action, side: float) -> None:
    imgui.push_style_color(imgui.Col_.text, _ink(_is_on(state, action)))
    if imgui.button(f"{ICONS[action.name]}###{action.name}", ImVec2(side * WIDE, side)):
        action.run(state, post)
    imgui.pop_style_color()
    hint(lambda: f"{action.title}   {shown_key(state.interface.preferences, action.name)}".rstrip())


def _more(state: State, post: Post, rest: Sequence[Action], side: float) -> None:
    """Draw the button that lists the actions `rest`."""
    if imgui.button(f"{MORE}###more", ImVec2(side * WIDE, side)):
        imgui.open_popup("more")
    hint("More buttons")
    imgui.pop_style_var()  # the list has the usual spacing
    if imgui.begin_popup("more"):
        for action in rest:
            key = shown_key(state.interface.preferences, action.name)
            if imgui.menu_item_simple(f"{ICONS[action.name]}  {action.title}", key, _is_on(state, action)):
                action.run(state, post)
        imgui.end_popup()
    imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(GAP, GAP))


def _is_on(state: State, action: Action) -> bool:
    return action.checked is not None and action.checked(state)


def _ink(on: bool) -> ImVec4:
    """The colour of the icon of a button that is `on` or off."""
    return rgba(ACCENT if on else TEXT, 1.0 if on else 0.75)


def _shading(state: State, post: Post) -> None:
    chosen = ACTIONS_BY_NAME[f"shading_{state.options.shading.value}"]
    title = _shading_title(state, chosen) if chosen.enabled(state) else "Distance"
    imgui.begin_disabled(not chosen.enabled(state))
    if imgui.button(f"{SHADING}  {title}###shading"):
        imgui.open_popup("shadings")
    imgui.end_disabled()
    key = shown_key(state.interface.preferences, "shading_pie")
    hint(lambda: chosen.refusal(state) or f"Shading and light   {key}".rstrip())
    if imgui.begin_popup("shadings"):
        for shading in SINGLE_SHADINGS:
            action_entry(state, post, ACTIONS_BY_NAME[f"shading_{shading.value}"])
        imgui.separator()
        faint("Light")
        for action in LIGHT:
            if action.name != "next_light":
                action_entry(state, post, action)
        imgui.end_popup()


def _shading_title(state: State, chosen: Action) -> str:
    """The name of the shading. If materials are lit by another light than the studio light, the name of this
    light follows.
    """
    light = state.options.light
    named = state.options.with_materials and light is not LightKind.STUDIO
    return f"{chosen.title}, {PICTURE_OPTIONS['light'].label(light).lower()}" if named else chosen.title
