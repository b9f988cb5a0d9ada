"""The pages of emitters, particles and ribbons: their present parameters, and plots over the sequence and
over a particle's life.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from imgui_bundle import ImVec2, imgui

from viewer.actions import effects as do
from viewer.actions.effects import effects_time
from viewer.animation.effects import ribbon as ribbons
from viewer.animation.effects.approximations import approximations
from viewer.animation.effects.emission import over_life, over_time
from viewer.animation.pose import Layer
from viewer.scene.animation import Animation
from viewer.scene.display import EffectOptions, effect_of
from viewer.scene.emitter import Curve, Emitter, Parameter, Ribbon
from viewer.scene.items import EffectItem, EmitterItem, Item, ModelItem, ParticleItem, TextureItem
from viewer.scene.model import Model
from viewer.session.state import State
from viewer.ui.item_text import bytes_of, shown_part
from viewer.ui.kit.texts import ExactText, value_text
from viewer.ui.kit.theme import WARNING
from viewer.ui.kit.widgets import Memo, faint, hint, mono, toggle, wrapped
from viewer.ui.properties.attachments import position_fields
from viewer.ui.properties.effect_plots import band, plot, shown_time
from viewer.ui.properties.page_widgets import array_text, field, heading, link, missing, section, short

LEAST, MOST = 0.1, 10.0
NAMES = 0.36
"""The share of the width for names, the same as in `field`."""
LOGARITHMIC = int(imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.no_round_to_format)


def switches(state: State, item: EffectItem) -> None:
    """Draw the switches of an effect, and the sliders below them."""
    effects = state.view.effects
    if toggle("On", effects.draws(item)):
        if not effects.shown:
            do.toggle_shown(state, _unasked)
        do.mute(state, item, effects.draws(item))
    hint("Draw this effect   H")
    imgui.same_line()
    if toggle("Solo", item in effects.solo):
        do.solo(state, item)
    hint("Draw only solo effects   Shift+H")
    imgui.same_line()
    if toggle("Freeze", item in effects.frozen):
        do.freeze(state, item)
    hint("Stop the time of this effect")
    imgui.same_line()
    imgui.begin_disabled(not _altered(effects, item))
    if imgui.button("Reset"):
        do.reset(state, item)
    imgui.end_disabled()
    hint("Reset to the file")
    _factor("Rate ×", effects.rate(item), lambda value: do.set_rate(state, item, value))
    _factor("Size ×", effects.size(item), lambda value: do.set_size(state, item, value))
    if isinstance(item, EmitterItem):
        _shared_settings(state)
    imgui.spacing()


def _shared_settings(state: State) -> None:
    """Draw the settings that all emitters share."""
    effects = state.view.effects
    _named("Seed")
    imgui.set_next_item_width(-1)
    with mono():
        changed, seed = imgui.input_int("##seed", effects.seed)
    hint("Random seed of all emitters")
    if changed:
        do.set_seed(state, max(seed, 0))
    if imgui.checkbox("Start at time 0", effects.cold)[0]:
        do.toggle_cold(state, _unasked)
    hint("If this is off, emitters have already been running before time 0")


def _factor(name: str, value: float, put: Callable[[float], None]) -> None:
    """Draw a slider for a factor. A right click resets the factor to 1. `put` stores the new value."""
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
    """Whether the user has changed a setting of the effect."""
    sets = (effects.solo, effects.muted, effects.frozen, effects.rates, effects.sizes)
    return any(item in each for each in sets)


def _unasked(request: object) -> None:
    """Ignore a request. Actions that request nothing get this function as their `post`."""


SAMPLES = 257
BYTES_A_LINE = 8
SHOWN_BYTES = 512
LINES = 6
"""The number of visible lines of bytes."""


class EffectPage:
    """The page of an emitter, a particle or a ribbon.

    It stores the chosen parameter. It caches the notes until another animation plays.
    """

    def __init__(self) -> None:
        self._lines = Memo()
        self._chosen: dict[str, str] = {}

    def __call__(self, state: State, item: Item) -> None:
        """Draw the page."""
        model, effect = state.model, effect_of(item)
        if model is None or effect is None:
            return
        thing: Emitter | Ribbon | None = shown_part(state, effect)
        if thing is None:
            return
        heading(state, effect)
        for line in self._lines.get((thing, _animation(state)), lambda: _notes(state, thing)):
            wrapped(line, WARNING)
        switches(state, effect)
        if isinstance(item, ParticleItem):
            _particle(state, item)
        _now(state, effect)
        with section("Kind") as shown:
            if shown:
                _kind(state, model, thing)
        self._over_time(state, thing, effect.kind)
        if isinstance(thing, Emitter):
            _over_life(thing)

    def _over_time(self, state: State, thing: Emitter | Ribbon, kind: str) -> None:
        """Draw all parameters, and a plot of the chosen parameter over the sequence. A click chooses a
        parameter.
        """
        animation = _animation(state)
        curves = thing.curves(animation)
        with section("Parameters") as shown:
            if not shown:
                return
            names = [*curves, *(name for name in thing.parameters if name not in curves)]
            chosen = self._chosen.get(kind, next(iter(curves), ""))
            self._chosen[kind] = _rows(state, names, curves, thing.parameters, chosen)
            if self._chosen[kind] in curves:
                _sequence(state, self._chosen[kind], curves[self._chosen[kind]], animation)


def _animation(state: State) -> Animation | None:
    """The animation that gives the parameters their values: the first playing animation; None if nothing
    plays.
    """
    playing = state.playback.layers()
    return playing[0].animation if playing else None


def _notes(state: State, thing: Emitter | Ribbon) -> tuple[str, ...]:
    animation = _animation(state)
    if isinstance(thing, Emitter):
        return approximations(thing, state.skeleton, animation)
    layers = [] if animation is None else [Layer(animation, 0.0)]
    return (*thing.troubles, *ribbons.approximations(thing, state.skeleton, layers))


def _now(state: State, item: Item) -> None:
    live = state.view_info.live
    if live is None or live.item != item:
        field("Now", "not drawn")
        return
    field(
        "Particles" if isinstance(item, EmitterItem) else "Edges", str(len(live.rows)), "Alive in this frame"
    )
    field("Cost", f"{live.cost:.3f} ms", "CPU time per frame, without GPU time")


def _particle(state: State, item: ParticleItem) -> None:
    """Draw a particle's current state, and the bytes of its emitter's record."""
    live, number = state.view_info.live, item.number
    with section(f"Particle {number}") as shown:
        if not shown:
            return
        rows: Any = live.rows if live is not None and isinstance(live.item, EmitterItem) else ()
        found: Any = rows[rows["number"].astype(np.int64) == number] if len(rows) else ()
        field("Number", str(number), "Index in the order of birth from time 0 on")
        if len(found):
            _looks(found[0])
        else:
            missing("Not alive at this time.")
        _record(state, EmitterItem(item.emitter))


def _looks(row: Any) -> None:
    age, life = float(row["age"]), float(row["life"])
    field("Age", ExactText.of(f"{age:.4f} s of {life:.4g} s", (age, life)))
    field("Position", short(row["position"]), "In the file's axes")
    field("Velocity", short(row["velocity"]), "Units per second, in the file's axes")
    field("Colour", short(row["color"]), "sRGB and alpha")
    field("Half size", short(row["size"]))
    angle = np.degrees(float(row["angle"]))
    field("Angle", ExactText.of(f"{angle:.4g}°", angle))
    field("Cell", str(int(row["cell"])))
    field("Tail", short(row["tail"]), "End of the tail, in the file's axes")


def _record(state: State, item: Item) -> None:
    """Draw the bytes of an emitter's record."""
    span = bytes_of(state.document, item)
    if span is None or state.document is None:
        return
    data = state.document.data[span.offset : span.offset + min(span.size, SHOWN_BYTES)]
    with section("Record") as shown:
        height = imgui.get_text_line_height_with_spacing() * LINES
        if shown and imgui.begin_child("bytes", ImVec2(0, height)):
            with mono():
                for at in range(0, len(data), BYTES_A_LINE):
                    line = data[at : at + BYTES_A_LINE].hex(" ").upper()
                    imgui.text_unformatted(f"{span.offset + at:06X}  {line}")
        if shown:
            imgui.end_child()


def _kind(state: State, model: Model, thing: Emitter | Ribbon) -> None:
    position_fields(state, thing)
    if isinstance(thing, Emitter):
        field("Type", thing.type)
        known = thing.texture < len(model.textures)
        link(state, "Texture", TextureItem(thing.texture) if known else None)
        field("Blend", f"{thing.blend}: {thing.blending}")
        field("Flags", ", ".join(thing.flags) or "none")
        field("Cells", f"{thing.rows} × {thing.columns}")
        draws = {"head": thing.head, "tail": thing.tail}
        field("Draws", " and ".join(name for name, on in draws.items() if on) or "nothing")
        field("Priority", str(thing.priority))
        for relation, named in (("Each is", thing.shape), ("Each carries", thing.carries)):
            if named is not None:
                link(state, relation, ModelItem(model.references.index(named)))
        return
    for number in thing.textures:
        link(state, "Texture", TextureItem(number) if number < len(model.textures) else None)
    field("Materials", array_text(thing.materials))
    field("Blend", ", ".join(layer.blend for layer in thing.layers) or "none")
    field("Slots", f"{thing.rows} × {thing.columns}")
    field("Priority", str(thing.priority))


def _rows(
    state: State,
    names: Iterable[str],
    curves: Mapping[str, Curve],
    parameters: Mapping[str, Parameter],
    chosen: str,
) -> str:
    """Draw a row for each parameter: name, value now, number of keyframes. Return the chosen name."""
    now = np.array([effects_time(state)])
    flags = imgui.TableFlags_.row_bg | imgui.TableFlags_.sizing_stretch_prop
    if not imgui.begin_table("parameters", 3, flags):
        return chosen
    for title in ("Parameter", "Now", "Keys"):
        imgui.table_setup_column(title)
    imgui.table_headers_row()
    for name in names:
        curve = curves.get(name)
        values = (
            over_time(curve, now, _animation(state), state.playback.looped)[0]
            if curve
            else parameters[name][:1]
        )
        imgui.table_next_row()
        imgui.table_next_column()
        whole = imgui.SelectableFlags_.span_all_columns
        if imgui.selectable(name.replace("_", " "), name == chosen and curve is not None, whole)[0]:
            chosen = name
        imgui.table_next_column()
        with mono():
            imgui.text_unformatted(value_text(values[0]) if len(values) == 1 else short(values))
        imgui.table_next_column()
        with mono():
            imgui.text_unformatted(_keys(curve))
    imgui.end_table()
    return chosen


def _keys(curve: Curve | None) -> str:
    if curve is None:
        return ""
    own = "" if curve.period is None else f", {curve.period:g} s loop"
    return "constant" if len(curve.times) < 2 else f"{len(curve.times)} keys{own}"


def _sequence(state: State, name: str, curve: Curve, animation: Animation | None) -> None:
    """Plot a parameter over the sequence. A parameter with its own period is plotted over this period."""
    end = curve.period or (animation.duration if animation else 0.0) or 1.0
    times = np.linspace(0.0, end, SAMPLES)
    values = over_time(curve, times, animation, False)
    at = shown_time(state)
    if curve.period:
        at = effects_time(state) % curve.period
    plot(f"{name.replace('_', ' ')} over {end:g} s", times, values, end, at)


def _over_life(emitter: Emitter) -> None:
    """Plot colour, alpha, size and cells from a particle's birth to its death."""
    with section("Over life") as shown:
        if not shown:
            return
        found = over_life(emitter)
        if not found:
            missing("No parameter changes over life.")
        share = np.linspace(0.0, 1.0, len(next(iter(found.values()), ())))
        if "color" in found:
            alphas = found["alpha"][:, 0] if "alpha" in found else np.ones(len(share))
            band(found["color"], alphas)
        for name, values in found.items():
            if name != "color":
                same = values.shape[1] == 2 and (values[:, 0] == values[:, 1]).all()
                plot(name, share, values[:, :1] if same else values, 1.0)
