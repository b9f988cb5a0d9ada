"""The playing layers: a weight slider for each animation, its start bone, and its blend mode."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from viewer.errors import printable
from viewer.session.state import State
from viewer.ui.kit.theme import FAINT
from viewer.ui.kit.widgets import colored, hint, mono, toggle
from viewer.view.playlist import PlaylistEntry

REMOVE, ON_TOP, BONE = "\uf00d", "\uf067", "\uf5d7"


def height(state: State) -> float:
    """The height that `layers` will take."""
    return len(state.playlist) * 2 * imgui.get_frame_height_with_spacing() + imgui.get_text_line_height()


def layers(state: State) -> None:
    """Draw two lines for each playing animation, in blend order."""
    before = state.playlist
    after = []
    for number, chosen in enumerate(before):
        imgui.push_id(number)
        kept = _layer(state, chosen)
        if kept is not None:
            after.append(kept)
        imgui.pop_id()
    if tuple(after) != before:
        state.mix(after)


def _layer(state: State, chosen: PlaylistEntry) -> PlaylistEntry | None:
    """Draw a layer and return its new value; None removes it."""
    side, gap = imgui.get_frame_height(), 2.0
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(printable(chosen.animation.name) or "unnamed")
    if chosen.fade is not None:
        imgui.same_line()
        colored("fading", FAINT)
    imgui.same_line(max(imgui.get_content_region_avail().x - side, imgui.get_cursor_pos_x()))
    removed = imgui.button(REMOVE, ImVec2(side, side))
    hint("Remove this layer")
    weight = chosen.weight_at(state.clock.time)
    imgui.set_next_item_width(imgui.get_content_region_avail().x - 2 * (side + gap))
    with mono():
        changed, value = imgui.slider_float(
            "##weight", weight, 0.0, 1.0, "weight %.2f", imgui.SliderFlags_.always_clamp
        )
    if changed:
        chosen = replace(chosen, weight=value, fade=None)
    imgui.same_line(0, gap)
    if toggle(f"{ON_TOP}##additive", chosen.additive, ImVec2(side, side)):
        chosen = replace(chosen, additive=not chosen.additive)
    hint("Additive: adds the difference from the rest pose to the other layers")
    imgui.same_line(0, gap)
    return None if removed else _start_bone(state, chosen, side)


def _start_bone(state: State, chosen: PlaylistEntry, side: float) -> PlaylistEntry:
    """Draw the choice of the start bone: the selected bone, or all bones."""
    names = state.skeleton.names if state.skeleton else ()
    now, bone = chosen.start_bone, state.view.bone
    imgui.begin_disabled(now is None and bone is None)
    clicked = toggle(f"{BONE}##start", now is not None, ImVec2(side, side))
    imgui.end_disabled()
    moved = f"Moves {printable(names[now])} and the bones below it" if now is not None else "Moves all bones"
    then = "click: all bones" if now is not None else "click: only the selected bone and its descendants"
    hint(
        f"{moved}; {then}"
        if now is not None or bone is not None
        else f"{moved}; select a bone to start the layer there"
    )
    return replace(chosen, start_bone=None if now is not None else bone) if clicked else chosen
