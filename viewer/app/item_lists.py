"""Lists the items of a character that fit a slot, and saved looks, in tasks while their lists are open."""

from __future__ import annotations

import os

from viewer.app.tasks import Task, Tasks
from viewer.scene.choices import LOOK
from viewer.session.pending_files import ItemSearch
from viewer.session.state import State
from viewer.storage.listing import list_folder, natural_key


class ItemLists:
    """Fills the lists of items and of saved looks that the user sees. Call `step` once a frame."""

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state, self._tasks = state, tasks
        self._search: ItemSearch | None = None
        self._task: Task | None = None
        self._lists_looks = False

    def step(self) -> None:
        """Begin the search of a new list, and cancel the search of a closed one."""
        self._list_looks()
        search = self._state.pending_files.items
        if search is self._search:
            return
        if self._task is not None:
            self._tasks.cancel(self._task)
        self._search, self._task = search, None
        if search is not None:
            self._task = self._tasks.submit("items", lambda task: _fill(search, task), self._finish)

    def _list_looks(self) -> None:
        """List the folder in which looks are saved, when its list opens."""
        pending = self._state.pending_files
        opens, self._lists_looks = pending.lists_looks and not self._lists_looks, pending.lists_looks
        if opens:
            folder = os.path.dirname(self._state.interface.preferences.looks)
            self._tasks.submit("looks", lambda task: _looks_in(folder), self._take_looks)

    def _take_looks(self, task: Task) -> None:
        self._state.pending_files.looks = task.value or ()

    def _finish(self, task: Task) -> None:
        """Mark the list as complete."""
        self._task = None
        if self._search is not None:
            self._search.done = True
        if task.error:
            self._state.say(task.error, "warning")


def _looks_in(folder: str) -> tuple[str, ...]:
    """The paths of the JSON files in a folder, in natural order; an empty `folder` has none."""
    names = [entry.name for entry in list_folder(folder)] if folder else []
    looks = sorted((each for each in names if each.lower().endswith(LOOK)), key=natural_key)
    return tuple(os.path.join(folder, each) for each in looks)


def _fill(search: ItemSearch, task: Task) -> None:
    """Add the items to the list, one by one."""
    for entry in search.character.find_items(search.slot, search.text):
        search.entries.append(entry)
        task.report("reading items")
