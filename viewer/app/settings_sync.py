"""Reads the settings when the program starts, and writes them when they change."""

from __future__ import annotations

import time
from copy import deepcopy
from pathlib import Path

from viewer.actions.bindings import PRESETS, unknown
from viewer.errors import ResourceError
from viewer.scene.shading import MissingTextures, Quality
from viewer.session import settings
from viewer.session.interface import Preferences
from viewer.session.state import State
from viewer.storage.reading import prefer_size
from viewer.storage.resource_folders import prefer_resources

PAUSE = 1.0
"""Seconds between two looks for changes."""
FLAGS = ("grid", "axes")
"""The flags of the display options that are stored."""


class SettingsSync:
    """Keeps `state.interface.preferences` in a file; without a path nothing is stored."""

    def __init__(self, path: Path | None, state: State) -> None:
        self._path = path
        self._flags: dict[str, bool] = {}
        self._missing, self._quality = state.options.missing, state.options.quality
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
        for name, value in preferences.look.items():
            if name in FLAGS:
                setattr(state.options, name, value)
        state.options.missing = MissingTextures(preferences.missing)
        state.options.quality = Quality(preferences.quality)
        for name in unknown(preferences):
            state.say(f"settings: no action is called {name}", "warning")
        if preferences.preset not in PRESETS:
            state.say(
                f"settings: no keys are called {preferences.preset}, only {', '.join(PRESETS)}", "warning"
            )

    def tick(self, state: State, starting: bool) -> None:
        """Check for changes every few seconds and write them.

        While the first files are `starting` to load, the display options come from the command line and are
        not a change by the user.
        """
        now = {name: getattr(state.options, name) for name in FLAGS}
        if not starting:
            changed = {name: now[name] for name in FLAGS if self._flags.get(name, now[name]) != now[name]}
            state.interface.preferences.look |= changed
            if state.options.missing is not self._missing:
                state.interface.preferences.missing = state.options.missing.value
            if state.options.quality is not self._quality:
                state.interface.preferences.quality = state.options.quality.value
        self._flags = now
        self._missing, self._quality = state.options.missing, state.options.quality
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PAUSE
            self.write(state)

    def write(self, state: State) -> None:
        """Write changed settings now, and take over the files that other windows opened.

        A file that cannot be written is reported once.
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
