"""Finds the differences of compared documents, in the background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from weakref import ref

from viewer.animation.clock import TimeMap, tied
from viewer.animation.motion.clip_difference import ClipDifference, Motion, clip_difference
from viewer.app.tasks import Task, Tasks
from viewer.scene.difference import Change, Difference, DifferenceGroup, Differences
from viewer.scene.document import Document
from viewer.scene.items import ByteItem
from viewer.scene.model import NO_MODEL
from viewer.session.comparison import in_order, motion
from viewer.session.comparison_result import ComparisonResult
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.compare.diff.spans import SpanDifference
    from viewer.scene.vertex_distances import VertexDistances

Pair = tuple[ref[Document], ref[Document]]
ORDER = DISTANCES, MOTION, FIELDS, DIFFERENCES = "distances", "motion", "fields", "differences"
"""The parts of a comparison result, in search order."""


class DifferenceSearch:
    """Keeps `state.comparison_result` up to date.

    The search starts again when other documents are compared, or when a compared document is reloaded. Call
    `step` once a frame.
    """

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state = state
        self._tasks = tasks
        self._pair: Pair | None = None
        self._under_way: dict[str, Task] = {}
        self._clips: tuple[object, ...] = ()

    def step(self) -> None:
        """Start a search if the compared documents have changed, or if the user requests the list of
        differing fields.
        """
        pair = _compared(self._state)
        if pair != self._pair:
            self._begin(pair)
        found = self._state.comparison_result
        if pair is not None and found is not None and found.wants_fields and FIELDS not in self._under_way:
            self._search(FIELDS, _fields, pair)
        if pair is not None:
            self._compare_motions(pair)

    def _compare_motions(self, pair: Pair) -> None:
        """Compare the playing clips again if they, their ranges or the tie of their times have changed."""
        one, other = in_order(self._state)
        tie = self._state.documents.comparison.tie
        spans = [each.playback.current.span for each in (one, other)]
        played = [(each.view.playlist, each.view.clock.in_place) for each in (one, other)]
        clips = (*pair, tie, *spans, *played)
        if clips == self._clips:
            return
        self._clips = clips
        if MOTION in self._under_way:
            self._tasks.cancel(self._under_way[MOTION])
        work = partial(_motion, pair, motion(one), motion(other), tied(tie, *spans))
        self._search(MOTION, lambda _: work(), pair)

    def _begin(self, pair: Pair | None) -> None:
        """Start to compare these documents. The distances come first, because the picture needs them."""
        self._pair = pair
        for task in self._under_way.values():
            self._tasks.cancel(task)
        self._under_way.clear()
        self._clips = ()
        self._state.comparison_result = None if pair is None else ComparisonResult()
        if pair is not None and pair[0] == pair[1]:
            self._state.comparison_result = ComparisonResult(differences=Differences(()))
        elif pair is not None:
            self._search(DISTANCES, _distances, pair)
            self._search(DIFFERENCES, _differences, pair)

    def _search(self, part: str, search: Callable[[Pair], object], pair: Pair) -> None:
        self._under_way[part] = self._tasks.submit(
            part, lambda task: search(pair), partial(self._take, part), "differences", ORDER.index(part)
        )

    def _take(self, part: str, task: Task) -> None:
        """Store one part of the comparison result."""
        found = self._state.comparison_result
        assert found is not None, "a search without a result is cancelled"
        if task.error:
            found.error = f"The {part} could not be found: {task.error}"
            self._state.say(found.error, "warning")
        setattr(found, part, task.value)


def _compared(state: State) -> Pair | None:
    """The compared documents, from left to right."""
    documents = [each.document for each in in_order(state)]
    first, second = documents if len(documents) == 2 else (None, None)
    return None if first is None or second is None else (ref(first), ref(second))


def _distances(pair: Pair) -> VertexDistances | None:
    """The distances between the models of two documents; None if a document is closed."""
    # imported late, because few sessions compare
    from viewer.compare.vertex_distances import vertex_distances

    first, second = (each() for each in pair)
    models = (first.model if first else None, second.model if second else None)
    return None if models[0] is None or models[1] is None else vertex_distances(models[0], models[1])


def _motion(pair: Pair, one: Motion, other: Motion, tie: TimeMap) -> ClipDifference | None:
    """The difference of two motions; None if a document is closed."""
    from viewer.compare.axes_change import axes_change

    first, second = (each() for each in pair)
    if first is None or second is None:
        return None
    axes = axes_change(first.model or NO_MODEL, second.model or NO_MODEL)
    return clip_difference(one, other, tie, axes if axes.text else None)


def _differences(pair: Pair) -> Differences | None:
    """Find the differences in meaning between two documents; None if a document is closed."""
    from viewer.compare.diff.comparing import compare

    first, second = (each() for each in pair)
    return None if first is None or second is None else compare(first, second, beside=True)


def _fields(pair: Pair) -> tuple[Difference | str, ...]:
    """Return the fields that differ. If only the first fields are listed, the first entry is a note about
    this. Empty if a document is closed.
    """
    from viewer.compare.diff.spans import LISTED_SPANS, span_differences

    first, second = (each() for each in pair)
    if first is None or second is None:
        return ()
    found = tuple(map(_of_span, span_differences(first, second)))
    return (
        (f"only the first {LISTED_SPANS} fields are listed", *found) if len(found) == LISTED_SPANS else found
    )


def _of_span(span: SpanDifference) -> Difference:
    from viewer.compare.diff.values import value_text

    offsets = span.offset, span.other_offset
    items = [() if offset is None else (ByteItem(offset),) for offset in offsets]
    if None in offsets:
        added = span.offset is None
        text = value_text(span.other_value if added else span.value)
        change = Change.ADDED if added else Change.REMOVED
    else:
        change, text = Change.CHANGED, f"{value_text(span.value)} → {value_text(span.other_value)}"
    return Difference(DifferenceGroup.FIELDS, change, span.path, text, items=items[0], other_items=items[1])
