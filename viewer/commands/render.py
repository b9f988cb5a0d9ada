"""`rigscope render`: writes pictures and films of posed models, without a display."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager

import numpy as np
from msgspec.structs import replace

from viewer.animation.clock import SAME_TIME
from viewer.arrays import Array, Size, damaged_numbers
from viewer.budget import BUDGET
from viewer.commands.comparison import (
    align,
    follow,
    labelled_pictures,
    motion_between,
    opened,
    refuse_count,
    together,
    warn_of_sizes,
)
from viewer.commands.one_output import no_model, prepared, written
from viewer.commands.options.apply_options import named_clips, point
from viewer.commands.options.given_options import Options, Values, is_for_many, options_of
from viewer.commands.options.parser import UsageError
from viewer.commands.output import Progress, notice
from viewer.commands.reading import writing
from viewer.errors import counted
from viewer.export.film.film import Film, film_format, is_numbered, is_sequence
from viewer.export.film.plan import FilmPlan, plan_film
from viewer.export.picture import frames
from viewer.export.picture.caption import captioned
from viewer.render.mesh.mesh_resources import MeshResources
from viewer.render.renderer import Renderer
from viewer.render.standalone import standalone_renderer
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.choices import FILM_FORMATS, PICTURE_SUFFIXES, CompareMode, TimeTie
from viewer.scene.comparison import Comparison, panes
from viewer.scene.model import NO_MODEL
from viewer.scene.package import Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.table import Table
from viewer.session.comparison import pane_names
from viewer.session.state import State
from viewer.storage.chosen_images import chosen_images
from viewer.view.figure import boxes_at_rest
from viewer.view.film_length import length
from viewer.view.framing import bounds_of, posed_bounds
from viewer.view.view_snapshot import ViewSnapshot
from viewer.view.visibility import Visibility


def render(paths: list[str], values: Values) -> int:
    """Write one or more pictures of one or many models; return the exit status."""
    if not is_for_many(values["output"]):
        return render_one(paths, values, values["output"])
    if values.get("compare") is not None:
        raise UsageError("--compare makes one picture of several models: -o has to name one file")
    from viewer.commands.many_models import write_each  # imported late, because only batches need it

    pictures = options_of(values).shows_pictures
    return write_each("render", render_one, paths, values, PICTURE_SUFFIXES, pictures=pictures)


@damaged_numbers()
def render_one(paths: Sequence[str], values: Values, output: str) -> int:
    """Write one or more pictures of a model, or of a comparison; return the exit status."""
    options = options_of(writing(values, output))
    alone = [each for each in ("with_animation", "with_time", "tie") if each in values]
    if options.compare is None and alone:
        raise UsageError(f"--{alone[0].replace('_', '-')} needs --compare")
    if options.compare is not None:
        return _render_compared(paths, options, output)
    state = prepared(paths, options)
    if options.shows_texture:
        # imported late, because few pictures show textures
        from viewer.commands.texture_picture import draw_texture

        size = values.get("size")
        return written([state], paths, options, output, lambda: draw_texture(state, options, size, output))
    clips = named_clips(state, options)
    if options.ui:
        return _render_window(state, options, paths, options, output, clips)
    return written([state], paths, options, output, lambda: draw([state], options, output), clips)


def _render_compared(paths: Sequence[str], options: Options, output: str) -> int:
    """Write one or more pictures of several models; return the exit status."""
    if options.together:
        raise UsageError("--together and --compare exclude each other")
    if options.compare is CompareMode.SIDE:
        wanted, most = "two or more models, or one with --with-animation", math.inf
    else:
        wanted, most = "two models, or one with --with-animation", 2
    refuse_count(paths, options, most, f"--compare takes {wanted}")
    states, fitting = zip(*opened(paths, options), strict=True)
    clips = [clip for each in zip(states, fitting, strict=True) for clip in named_clips(*each)]
    if options.ui:
        return _render_window(together(states, options), fitting[0], paths, options, output, clips)
    return written(states, paths, options, output, lambda: draw(states, options, output), clips)


def _render_window(
    state: State,
    shown: Options,
    paths: Sequence[str],
    options: Options,
    output: str,
    clips: Sequence[Animation],
) -> int:
    """Write a picture of the window; the options are applied to its State. `clips` are the named clips."""
    from viewer.commands.window_picture import draw_window  # imported late, because it imports all panels

    return written([state], paths, options, output, lambda: draw_window(state, shown, output), clips)


def draw(states: Sequence[State], options: Options, output: str) -> None:
    """Write the picture or pictures of the States to `output`, whose suffix is known.

    Several States are drawn as a comparison, with the camera and the time of the first State. UsageError if a
    State has neither a model nor a skeleton.
    """
    plan, pictures = planned(states, options, output)
    with plan.open() as film, closing(pictures):
        _shoot(film, pictures, Progress(len(plan.numbers)))
    if film.replaced and is_numbered(output):
        notice(f"{counted(film.replaced, 'earlier picture')} replaced")


def planned(
    states: Sequence[State], options: Options, output: str
) -> tuple[FilmPlan, Generator[Array, None, None]]:
    """Plan the picture or pictures of the States, see `draw`. Return the plan and a generator of its
    pictures, [height, width, 4] u8, which are drawn on request.
    """
    for each in states:
        if each.model is None and each.skeleton is None:
            raise no_model(each, _missing(each))
    state, comparison = states[0], Comparison(options.compare, options.split)
    _check(state, options, output)
    if comparison.mode is not None and options.align:
        align(states)
    starts = options._replace(time=0.0) if options.time is None and is_sequence(output) else options
    point(state, starts, options.is_first)
    state.show_on_light()
    ties = [SAME_TIME, *(follow(other, state, options) for other in states[1:])]
    taken = [replace(each.snapshot(), tie=tie) for each, tie in zip(states, ties, strict=True)]
    longest = max(taken, key=lambda view: length(view, options.turntable))
    plan = plan_film(
        taken,
        taken[0] if options.tie is TimeTie.SHARE else longest,
        output,
        options.size,
        fps=options.fps,
        start=taken[0].playback.clock.time,
        frames=options.frames,
        turntable=options.turntable,
        seamless=options.seamless,
        alpha=state.options.translucent,
    )
    _tell(plan, options)
    views, times, size = plan.views, plan.times, plan.size
    pane = panes(comparison, len(views), size[0])[0].width, size[1]
    boxes = [frames.extent([view], times) for view in views]
    bounds = bounds_of(np.concatenate(boxes if options.camera is None else [*map(_window_box, views)]))
    shots = zip(times, _cameras(views, options, times, pane), strict=True)
    reasons = [
        _reason(state, view, [*map(view.tie.of, times)]) for state, view in zip(states, views, strict=True)
    ]
    names = pane_names(states)
    warn_of_sizes(names, boxes)
    names = [": ".join(filter(None, each)) for each in zip(names, reasons, strict=True)]
    distances = None
    if comparison.mode is CompareMode.DISTANCE:
        # imported late, because only this mode needs it
        from viewer.app.comparison import distances_between

        distances = distances_between(views)
    motions = None
    if comparison.mode is CompareMode.MOTION:
        motions = motion_between(states, views[1].tie)

    def pictures() -> Generator[Array, None, None]:
        with (
            _uploaded(states) as (renderer, meshes),
            closing(
                frames.pictures(
                    renderer,
                    meshes,
                    views,
                    shots,
                    bounds,
                    size,
                    comparison,
                    distances,
                    motions,
                    state.context,
                )
            ) as drawn,
        ):
            if len(states) > 1:
                yield from labelled_pictures(drawn, comparison, size, names, distances, motions)
            else:
                for each in drawn:
                    yield captioned(each.pixels, reasons[0]) if reasons[0] else each.pixels

    return plan, pictures()


def _tell(plan: FilmPlan, options: Options) -> None:
    """Tell what the plan has changed, and what will jump. UsageError for no frames or too many."""
    if not plan.numbers:
        raise UsageError("nothing moves: a film needs --animation, --turntable or --frames")
    if len(plan.numbers) > BUDGET.film_frames:
        raise UsageError(
            f"{len(plan.numbers)} frames are more than {BUDGET.film_frames}; choose a range with --frames"
        )
    for line in plan.seams:
        notice(line)
    if plan.size != options.size:
        pixels = f"{plan.size[0]}x{plan.size[1]} pixels"
        notice(f"{plan.path}: drawn with {pixels}, because its format needs an even width and height")


def _window_box(view: ViewSnapshot) -> Array:
    """The box [2, 3] in viewer space that the window's camera does not clip. With the same box, a picture
    with the window's camera has the same depths as the window.
    """
    model = view.model or NO_MODEL
    boxes = boxes_at_rest(model, posed_bounds(model), view.display.placement, view.options.figure)
    return bounds_of(np.concatenate(boxes))


def _reason(state: State, view: ViewSnapshot, times: Sequence[float]) -> str:
    """If all pictures are empty, print and return the reason; otherwise return an empty text."""
    visibility = Visibility(view)
    reason = visibility.reason(times[0])
    if not reason or any(not visibility.reason(each) for each in times[1:]):
        return ""
    where = f"{state.document.path}: " if state.document else ""
    notice(f"{where}{reason}")
    return reason


def _missing(state: State) -> str:
    """The message for a document that has no picture by itself."""
    document = state.document
    if document is not None and isinstance(document.content, Package):
        from viewer.commands.package import holding

        return holding(document.path, document.content)
    if document is not None and isinstance(document.content, CompiledShader | CompiledScript | Table):
        return (
            f"{document.path} is an {document.format}, which has no picture: rigscope tree prints its spans, "
            "and render --ui draws its page"
        )
    if document is None or not isinstance(document.content, Animation):
        return "there is nothing to draw: no model is among the files"
    from viewer.app.open_files.matching_models import companions  # imported late, because few calls need it

    fitting = companions(document.path, document.content, document.context)
    example = f"rigscope render {fitting[0].path if fitting else 'MODEL'} {document.path} -o …"
    return f"{document.path} is an animation: to draw it, give its model first, as in {example}"


def _shoot(film: Film, pictures: Iterator[Array], progress: Progress) -> None:
    """Add all pictures to the film and finish it."""
    try:
        for picture in pictures:
            film.add(picture)
            progress.step()
        progress.say("encoding …")
        film.close()
    finally:
        progress.clear()


def _check(state: State, options: Options, output: str) -> None:
    """UsageError for options that a single picture or the output's format does not support."""
    kind = film_format(output)
    if kind and not kind.alpha and state.options.translucent:
        *able, last = (each.suffix for each in FILM_FORMATS if each.alpha)
        raise UsageError(f"{output} cannot be transparent; {', '.join(able)} and {last} can")
    if kind and options.fps > kind.fastest:
        raise UsageError(f"{output} cannot show more than {kind.fastest:g} frames per second")
    if options.turntable and options.camera is not None:
        raise UsageError("--turntable and --camera exclude each other: both set the position of the camera")
    if options.seamless and (options.cold or not options.loop):
        raise UsageError("--seamless repeats forever: it excludes --cold and --no-loop")
    if not is_sequence(output) and (options.turntable or options.frames or options.seamless):
        raise UsageError(
            f"{output} is one picture; for several pictures, give a name such as frame_{{frame:04}}.png"
        )


def _cameras(
    views: Sequence[ViewSnapshot], options: Options, frame_times: Sequence[float], size: Size
) -> Sequence[frames.Camera]:
    """Return the camera of each frame. The cameras' distance keeps the models inside every picture.

    If the user chose the clip or the time, the camera of a single picture fits the whole clip. Therefore
    pictures at different times of one clip have the same camera.
    """
    cameras = frames.cameras(views[0], frame_times, size, options.turntable)
    orbits = [each for each in cameras if isinstance(each, Orbit)]
    if options.camera is not None or not orbits or views[0].file_camera_number is not None:
        return cameras
    chosen = options.time is not None or bool(options.animation)
    return frames.fitted(views, frame_times, orbits, size, options.distance, chosen)


@contextmanager
def _uploaded(states: Sequence[State]) -> Iterator[tuple[Renderer, list[MeshResources]]]:
    """Upload the models in view to a new GPU context; release both when the `with` ends."""
    with standalone_renderer() as renderer:
        meshes: list[MeshResources] = []
        try:
            for state in states:
                images = chosen_images(state.document, state.view.textures)
                meshes.append(renderer.upload(state.model or NO_MODEL, images))
            yield renderer, meshes
        finally:
            for mesh in meshes:
                mesh.release()
