"""`rigscope render`: pictures of the posed model, without a display."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from viewer.animation.view_snapshot import ViewSnapshot
from viewer.animation.visibility import Visibility
from viewer.arrays import Array
from viewer.commands.arguments import UsageError
from viewer.commands.options import Options
from viewer.commands.output import say
from viewer.commands.progress import Progress
from viewer.commands.session import point
from viewer.errors import counted
from viewer.export import frames
from viewer.export.caption import captioned
from viewer.export.film import Film, is_numbered, is_sequence, suffix, usable_size
from viewer.export.frames import FrameShot
from viewer.gpu.headless import context
from viewer.render.mesh_resources import MeshResources
from viewer.render.renderer import Renderer
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.film import FILM_FORMATS
from viewer.scene.model import Model
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.texture_decoding import decode_textures
from viewer.scene.texture_images import TextureImages
from viewer.session.state import State
from viewer.storage.image import read_image
from viewer.storage.search import lone


def draw(state: State, options: Options, output: str) -> None:
    """Write the picture or pictures of the State to `output`, whose suffix was checked before."""
    if state.model is None and state.skeleton is None:
        raise UsageError(_missing(state))
    _check(state, options, output)
    starts = options._replace(time=0.0) if options.time is None and is_sequence(output) else options
    point(state, starts)
    view = state.snapshot()
    numbers, pace = _numbers(view, options, output), options.fps
    if options.seamless:
        view, pace = frames.endless(view, numbers, pace, options.turntable, options.frames is None)
        from viewer.animation.effects.approximations import seams

        for line in seams(view.model, state.layers(), view.display.effects.period):
            say(f"rigscope: {line}")
    size = _size(output, options.size)
    frame_times = frames.times(numbers, pace, view.playback.clock.time)
    bounds = frames.extent(view, frame_times)
    shots = list(map(FrameShot, frame_times, _cameras(view, options, frame_times, size)))
    alpha = frames.translucent(state.options)
    with (
        Film(output, size, options.fps, first=numbers.start, alpha=alpha) as film,
        _uploaded(state) as (renderer, mesh),
        closing(frames.pictures(renderer, mesh, view, shots, bounds, size)) as pictures,
    ):
        _shoot(film, _explained(pictures, _reason(state, view, frame_times)), Progress(len(shots)))
    if film.replaced and is_numbered(output):
        say(f"rigscope: {counted(film.replaced, 'earlier picture')} replaced")


def _reason(state: State, view: ViewSnapshot, times: Sequence[float]) -> str:
    """The reason why no picture shows anything, also told on one line; empty if one shows something."""
    visibility = Visibility(view)
    reason = visibility.reason(times[0])
    if not reason or any(not visibility.reason(each) for each in times[1:]):
        return ""
    where = f"{state.document.path}: " if state.document else ""
    say(f"rigscope: {where}{reason}")
    return reason


def _explained(pictures: Iterator[Array], reason: str) -> Iterator[Array]:
    """The pictures with the reason why they show nothing."""
    return (captioned(each, reason) for each in pictures) if reason else pictures


def _missing(state: State) -> str:
    """The message for documents that cannot be drawn without another file."""
    document = state.document
    if document is not None and isinstance(document.content, Package):
        from viewer.commands.package import holding

        return holding(document.path, document.content)
    if document is not None and isinstance(document.content, CompiledShader | CompiledScript):
        return (
            f"{document.path} is an {document.format}, which has no picture; rigscope tree prints it, and "
            "render --ui draws its page"
        )
    if document is None or not isinstance(document.content, Animation):
        return "there is nothing to draw: no model is among the files"
    from viewer.app.folders import companions  # the whole window can show it

    fitting = companions(document.path, document.content)
    example = f"rigscope render {fitting[0].path if fitting else 'MODEL'} {document.path} -o …"
    return f"{document.path} is an animation, which needs its model to be drawn on: {example}"


def _shoot(film: Film, pictures: Iterator[Array], progress: Progress) -> None:
    """Draw all pictures into the film and finish it."""
    try:
        for picture in pictures:
            film.add(picture)
            progress.step()
        progress.say("encoding …")
        film.close()
    finally:
        progress.clear()


def _check(state: State, options: Options, output: str) -> None:
    """Reject options that the output's format, or a single picture, cannot fulfil."""
    kind = next((each for each in FILM_FORMATS if each.suffix == suffix(output)), None)
    if kind and not kind.alpha and frames.translucent(state.options):
        *able, last = (each.suffix for each in FILM_FORMATS if each.alpha)
        raise UsageError(f"{output} cannot be transparent; {', '.join(able)} and {last} can")
    if kind and options.fps > kind.fastest:
        raise UsageError(f"{output} cannot show more than {kind.fastest:g} frames per second")
    if options.turntable and options.camera is not None:
        raise UsageError("--turntable moves the camera, and --camera says where it is: one or the other")
    if options.seamless and (options.cold or not options.loop):
        raise UsageError("--seamless goes on without an end: neither --cold nor --no-loop go with it")
    if not is_sequence(output) and (options.turntable or options.frames or options.seamless):
        raise UsageError(f"{output} is one picture; several need a name such as frame_{{frame:04}}.png")


def _numbers(view: ViewSnapshot, options: Options, output: str) -> range:
    """The numbers of the requested frames; one number for a single picture."""
    if not is_sequence(output):
        return range(1)
    first, last = options.frames or (0, 0)
    seconds = frames.length(view, options.turntable)
    if options.frames is None and not seconds > 0:
        raise UsageError("nothing moves: it needs --animation, --turntable or --frames")
    count = last - first + 1 if options.frames else seconds * options.fps
    if count > frames.MOST_FRAMES:
        raise UsageError(f"{count:.0f} frames are more than {frames.MOST_FRAMES}; choose some with --frames")
    return range(first, last + 1) if options.frames else frames.numbers(seconds, options.fps)


def _size(output: str, size: tuple[int, int]) -> tuple[int, int]:
    usable = usable_size(output, size)
    if usable != size:
        text = f"{output}: {usable[0]}x{usable[1]}, its format needs even numbers of pixels"
        say(f"rigscope: {text}")
    return usable


def _cameras(
    view: ViewSnapshot, options: Options, frame_times: Sequence[float], size: tuple[int, int]
) -> Sequence[frames.Camera]:
    """The camera of each frame, at a distance that keeps the model inside every picture."""
    if not isinstance(view.camera, Orbit) or view.file_camera_number is not None:
        return frames.fixed_cameras(view, frame_times, size)
    turning = options.turntable
    orbits = frames.around(view.camera, len(frame_times)) if turning else [view.camera] * len(frame_times)
    return frames.fitted(view, frame_times, orbits, size, options.distance)


@contextmanager
def _uploaded(state: State) -> Iterator[tuple[Renderer, MeshResources]]:
    """The model in view, uploaded to a GPU context that lives as long as the `with`."""
    with context() as ctx:
        renderer = Renderer(ctx)
        mesh = _upload(renderer, state)
        try:
            yield renderer, mesh
        finally:
            mesh.release()
            renderer.release()


def _upload(renderer: Renderer, state: State) -> MeshResources:
    images = decode_textures(state.document) if state.document else TextureImages({})
    for number, path in state.view.textures.items():
        images.replace(number, read_image(lone(path)))
    return renderer.upload(state.model or Model(""), images)
