"""Makes a State from files and options, for commands without a window and for the window."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from viewer.app.open_files.clip_rigs import with_rig
from viewer.commands.options.given_options import Options
from viewer.commands.options.looks import LOOK_OPTIONS, dressed
from viewer.commands.options.parser import UsageError
from viewer.errors import FormatError, ResourceError, counted
from viewer.export.missing_lines import missing_lines
from viewer.scene import names
from viewer.scene.animation import Animation, is_foreign, match
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.display import EffectOptions
from viewer.scene.document import Document
from viewer.scene.items import AttachmentItem, BoneItem, EmitterItem
from viewer.scene.material import Image
from viewer.scene.model import Model, show_alone
from viewer.scene.needs import needs_of
from viewer.scene.picture_options import PICTURE_OPTIONS
from viewer.scene.reading_context import ReadingContext
from viewer.session.documents import foremost
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.storage.markup import SHORT_TEXT_LIMIT
from viewer.storage.package_path import is_file, read_path
from viewer.storage.search import lone
from viewer.view.playlist import PlaylistEntry

WEIGHTED = re.compile(r"(?P<name>.+)@(?P<weight>[-+]?\d*\.?\d+)(?P<additive>\+?)")
REST = "none"
STANDING = "the bones show that +Z is up, so the model is turned upright; --up file draws it unturned"


def prepare(paths: Iterable[str], options: Options) -> State:
    """Open the files, show the first model and apply the options.

    FormatError if a file cannot be opened at all; ResourceError or UsageError for a name that does not exist.
    """
    context = options.context
    return state_of((open_document(path, context) for path in paths), options)


def state_of(documents: Iterable[Document], options: Options) -> State:
    """Show the first model of the documents and apply the options.

    ResourceError or UsageError for a name that does not exist.
    """
    state = State()
    for document in documents:
        state.put(document)
    first = foremost(state.documents.opened)
    if first is not None:
        state.show(first)
    for each in [*state.documents.opened]:
        made = with_rig(each, state.skeleton)
        if made is not each:
            state.put(made)
    apply(state, options)
    return state


def apply(state: State, options: Options) -> None:
    """Apply the options to a State with open documents."""
    state.reading.given = dict(options.reading)
    if state.document is not None:
        worn = dressed(state.document, *(getattr(options, name) for name in LOOK_OPTIONS))
        if worn is not state.document:
            state.put(worn)
            state.view.display = worn.worn
    view = state.view
    view.textures.update(chosen_textures(state.model, options.texture, state.context))
    for name, value in options.shown.items():
        setattr(state.options, PICTURE_OPTIONS[name].given, value)
    if "grid" in options.shown or state.options.translucent or _flat(state):
        state.options.grid = state.options.axes = options.shown.get("grid", False)
    for document in state.documents.opened if options.up is not None else ():
        state.documents.view_of(document).up = options.up
    view.lod = _level(state, options.lod)
    view.bone = _bone(state, options.bone) if options.bone is not None else None
    view.trails = frozenset(_trail(state, name) for name in options.trail)
    view.morphs.update(_morphs(state, options.morph))
    view.effects = _effects(state, options)
    for geoset in options.geoset:
        _choose_geoset(state, geoset)
    if options.animation:
        state.playback.play(chosen for text in options.animation for chosen in choose(state, text))
    else:
        state.playback.play(state.playback.usual())
    state.view.clock.seek(options.time or 0.0)
    state.view.clock.loop = "loop" if options.loop else "once"
    state.view.clock.in_place = options.in_place


def chosen_textures(
    model: Model | None, wanted: Iterable[tuple[int, str]], context: ReadingContext
) -> dict[int, str]:
    """Return the file that the user chose for each texture, by texture index. The user names a texture by its
    type.

    UsageError for a type that the model does not use, FormatError for a file that does not exist.
    """
    files = {kind: lone(path, context).path for kind, path in wanted}
    textures = model.textures if model else ()
    known = sorted({each.kind for each in textures if each.kind})
    for kind in files:
        if kind not in known:
            listed = ", ".join(map(str, known)) or "none"
            raise UsageError(f"the model has no texture of type {kind} to choose; its types are {listed}")
    return {number: files[each.kind] for number, each in enumerate(textures) if each.kind in files}


def prepare_window(state: State, options: Options, size: tuple[int, int]) -> None:
    """Prepare a window with open files: apply the options; play the default animation if none is chosen.

    `size` is the size of the picture in pixels.
    """
    document = state.document
    if document is not None and any(getattr(options, name) for name in LOOK_OPTIONS[:-1]):
        # The window dresses the model in the next frame.
        state.view.display = dressed(document, *(getattr(options, name) for name in LOOK_OPTIONS)).worn
    show_first(state, options._replace(display=None, character=None, item=()))
    if state.view.playlist:
        state.view.clock.play()
    _fit(state, options, size)
    state.lead()


def show_first(state: State, options: Options) -> None:
    """Apply the options for the first view in a window.

    If the user chose no animation, the default animation plays. The camera looks in the chosen direction.
    """
    apply(state, options)
    if not options.animation:
        state.playback.choose(state.playback.idle())
        state.view.clock.seek(options.time or 0.0)
    point(state, options, options.is_first)


def choose(state: State, text: str) -> tuple[PlaylistEntry, ...]:
    """Find the animations that one `--animation` value chooses: NAME, #N or FILE, with `@WEIGHT` and `+`.

    The value `none` chooses no animation.
    """
    if text in (each.name for each in state.playback.animations):
        return (PlaylistEntry(state.playback.animation(text)),)
    if text == REST:
        return ()
    parts = WEIGHTED.fullmatch(text)
    if parts is None or is_file(text, state.context):
        return (PlaylistEntry(_named(state, text)),)
    weight, additive = float(parts["weight"]), bool(parts["additive"])
    return (PlaylistEntry(_named(state, parts["name"]), weight, additive),)


def _named(state: State, name: str) -> Animation:
    """Return the animation with this name in the open files.

    Without a match, open the file with this name. ResourceError lists similar names and required files that
    are missing.
    """
    try:
        return state.playback.animation(name)
    except ResourceError as error:
        if not is_file(name, state.context):
            missing = missing_lines(state.document).required if state.document is not None else ()
            raise ResourceError("; ".join((str(error), *missing))) from error
    document = with_rig(open_document(name, state.context), state.skeleton)
    if not document.animations or not state.gives_clips(document):
        raise UsageError(f"{name} is not an animation for this model: its format is {document.format}")
    state.put(document)
    return document.animations[0]


def _choose_geoset(state: State, geoset: int) -> None:
    """Show the geometries of this geoset, and hide the other variants of its group."""
    geometries = state.model.geometries if state.model else ()
    known = sorted({each.geoset for each in geometries if each.geoset is not None})
    if geoset not in known:
        raise UsageError(
            f"the model has no geoset {geoset}; its geosets are {', '.join(map(str, known)) or 'none'}"
        )
    if state.model is not None:
        show_alone(state.model, geoset, state.view.hidden)


def _effects(state: State, options: Options) -> EffectOptions:
    """Return the options for particles: which emitters are drawn, and how their particles start."""
    solo = frozenset(EmitterItem(_stored(state, "emitter", number)) for number in options.emitter)
    return EffectOptions(options.particles, options.cold, options.seed, solo=solo)


def _level(state: State, lod: int | None) -> int | None:
    document = state.document
    if lod is None or document is None or lod in {each.level for each in needs_of(document)}:
        return lod  # a level whose file is missing is drawn with the coarsest level
    if not 0 <= lod < max(state.documents.lods, 1):
        levels = ", ".join(map(str, range(state.documents.lods))) or "none"
        raise UsageError(f"the model has no level of detail {lod}; its levels are {levels}")
    return lod


def _flat(state: State) -> bool:
    """Whether the document in view is a flat image."""
    return state.document is not None and isinstance(state.document.content, Image)


def _bone(state: State, name: str) -> int:
    return names.find_name("bone", name, state.documents.names("bone"))


def _trail(state: State, name: str) -> BoneItem | AttachmentItem:
    """Return the bone with this name, or the attachment with this name if no bone has it."""
    attachments = state.documents.names("attachment")
    if name in attachments and name not in state.documents.names("bone"):
        return AttachmentItem(attachments.index(name))
    return BoneItem(_bone(state, name))


def _morphs(state: State, wanted: Iterable[tuple[str, float]]) -> dict[int, float]:
    known = state.documents.names("morph")
    return {names.find_name("morph", name, known): weight for name, weight in wanted}


def aim(state: State, options: Options, size: tuple[int, int]) -> None:
    """Point the camera so that the whole model stays inside a picture of `size` while the clips play."""
    point(state, options)
    _fit(state, options, size)


def _fit(state: State, options: Options, size: tuple[int, int]) -> None:
    """Fit the camera if the user chose a distance factor.

    If the options choose neither a distance nor a camera, mark the current camera as fitted by the window, so
    that the window may fit it again.
    """
    from viewer.view.clip_points import clip_points
    from viewer.view.framing import enclose

    if isinstance(state.view.camera, Orbit) and options.distance != 1.0:
        state.view.camera = enclose(state.view.camera, clip_points(state.snapshot()), size, options.distance)
    elif options.camera is None:
        state.view.fitted = state.view.camera


def point(state: State, options: Options, first: bool = False) -> None:
    """Set the camera: a camera of the file, the camera of a JSON text or file, or an orbit in the chosen
    direction. `aim` sets the distance of that orbit. `first`: the user chose neither clip nor time, so that
    another clip may play.

    FormatError if the camera file is invalid.
    """
    if first:
        state.play_visible()
    if options.camera is not None:
        if options.camera.isdecimal():
            state.view.file_camera_number = _stored(state, "camera", int(options.camera))
        else:
            state.view.camera = _camera_of(options, state.context)
        return
    flat = _flat(state)
    orbit = Orbit(ortho=options.ortho or flat)
    view = options.view or ("front" if flat else None)
    orbit = orbit.seen_from(view) if view else orbit
    yaw = orbit.yaw if options.yaw is None else options.yaw
    pitch = orbit.pitch if options.pitch is None else options.pitch
    directed = view is not None or options.yaw is not None or options.pitch is not None
    chosen = directed or options.turntable or options.distance != 1.0
    state.begin_view(replace(orbit, yaw=yaw, pitch=pitch), options.time, chosen)


def _stored(state: State, noun: str, number: int) -> int:
    """The index of a part of the model; UsageError if it does not exist."""
    count = len(state.documents.names(noun))
    if number >= count:
        raise UsageError(f"the model has no {noun} {number}; it has {counted(count, noun)}, counted from 0")
    return number


def _camera_of(options: Options, context: ReadingContext) -> MatrixCamera | Orbit:
    """The camera of a JSON text, or of a JSON file."""
    from viewer.view.camera import camera_from_json

    path = options.camera or ""
    if options.gives_camera:
        return camera_from_json(path)
    try:
        return camera_from_json(read_path(path, context, SHORT_TEXT_LIMIT)[1].decode())
    except UnicodeDecodeError as error:
        raise FormatError("is not UTF-8 text", "camera", error.start, path) from error
    except FormatError as error:
        error.file = path
        raise


def played(state: State) -> list[Document]:
    """The attached documents whose animations play."""
    attached = state.document.attached if state.document else ()
    playing = [chosen.animation for chosen in state.view.playlist]
    return [document for document in attached if document.content in playing]


def named_clips(state: State, options: Options) -> tuple[Animation, ...]:
    """The clips that play because the options name them."""
    return tuple(each.animation for each in state.view.playlist) if options.animation else ()


def notices(state: State, options: Options) -> list[str]:
    """Return notices about a model that was turned upright, a time of no clip, tracks without a bone, and
    bones that match only if case is ignored.
    """
    bones = state.skeleton.names if state.skeleton else ()
    lines = [f"{state.document.path}: {STANDING}"] if state.document and state.stood_up else []
    for each in state.document.joined if state.document else ():
        lines += [f"{each.document.path}: {each.note}"] if each.note else []
    if state.document and state.view.instead:
        lines.append(f"{state.document.path}: {'; '.join(state.view.instead)}")
    clips = state.playback.animations
    if state.document and clips and options.is_at_rest and not state.view.playlist:
        named = _some(tuple(each.name for each in clips))
        lines.append(f"{state.document.path}: the rest pose is drawn; --animation plays a clip: {named}")
    for chosen in state.view.playlist:
        found = match(chosen.animation, bones)
        if found.unmatched:
            lines.append(f"{chosen.animation.name}: {found.text}; without a bone: {_some(found.unmatched)}")
        if found.folded:
            lines.append(f"{chosen.animation.name}: matched only by ignoring case: {_some(found.folded)}")
        if found.renamed:
            lines.append(f"{chosen.animation.name}: matched only without a prefix: {_some(found.renamed)}")
        still = found.trackless(bones) if is_foreign(chosen.animation, state.skeleton) else ()
        if still:
            lines.append(
                f"{chosen.animation.name}: {counted(len(still), 'bone')} without a track: {_some(still)}"
            )
    return lines


def _some(items: tuple[str, ...]) -> str:
    return ", ".join(items[:5]) + (f" and {len(items) - 5} more" if len(items) > 5 else "")
