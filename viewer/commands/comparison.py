"""`rigscope render --compare`: draws several models in one picture, with one camera and one time."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from viewer.animation.clock import TimeMap, tied
from viewer.animation.motion.clip_difference import ClipDifference, clip_difference
from viewer.arrays import Array, Size
from viewer.commands.options.apply_options import apply, prepare
from viewer.commands.options.given_options import Options
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice
from viewer.compare.axes_change import alignment_of, axes_change
from viewer.errors import ResourceError
from viewer.export.picture.caption import Label, labelled, with_legend
from viewer.export.picture.frames import Picture
from viewer.scene.animation import Animation
from viewer.scene.choices import CompareMode, TimeTie
from viewer.scene.comparison import Comparison, difference_text, panes
from viewer.scene.display import laid_onto
from viewer.scene.model import NO_MODEL
from viewer.session.comparison import motion
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances

NAMED = ("animation", "morph", "texture", "geoset", "emitter", "bone", "lod", "display", "character", "item")
"""The options about parts of a model. A part may exist in only some of the models."""
UNLIKE = 20.0
"""The ratio of sizes above which the smaller model is too small to see."""
NOTHING = Options._field_defaults


def opened(paths: Sequence[str], options: Options) -> list[tuple[State, Options]]:
    """Open each model and apply the options that it supports; return each State with its options.

    An option about a named part applies only to models that have the part. With `with_animation`, a single
    model is on both sides, and each side plays its own clips. Raises UsageError or ResourceError if a file is
    not a model, or if no model has a named part. Raises FormatError if a file cannot be opened at all.
    """
    states = [prepare((path,), Options(reading=options.reading)) for path in paths]
    for state in states:
        if state.document is not None and isinstance(state.document.content, Animation):
            path = state.document.path
            raise UsageError(
                f"{path} is an animation: --compare takes models, and --animation {path} plays it"
            )
    if options.with_animation:
        states.append(_second(states[0]))
        fitting_both = [options, options._replace(animation=options.with_animation)]
    else:
        fitting_both = _fitting(states, options)
    found = list(zip(states, fitting_both, strict=True))
    for state, fitting in found:
        apply(state, fitting)
    return found


def refuse_count(paths: Sequence[str], options: Options, most: float, wanted: str) -> None:
    """Raise UsageError unless there are two to `most` models, or a single one with `--with-animation`."""
    if options.with_animation and len(paths) > 1:
        raise UsageError("--with-animation compares a single model with itself: give one file")
    if not options.with_animation and not 2 <= len(paths) <= most:
        raise UsageError(f"{wanted}, not {len(paths) or 'none'}")


def _second(state: State) -> State:
    """Open the document in view of a State a second time."""
    found = State()
    if state.document is not None:
        found.put(state.document)
    return found


def together(states: Sequence[State], options: Options) -> State:
    """Combine two States into one State that compares their models.

    UsageError for more than two models.
    """
    state, *others = states
    if len(others) != 1:
        raise UsageError("--ui with --compare needs two sides")
    (other,) = others
    if options.with_time is not None:
        other.view.clock.seek(options.with_time)
    if options.with_animation:
        other.view.is_right, state.view.beside = True, other.view
    else:
        state.adopt(other)
    state.documents.comparison = Comparison(
        options.compare,
        options.split,
        _path(other),
        options.align,
        options.tie if options.with_time is None else TimeTie.NONE,
        bool(options.with_animation),
    )
    state.compare(options.compare)
    return state


def _path(state: State) -> str:
    return state.document.path if state.document else ""


def _fitting(states: Sequence[State], options: Options) -> list[Options]:
    """Return the options for each model, without the named parts that the model lacks.

    If all models lack a part, raise the error of the first model.
    """
    fitting = [options._replace(**{name: NOTHING[name] for name in NAMED}) for _ in states]
    for name in NAMED:
        given = getattr(options, name)
        for part in given if isinstance(given, tuple) else (given,):
            wanted: Any = {name: (part,) if isinstance(given, tuple) else part}
            failures = [_failure(state, Options()._replace(**wanted)) for state in states]
            if all(failures):
                raise next(filter(None, failures))
            for number, failure in enumerate(failures):
                if failure is None:
                    before = getattr(fitting[number], name)
                    more: Any = {name: (*before, part) if isinstance(given, tuple) else part}
                    fitting[number] = fitting[number]._replace(**more)
                else:
                    notice(f"{_path(states[number])}: {failure}")
    return fitting


def _failure(state: State, option: Options) -> ResourceError | UsageError | None:
    """The error that an option causes when it is applied to a model; None without an error."""
    try:
        apply(state, option)
    except (ResourceError, UsageError) as error:
        return error
    return None


def follow(state: State, leader: State, options: Options) -> TimeMap:
    """Give a State the picture settings of the State `leader` and its own time. Return the map from the
    leader's times to its times.
    """
    if options.camera is None:
        state.stand()
    now = leader.view.clock.time
    tie = tied(options.tie, leader.playback.current.span, state.playback.current.span)
    if options.with_time is not None:
        tie = TimeMap(1.0, options.with_time - now)
    state.view.clock.seek(tie.of(now))
    return tie


def align(states: Sequence[State]) -> None:
    """Align each model with the first one, if it is a version of the first model from another engine."""
    first = states[0].model
    for other in states[1:]:
        alignment = alignment_of(first, other.model) if first and other.model else None
        if first is not None and other.model is not None and alignment is not None:
            placed = states[0].view.to_world(first), alignment.matrix, other.view.to_world(other.model)
            other.view.onto = laid_onto(*placed)


def motion_between(states: Sequence[State], tie: TimeMap) -> ClipDifference:
    """The difference of the clips of two States."""
    one, other = states[0].model or NO_MODEL, states[1].model or NO_MODEL
    axes = axes_change(one, other)
    return clip_difference(motion(states[0]), motion(states[1]), tie, axes if axes.text else None)


def warn_of_sizes(names: Sequence[str], boxes: Sequence[Array]) -> None:
    """Print a notice if one model is hardly visible beside a larger model; `boxes` [2, 3] are the bounds of
    the models.
    """
    lengths = [float(np.ptp(box, axis=0).max()) for box in boxes]
    small, large = lengths.index(min(lengths)), lengths.index(max(lengths))
    if lengths[large] > UNLIKE * lengths[small]:
        ratio = lengths[large] / lengths[small] if lengths[small] > 0 else 0.0
        larger = f"{ratio:.0f} times as large as" if ratio else "much larger than"
        notice(f"{names[large]} is {larger} {names[small]}, because each file has its own units")


def labelled_pictures(
    pictures: Generator[Picture, None, None],
    comparison: Comparison,
    size: Size,
    names: Sequence[str],
    distances: VertexDistances | None = None,
    motions: ClipDifference | None = None,
) -> Generator[Array, None, None]:
    """Yield the pictures [height, width, 4] u8 with the models' names and the legend of `distances`
    or `motions`.

    After the last picture, print how many pixels differ, or how many vertices moved.
    """
    lines = [] if distances is None else _name_lines(names, distances)
    legend = distances.legend if distances is not None else motions.legend(False) if motions else None
    labels, shares = _labels(comparison, size[0], lines or names), []
    for each in pictures:
        shares += [] if each.differing is None else [each.differing]
        drawn = labelled(each.pixels, labels)
        yield drawn if legend is None else with_legend(drawn, legend)
    if shares:
        print(difference_text(min(shares), max(shares)))
    if distances is not None:
        print(*lines, distances.text, sep="\n")


def _name_lines(names: Sequence[str], distances: VertexDistances) -> list[str]:
    """The name of each model and the number of its moved vertices."""
    return [f"{name}: {each.text}" for name, each in zip(names, distances.models, strict=True)]


def _labels(comparison: Comparison, width: int, names: Sequence[str]) -> list[Label]:
    """The labels: each model's name, drawn over its part of the picture."""
    found = panes(comparison, len(names), width)
    if comparison.side_by_side:
        return [Label(name, pane.start, pane.end) for name, pane in zip(names, found, strict=True)]
    middle = found[1].start if comparison.mode is CompareMode.SLIDER else width // 2
    return [Label(names[0], 0, middle), Label(names[1], middle, width, right=True)]
