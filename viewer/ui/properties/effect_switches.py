"""The controls of an emitter or ribbon: mute, solo, freeze, rate and size."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from viewer.actions import effects as do
from viewer.scene.effects import EffectOptions
from viewer.scene.items import EffectItem, EmitterItem
from viewer.session.state import State
from viewer.ui.kit.widgets import faint, hint, mono, toggle

LEAST, MOST = 0.1, 10.0
NAMES = 0.36
"""The share of the width for the names, as for fields."""
LOGARITHMIC = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.no_round_to_format)


def switches(state: State, item: EffectItem) -> None:
    """Draw the row of buttons, and the sliders below it."""
    effects = state.view.effects
    if toggle("On", effects.draws(item)):
        if not effects.shown:
            do.toggle_shown(state, _unasked)
        do.mute(state, item, effects.draws(item))
    hint("Draw it   H hides it")
    imgui.same_line()
    if toggle("Solo", item in effects.solo):
        do.solo(state, item)
    hint("Draw only solo effects   Shift+H")
    imgui.same_line()
    if toggle("Freeze", item in effects.frozen):
        do.freeze(state, item)
    hint("Stop its time")
    imgui.same_line()
    imgui.begin_disabled(not _altered(effects, item))
    if imgui.button("Reset"):
        do.reset(state, item)
    imgui.end_disabled()
    hint("Reset to the file")
    _factor("rate ×", effects.rate(item), lambda value: do.set_rate(state, item, value))
    _factor("size ×", effects.size(item), lambda value: do.set_size(state, item, value))
    if isinstance(item, EmitterItem):
        _shared_settings(state)
    imgui.spacing()


def _shared_settings(state: State) -> None:
    """Draw the settings that all emitters share."""
    effects = state.view.effects
    _named("seed")
    imgui.set_next_item_width(-1)
    with mono():
        changed, seed = imgui.input_int("##seed", effects.seed)
    hint("Random seed of all emitters")
    if changed:
        do.set_seed(state, max(seed, 0))
    if imgui.checkbox("start at time 0", effects.cold)[0]:
        do.toggle_cold(state, _unasked)
    hint("If off, emitters have been running forever")


def _factor(name: str, value: float, put: Callable[[float], None]) -> None:
    """Draw a slider for a multiplier; a right click sets it to 1."""
    _named(name)
    imgui.set_next_item_width(-1)
    with mono():
        moved, new = imgui.slider_float(f"##{name}", value, LEAST, MOST, "%.2f", LOGARITHMIC)
    hint("Ctrl+click to type. Right click to reset.")
    if moved:
        put(max(new, 0.0))
    if imgui.is_item_clicked(1):
        put(1.0)


def _named(name: str) -> None:
    imgui.align_text_to_frame_padding()
    room = imgui.get_content_region_avail().x
    faint(name)
    imgui.same_line(room * NAMES)


def _altered(effects: EffectOptions, item: EffectItem) -> bool:
    """Whether any of its settings differs from the file."""
    sets = (effects.solo, effects.muted, effects.frozen, effects.rates, effects.sizes)
    return any(item in each for each in sets)


def _unasked(request: object) -> None:
    """Draw controls that need no confirmation."""
