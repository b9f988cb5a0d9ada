"""`rigscope diff --animation`: prints how two clips move the bones, as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from viewer.animation.clock import tied
from viewer.animation.motion.clip_difference import BoneDifference
from viewer.arrays import damaged_numbers
from viewer.commands.comparison import motion_between, opened, refuse_count
from viewer.commands.exit_status import DIFFERENT, DONE, UNREADABLE
from viewer.commands.info.fact_table import finite, json_rows, json_text
from viewer.commands.options.apply_options import notices
from viewer.commands.options.given_options import Values, options_of
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, outcome, print_lines, say
from viewer.compare.diff.animations import VERTEX_TRACKS
from viewer.compare.diff.deviation import Tolerance, rounded
from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.values import changed_values
from viewer.errors import counted, printable
from viewer.scene.choices import TimeTie
from viewer.session.state import State

LISTED = 40
"""The largest number of bones in the text."""


class MotionDifferences(Struct, frozen=True):
    """The bones that two clips move differently, the largest angle first. `notes` are further differences,
    and what is not compared. `tolerance` is the largest distance of equal positions.
    """

    summary: str
    same: bool
    notes: tuple[str, ...]
    tolerance: float
    bones: tuple[BoneDifference, ...]


@damaged_numbers()
def diff_motion(paths: Sequence[str], values: Values) -> int:
    """Print how the clips of `--animation` move the bones of two models, or of one model with the clips of
    `--with-animation`; return the exit status.

    UsageError for another number of files, ResourceError for a clip that does not exist.
    """
    options = options_of(values)
    if not options.animation:
        raise UsageError("--with-animation needs --animation, the clip to compare with")
    if values.get("bytes"):
        raise UsageError("--bytes compares files, and --animation clips: give one of them")
    refuse_count(paths, options, 2, "--animation takes two models, or one with --with-animation")
    (one, first), (other, second) = opened(paths, options)
    if len(first.animation) != len(options.animation) or len(second.animation) != len(
        options.with_animation or options.animation
    ):
        return UNREADABLE  # a notice says which model lacks the clip
    documents = [each.document for each in (one, other) if each.document is not None]
    missing = [clip for each in (one, other) for clip in each.view.playlist if clip.animation.missing_file]
    for entry in missing:
        say(f"{entry.animation.name}: the file of its keys was not found")
    found = motion_differences(one, other, options.tie, values.get("tolerance"))
    form = "json" if values.get("json") else values.get("format", "text")
    print_lines(_json(found) if form == "json" else _text(found))
    for line in dict.fromkeys((*notices(one, first), *notices(other, second))):
        notice(line)
    if outcome(documents) or missing:
        return UNREADABLE
    return DONE if found.same else DIFFERENT


def motion_differences(one: State, other: State, tie: TimeTie, chosen: float | None) -> MotionDifferences:
    """Compare the playing clips of two States. `chosen` is the tolerance of distances (None: a fraction of
    the model's size).
    """
    assert one.document is not None and other.document is not None, "models are open"
    pair = DocumentPair(one.document, other.document, chosen)
    spans, tolerance = [each.playback.current.span for each in (one, other)], pair.tolerance
    measured = motion_between((one, other), tied(tie, *spans))
    bones = tuple(each for each in measured.peaks if _counts(each, tolerance))
    lengths = [end - start for start, end in spans]
    longer = abs(lengths[0] - lengths[1]) > tolerance.time
    texts = [
        text
        for first, second in zip(one.view.playlist, other.view.playlist, strict=False)
        for text in changed_values(first.animation, second.animation, tolerance, only=VERTEX_TRACKS)
    ]
    playing = [[each.animation.moves_vertices for each in side.view.playlist] for side in (one, other)]
    if any(playing[0]) is not any(playing[1]):
        texts.append("only one side moves vertices without bones")
    notes = [f"length {lengths[0]:.6g} → {lengths[1]:.6g} s"] if longer else []
    notes += texts
    if not measured.names:
        notes.append("no bone is compared, as the models have no bones of the same name")
    if pair.axes.text:
        notes.append(f"{pair.axes.text} in the second file")
    same = not bones and not texts and not (longer and tie is TimeTie.SECONDS)
    summary = f"{len(bones)} of {counted(len(measured.names), 'bone')} move differently"
    summary = summary if measured.names else "the clips differ"
    return MotionDifferences(
        "same motion" if same else summary, same, tuple(notes), tolerance.distance, bones
    )


def _counts(bone: BoneDifference, tolerance: Tolerance) -> bool:
    return bone.angle > tolerance.angle or bone.distance > tolerance.distance


def _text(found: MotionDifferences) -> Iterator[str]:
    yield found.summary
    yield from (f"note: {each}" for each in found.notes)
    for each in found.bones[:LISTED]:
        parts = []
        if each.angle > 0:
            parts.append(f"turned by up to {rounded(each.angle)}° at {_moment(each)}")
        if each.distance > 0:
            parts.append(f"away by up to {rounded(each.distance)} at {each.distance_time:.4g} s")
        yield f"  ~ {printable(each.name)}: {', '.join(parts)}"
    if len(found.bones) > LISTED:
        yield f"  … {len(found.bones) - LISTED:,} more; --json lists all"


def _moment(bone: BoneDifference) -> str:
    """The moment of the largest angle, on both sides if they differ: `0.5 s (0.3 s)`."""
    first, second = f"{bone.time:.4g} s", f"{bone.other_time:.4g} s"
    return first if first == second else f"{first} ({second} on the second side)"


def _json(found: MotionDifferences) -> Iterator[str]:
    """Yield the lines of a JSON object, one line for each bone."""
    head: dict[str, Any] = {
        "same": found.same,
        "summary": found.summary,
        "tolerance": found.tolerance,
        "notes": list(found.notes),
    }
    yield json_text(finite(head))[:-1] + ', "animation": ['
    yield from json_rows(
        finite({"bone": each.name, "angle": each.angle, "distance": each.distance, "time": each.time})
        for each in found.bones
    )
    yield "]}"
