"""Writes the command that draws the picture of the window again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator

from viewer.app.viewport import bare
from viewer.arrays import Size
from viewer.scene.characters import CharacterLook
from viewer.scene.choices import CompareMode, UpAxis
from viewer.scene.comparison import Comparison
from viewer.scene.display import AS_STORED, DisplayOptions
from viewer.scene.items import BoneItem
from viewer.scene.looks import display_choice
from viewer.scene.model import NO_MODEL, Model, hidden_by_default
from viewer.scene.names import JOINT, file_name
from viewer.scene.picture_options import PICTURE_OPTIONS, SWITCHES
from viewer.session.comparison import in_order
from viewer.session.state import State
from viewer.view.camera import camera_json
from viewer.view.playlist import PlaylistEntry


def view_command(state: State, size: Size) -> tuple[str, list[str]]:
    """Return the command that draws the same picture as `Save image of the model only`, in `size` (width,
    height). Also return a list of what the command leaves out. A document must be in view.
    """
    document = state.document
    assert document is not None, "the action needs a document"
    itself = state.documents.compared is document
    beside = dict.fromkeys(() if itself else filter(None, map(_file_of(state), state.view.playlist)))
    stem = os.path.splitext(file_name(document.path.rpartition(JOINT)[2]))[0]
    paths = map(os.path.abspath, (document.path, *document.added, *beside))
    words = ["rigscope", "render", *paths, "-o", f"{stem}.png"]
    words += [word for pair in _options(state, size) for word in pair]
    return shlex.join(words), [*_left_out(state)]


def _file_of(state: State) -> Callable[[PlaylistEntry], str]:
    """Return a function that gives the path of a clip's file; empty if the clip belongs to the model."""
    own = (state.document, *(state.document.attached if state.document else ()))

    def path(entry: PlaylistEntry) -> str:
        """The path of the file."""
        source = state.playback.source(entry.animation)
        return "" if source is None or source in own else source.path

    return path


def _options(state: State, size: Size) -> Iterator[tuple[str, ...]]:
    """Yield each option of the command with its value."""
    view, options, (left, *others) = state.view, bare(state.options), in_order(state)
    itself = others and state.documents.comparison.itself
    left = left if itself else state
    if state.document is not None and state.document.joined:
        yield ("--together",)
    yield from _look(state)
    yield from _clips(left, "--animation")
    yield "--time", repr(float(left.view.clock.time))
    if view.clock.loop == "once":
        yield ("--no-loop",)
    if view.clock.in_place:
        yield ("--in-place",)
    if itself:
        yield from _comparison(state.documents.comparison, others[0])
    yield from _model(state, state.model or NO_MODEL)
    yield "--size", f"{size[0]}x{size[1]}"
    yield "--background", "transparent"
    if view.file_camera_number is not None:
        yield "--camera", str(view.file_camera_number)
    else:
        yield "--camera", camera_json(view.camera)
    plain = bare(DisplayOptions())
    for row in sorted(PICTURE_OPTIONS.values(), key=lambda row: (not row.is_switch, row.negated)):
        value = getattr(options, row.given)
        if row.light not in (None, options.light):
            continue
        if row.help and value != getattr(plain, row.given):
            named = row.flag if value else f"--no-{row.flag[2:]}"
            yield (named,) if row.is_switch else (row.flag, str(getattr(value, "value", value)))


def _look(state: State) -> Iterator[tuple[str, ...]]:
    """Yield the options of the display or look that the model wears."""
    document = state.document
    if document is None:
        return
    if isinstance(document.worn, CharacterLook):
        yield tuple(document.worn.options.split())
    elif document.displays.listed:
        yield "--display", display_choice(document.displays.worn_id)


def _comparison(comparison: Comparison, other: State) -> Iterator[tuple[str, ...]]:
    """Yield the options of a comparison of the model with itself; `other` is the right side."""
    if comparison.mode is not None:
        yield "--compare", comparison.mode.value
    if comparison.mode is CompareMode.SLIDER:
        yield "--split", repr(comparison.split)
    yield from (
        _clips(other, "--with-animation") if other.playback.animations else [("--with-animation", "none")]
    )
    yield "--with-time", repr(float(other.view.clock.time))


def _clips(state: State, flag: str) -> Iterator[tuple[str, ...]]:
    """Yield the options of the playing clips, which have this `flag`."""
    view, offered = state.view, state.playback.animations
    for each in view.playlist:
        names = [clip.name for clip in offered]
        unique = names.count(each.animation.name) == 1 and "@" not in each.animation.name
        name = each.animation.name if unique else f"#{offered.index(each.animation)}"
        if state.documents.compared is state.document:
            name = _file_of(state)(each) or name  # a comparison takes no files of clips
        mixed = each.weight != 1.0 or each.additive
        yield flag, f"{name}@{each.weight!r}{'+' * each.additive}" if mixed else name
    if not view.playlist and offered:
        yield flag, "none"


def _model(state: State, model: Model) -> Iterator[tuple[str, ...]]:
    """Yield the options of the model's parts and effects."""
    view, effects = state.view, state.view.effects
    if view.up not in (None, UpAxis.FILE):
        yield "--up", view.up.value
    if view.lod is not None:
        yield "--lod", str(view.lod)
    if view.bone is not None and state.skeleton is not None:
        yield "--bone", state.skeleton.names[view.bone]
    for trail in sorted(view.trails, key=lambda each: (each.kind != BoneItem.kind, each.number)):
        yield "--trail", state.documents.names(trail.kind)[trail.number]
    for number, weight in view.morphs.items():
        yield "--morph", f"{model.morphs[number].name}={weight!r}"
    for number, path in view.textures.items():
        if model.textures[number].kind:
            yield "--texture", f"{model.textures[number].kind}={path}"
    if not effects.shown:
        yield ("--no-particles",)
    if effects.cold:
        yield ("--cold",)
    if effects.seed:
        yield "--seed", str(effects.seed)
    for item in sorted(effects.solo, key=lambda each: each.number):
        yield "--emitter", str(item.number)


def _left_out(state: State) -> Iterator[str]:
    """Yield what the picture shows although no option of the command line describes it."""
    view, model, effects = state.view, state.model or NO_MODEL, state.view.effects
    options, plain = bare(state.options), bare(DisplayOptions())
    if view.hidden != hidden_by_default(model):
        yield "hidden geometries"
    if view.placement.onto != AS_STORED.onto:
        yield "the alignment with the compared model"
    if any(not model.textures[number].kind for number in view.textures):
        yield "chosen textures"
    if effects.muted or effects.frozen or effects.rates or effects.sizes:
        yield "changed emitters"
    if isinstance(state.view.display, CharacterLook) and state.view.display.hidden:
        yield "hidden layers of the body texture"
    for row in SWITCHES:
        if not row.help and getattr(options, row.name) != getattr(plain, row.name):
            yield row.name.replace("_", " ")
    if state.documents.compared is not None and not state.documents.comparison.itself:
        yield "the compared model"
    elif state.documents.compared is not None and state.documents.comparison.by_distance:
        yield "the colours of distances"
