"""Reads the settings when the program starts and writes them when they change."""

from __future__ import annotations

import time
from copy import deepcopy
from pathlib import Path
from typing import Any

from viewer.actions.bindings import PRESETS, unknown
from viewer.errors import ResourceError
from viewer.session import settings
from viewer.session.preferences import Preferences
from viewer.session.state import State
from viewer.storage.reading import prefer_size
from viewer.storage.resource_folders import prefer_resources, prefer_search

PAUSE = 1.0
"""Seconds between two checks for changes."""
FLAGS = ("grid", "axes")
"""The flags of the display options that are stored when they change."""
CHOICES = ("missing", "quality")
"""The other display options that are stored."""


class SettingsSync:
    """Keeps `state.interface.preferences` equal to a file; without a path nothing is stored."""

    def __init__(self, path: Path | None, state: State) -> None:
        self._path = path
        self._options: dict[str, Any] = {}
        self._next = time.monotonic() + PAUSE
        if path is not None:
            self._read(path, state)
        self._written = deepcopy(state.interface.preferences)

    def _read(self, path: Path, state: State) -> None:
        try:
            state.interface.preferences = settings.read(path)
        except ResourceError as error:
            state.say(str(error), "warning")
        preferences = state.interface.preferences
        prefer_size(preferences.max_size)
        prefer_resources(preferences.resources)
        prefer_search(preferences.search)
        stored = preferences.look | {name: getattr(preferences, name) for name in CHOICES}
        for name in stored.keys() & {*FLAGS, *CHOICES}:
            setattr(state.options, name, stored[name])
        for name in unknown(preferences):
            state.say(f"settings: there is no action {name}", "warning")
        if preferences.preset not in PRESETS:
            state.say(
                f"settings: there is no preset {preferences.preset}; choose {', '.join(PRESETS)}", "warning"
            )

    def tick(self, state: State, starting: bool) -> None:
        """Write changed settings every `PAUSE` seconds.

        While the first files load (`starting`), display options come from the command line. They are not
        stored as the user's choice.
        """
        before, preferences = self._options, state.interface.preferences
        self._options = {name: getattr(state.options, name) for name in (*FLAGS, *CHOICES)}
        for name, value in self._options.items():
            if starting or value == before.get(name, value):
                continue
            if name in FLAGS:
                preferences.look[name] = value
            else:
                setattr(preferences, name, value)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PAUSE
            self.write(state)

    def write(self, state: State) -> None:
        """Write changed settings now. Also take over the recent files that other windows have stored.

        If writing fails, the error is reported once.
        """
        preferences: Preferences = state.interface.preferences
        if self._path is None or preferences == self._written:
            return
        before, self._written = self._written, deepcopy(preferences)
        try:
            shared = settings.update(self._path, before, preferences).recent
            preferences.recent, self._written.recent = shared, [*shared]
        except ResourceError as error:
            state.say(str(error), "warning")
            self._path = None
