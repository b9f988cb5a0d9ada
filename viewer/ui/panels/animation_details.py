"""The details of an animation: its file, its matched tracks, its events and the tracks that are not
played.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from imgui_bundle import imgui

from viewer.animation.key_times import keys
from viewer.animation.retarget import retargeted
from viewer.animation.root_motion import root_motion
from viewer.errors import counted, printable
from viewer.scene.animation import Animation, TrackMatch, is_foreign
from viewer.scene.display import up_vector, upright
from viewer.session.state import State
from viewer.ui.kit.texts import label_text
from viewer.ui.kit.theme import FAINT, WARNING
from viewer.ui.kit.widgets import clipped, colored, faint, mono, wrapped
from viewer.ui.timeline.keys import file_location, select, track_item
from viewer.view.measures import distance_text

LISTED = 40


def summary(state: State, animation: Animation, found: TrackMatch) -> str:
    """The tooltip of an animation."""
    lines = [
        animation.name or "unnamed",
        f"{animation.duration:.3f} s   {counted(animation.keyframes, 'key')}   {found.text}",
    ]
    lines += [facts_of(animation), ", ".join(animation.tags)]
    if found.unmatched:
        lines.append(f"without a bone: {_some(found.unmatched, len(found.unmatched))}")
    if found.folded:
        lines.append(f"matched ignoring case: {_some(found.folded, len(found.folded))}")
    if found.renamed:
        lines.append(f"matched without a prefix: {_some(found.renamed, len(found.renamed))}")
    if animation.events:
        shown = [f"{each.name} at {each.time:.3f} s" for each in animation.events[:LISTED]]
        lines.append("events: " + _some(shown, len(animation.events)))
    lines += [f"{note.target}: {note.keys} {note.type} keys, not played" for note in animation.notes[:LISTED]]
    lines += _source(state, animation).split("\n")
    return "\n".join(map(printable, filter(None, lines)))


def details(state: State, animation: Animation, found: TrackMatch) -> None:
    """Draw the details of an animation. A click on an event goes to its time."""
    name, count = printable(animation.name) or "unnamed", counted(animation.keyframes, "key")
    wrapped(f"{name}   {animation.duration:.3f} s   {count}")
    for line in filter(None, (facts_of(animation), ", ".join(animation.tags))):
        wrapped(printable(line))
    wrapped(_source(state, animation), FAINT)
    _bone(state, animation, found)
    wrapped(found.text, WARNING if found.unmatched and state.skeleton else None)
    _names("without a bone", found.unmatched)
    _names("matched ignoring case", found.folded)
    _names("matched without a prefix", found.renamed)
    if is_foreign(animation, state.skeleton) and state.skeleton is not None:
        _names("bones without a track", found.trackless(state.skeleton.names))
        wrapped("Made for another skeleton: rotations are converted", FAINT)
    wrapped(_root_motion(state, animation), FAINT)
    if animation.events and imgui.tree_node(f"{len(animation.events)} events"):
        for number in clipped(len(animation.events)):
            event = animation.events[number]
            with mono():
                clicked = imgui.selectable(f"{event.time:8.3f} s  {label_text(event.name)}##{number}", False)[
                    0
                ]
            if clicked and any(each.animation is animation for each in state.view.playlist):
                state.view.clock.show(event.time, state.playback.duration)
        imgui.tree_pop()
    if animation.notes and imgui.tree_node(f"{len(animation.notes)} other tracks, not played"):
        for note in animation.notes[:LISTED]:
            wrapped(f"{printable(note.target)}   {note.type}, {note.interpolation}, {note.keys} keys")
        imgui.tree_pop()


def facts_of(animation: Animation) -> str:
    """The numbers that only some formats store, such as ids and flags, in one line."""
    named = {"id": "id {:g}", "variation": "variation {:g}", "flags": "flags 0x{:X}"}
    named |= {"speed": "moves {:g} a second", "blend": "blends for {:g} ms"}
    facts = {name: int(value) if name == "flags" else value for name, value in animation.facts.items()}
    return "   ".join(text.format(facts[name]) for name, text in named.items() if name in facts)


def _root_motion(state: State, animation: Animation) -> str:
    """The distance over the ground from the first to the last position of the root, and the root's name."""
    model, skeleton = state.model, state.skeleton
    if model is None or skeleton is None:
        return ""
    to_world = upright(model.to_world, state.view.up)
    up = up_vector(to_world)
    motion = root_motion(skeleton, retargeted(animation, skeleton, to_world), up)
    if motion is None:
        return "no root motion"
    step = motion.path[-1] - motion.path[0]
    length = float(np.linalg.norm(step - (step @ up) * np.array(up)))
    name = label_text(skeleton.names[motion.bone]) or f"#{motion.bone}"
    return f"root motion: {name} moves {distance_text(model, length)}"


def _bone(state: State, animation: Animation, found: TrackMatch) -> None:
    """Draw the track of the selected bone. A click selects the track."""
    bone = state.view.bone
    if bone is None or state.skeleton is None:
        return
    name = label_text(state.skeleton.names[bone]) or f"#{bone}"
    target = next((target for target, number in found.bones.items() if number == bone), None)
    if target is None:
        wrapped(f"{name}: no track moves it", FAINT)
        return
    item, rows = track_item(state, animation, target), keys(animation).rows
    count = len(keys(animation).row(rows[target])) if target in rows else 0
    number = f"track {item.number}" if item else "track"
    if imgui.selectable(
        f"{name}: {number}, {counted(count, 'key')}##track", item == state.view.selection.picked
    )[0]:
        select(state, animation, item)
    with mono():
        faint(file_location(state, animation, item))


def _names(title: str, names: Sequence[str]) -> None:
    if names and imgui.tree_node(f"{len(names)} {title}"):
        for name in names[:LISTED]:
            imgui.text_unformatted(printable(name))
        if len(names) > LISTED:
            colored(f"and {len(names) - LISTED} more", FAINT)
        imgui.tree_pop()


def _source(state: State, animation: Animation) -> str:
    """The file of the animation. If the file has several animations, also its offset and size in the file."""
    document = state.playback.source(animation)
    if document is None:
        return printable(animation.source)
    if animation.source and document is state.document:
        return printable(animation.source)
    root = document.root
    return f"{printable(animation.source or document.path)}\n@ 0x{root.offset:X}   {root.size} bytes"


def _some(names: Sequence[str], count: int) -> str:
    """Join the first names; add how many of the `count` names are left out."""
    more = f" and {count - LISTED} more" if count > LISTED else ""
    return ", ".join(names[:LISTED]) + more


def id_text(animation: Animation) -> str:
    """The id with the variation (from 0): `69.2` is the third variation of id 69. Empty without an id."""
    facts = animation.facts
    return f"{facts['id']:g}.{facts.get('variation', 0):g}" if "id" in facts else ""


def flags_text(animation: Animation) -> str:
    """The flags of a sequence, empty for a clip without an id."""
    return f"{int(animation.facts.get('flags', 0)):03X}" if "id" in animation.facts else ""


def tracks_text(animation: Animation, found: TrackMatch) -> str:
    """The matched tracks: `20/22`, or `vertices` if there are only vertex tracks."""
    total = len(found.bones) + len(found.unmatched)
    return "vertices" if animation.moves_vertices and not total else f"{len(found.bones)}/{total}"
