"""The Morphs panel: sliders for the weights of the model's morphs."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.errors import counted, printable
from viewer.scene.items import MorphItem
from viewer.scene.model import Morph
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT
from viewer.ui.kit.widgets import Memo, clipped, colored, faint, filter_box, hint, mark_words, mono, nothing

RESET = "\uf2ea"
NAMES = 0.45
"""The share of the panel's width for the names."""


class MorphsPanel:
    """A slider for each morph that matches the filter. A weight outside 0..1 can only be typed."""

    def __init__(self) -> None:
        self._filter = EVERYTHING
        self._shown = Memo()

    def __call__(self, state: State, post: Post) -> None:
        """Draw the morphs of the model in view."""
        model, find = state.model, state.interface.find_requested("morphs")
        if model is None or not model.morphs:
            nothing("No morphs.")
            return
        morphs = model.morphs
        self._filter = filter_box("morphs", self._filter, find)
        self._resets(state, morphs)
        shown: list[int] = self._shown.get(
            (state.document, self._filter), lambda: self._filter.matching(each.name for each in morphs)
        )
        if imgui.begin_child("morphs"):
            for row in clipped(len(shown), imgui.get_frame_height_with_spacing()):
                number = shown[row]
                imgui.push_id(number)
                _morph(state, number, morphs[number], self._filter)
                imgui.pop_id()
        imgui.end_child()

    def _resets(self, state: State, morphs: tuple[Morph, ...]) -> None:
        weights = state.view.morphs
        imgui.begin_disabled(not weights)
        if imgui.button("Reset to the file"):
            weights.clear()
        imgui.end_disabled()
        hint("" if weights else "No morph was changed")
        imgui.same_line()
        if imgui.button("Set all to 0"):
            weights.update(dict.fromkeys(range(len(morphs)), 0.0))


def _morph(state: State, number: int, morph: Morph, wanted: TextFilter) -> None:
    """Draw a morph. A click on its name selects it; the slider and the reset button set its weight."""
    weights, item = state.view.morphs, MorphItem(number)
    room = imgui.get_content_region_avail().x
    start = imgui.get_cursor_pos_x()
    name = printable(morph.name) or f"#{number}"
    imgui.align_text_to_frame_padding()
    (colored(name, ACCENT) if state.focus == item else imgui.text_unformatted(name))
    mark_words(wanted, name)
    if imgui.is_item_clicked():
        state.view.selection.pick(item)
    if imgui.is_item_hovered():
        state.view.selection.point(item)
    hint(f"{name}   {counted(morph.vertices, 'vertex', 'vertices')}, {morph.weight:g} in the file")
    imgui.same_line(start + room * NAMES)
    reset = imgui.get_frame_height()
    changed = number in weights and weights[number] != morph.weight
    imgui.set_next_item_width(max(room * (1 - NAMES) - reset - imgui.get_style().item_spacing.x, 20.0))
    with mono():
        moved, value = imgui.slider_float(
            "##weight",
            weights.get(number, morph.weight),
            0.0,
            1.0,
            "%.2f",
            imgui.SliderFlags_.no_round_to_format,
        )
    hint("Ctrl+click to type a weight, also outside 0 to 1. Right click to reset.")
    if moved:
        weights[number] = value
    if imgui.is_item_clicked(1):
        weights.pop(number, None)
    imgui.same_line()
    if changed:
        if imgui.button(RESET, (reset, reset)):
            weights.pop(number, None)
        hint(f"Reset to {morph.weight:g}, the weight in the file")
    else:
        faint("")
