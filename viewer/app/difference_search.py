"""The search for the differences of compared documents, in a background thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING
from weakref import ref

from viewer.app.work_thread import YIELD, WorkThread
from viewer.scene.document import Document
from viewer.session.comparison import in_order
from viewer.session.comparison_result import ComparisonResult
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.scene.vertex_distances import VertexDistances

Pair = tuple[ref[Document], ref[Document]]


class DifferenceSearch:
    """Keeps `state.comparison_result` true: it begins anew when other documents are compared, or one of them
    is read again. `step` is called once a frame; `wake` is called from the thread when there is a result.
    """

    def __init__(self, state: State, wake: Callable[[], None]) -> None:
        self._state = state
        self._thread = WorkThread(wake)
        self._pair: Pair | None = None
        self._count = 0

    @property
    def finished(self) -> bool:
        """Whether results can be taken."""
        return self._thread.finished

    @property
    def working(self) -> bool:
        """Whether something is searched, or results can be taken."""
        return self._thread.working or self._thread.finished

    def step(self) -> None:
        """Take in results, and begin a search for the documents that are compared now."""
        state = self._state
        pair = _compared(state)
        if pair != self._pair:
            self._pair = pair
            self._count += 1
            state.comparison_result = None
            if pair is not None:
                state.comparison_result = ComparisonResult()
                self._thread.ask(str(self._count), partial(_distances, pair))
        if self._thread.working:
            time.sleep(YIELD)
        while (result := self._thread.result()) is not None:
            found = state.comparison_result
            if found is None or result.name != str(self._count):
                continue
            if result.error:
                state.say(f"The vertices could not be compared: {result.error}", "warning")
            found.distances = result.value

    def close(self) -> None:
        """Stop after the work that is being done, without waiting."""
        self._thread.close()


def _compared(state: State) -> Pair | None:
    """The compared documents, from left to right."""
    documents = [each.document for each in in_order(state)]
    first, second = documents if len(documents) == 2 else (None, None)
    return None if first is None or second is None else (ref(first), ref(second))


def _distances(pair: Pair) -> VertexDistances | None:
    """The distances between the models of two documents; None if one is closed."""
    from viewer.scene.vertex_distances import vertex_distances  # few sessions compare

    first, second = (each() for each in pair)
    models = (first.model if first else None, second.model if second else None)
    return None if models[0] is None or models[1] is None else vertex_distances(models[0], models[1])
