"""Lists the items of a character that fit a slot, in a task while the list is open."""

from __future__ import annotations

from viewer.app.tasks import Task, Tasks
from viewer.session.pending_files import ItemSearch
from viewer.session.state import State


class ItemLists:
    """Fills the list of items that the user sees. Call `step` once a frame."""

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state, self._tasks = state, tasks
        self._search: ItemSearch | None = None
        self._task: Task | None = None

    def step(self) -> None:
        """Begin the search of a new list, and cancel the search of a closed one."""
        search = self._state.pending_files.items
        if search is self._search:
            return
        if self._task is not None:
            self._tasks.cancel(self._task)
        self._search, self._task = search, None
        if search is not None:
            self._task = self._tasks.submit("items", lambda task: _fill(search, task), self._finish)

    def _finish(self, task: Task) -> None:
        """Mark the list as complete."""
        self._task = None
        if self._search is not None:
            self._search.done = True
        if task.error:
            self._state.say(task.error, "warning")


def _fill(search: ItemSearch, task: Task) -> None:
    """Add the items to the list, one by one."""
    for entry in search.character.find_items(search.slot, search.text):
        search.entries.append(entry)
        task.report("reading items")
