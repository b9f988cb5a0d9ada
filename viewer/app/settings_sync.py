"""Reads the settings when the program starts and writes them when they change."""

from __future__ import annotations

import time
from copy import deepcopy
from pathlib import Path
from typing import Any

from viewer.actions.bindings import unknown
from viewer.actions.presets import PRESETS
from viewer.errors import ResourceError
from viewer.scene.picture_options import PICTURE_SETTINGS
from viewer.session import settings
from viewer.session.preferences import Preferences
from viewer.session.state import State

PAUSE = 1.0
"""Seconds between two checks for changes."""
OPTIONS = tuple(row.name for row in PICTURE_SETTINGS)
"""The display options that are settings of the same name."""


class SettingsSync:
    """Keeps `state.interface.preferences` equal to a file; without a path nothing is stored."""

    def __init__(self, path: Path | None, state: State) -> None:
        self._path = path
        self._options: dict[str, tuple[Any, Any]] = {}
        self._next = time.monotonic() + PAUSE
        if path is not None:
            self._read(path, state)
        preferences = state.interface.preferences
        self._written = deepcopy(preferences)

    def _read(self, path: Path, state: State) -> None:
        try:
            stored = settings.read_stored(path)
            state.interface.preferences = stored.preferences
            for remark in stored.remarks:
                state.say(remark, "warning")
        except ResourceError as error:
            state.say(str(error), "warning")
        preferences = state.interface.preferences
        for name in OPTIONS:
            setattr(state.options, name, getattr(preferences, name))
        for name in unknown(preferences):
            state.say(f"settings: there is no action {name}", "warning")
        if preferences.preset not in PRESETS:
            state.say(
                f"settings: there is no preset {preferences.preset}; choose {', '.join(PRESETS)}", "warning"
            )

    def tick(self, state: State, starting: bool) -> None:
        """Apply changed settings, and write them every `PAUSE` seconds.

        While the first files load (`starting`), display options come from the command line. They are not
        stored as the user's choice.
        """
        self._join_options(state, starting)
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PAUSE
            self.write(state)

    def _join_options(self, state: State, starting: bool) -> None:
        """Make each display option equal to the setting of the same name. Of the two, the value that
        changed since the last frame is copied to the other. If both changed, the setting is copied.
        """
        preferences, options = state.interface.preferences, state.options
        for name in OPTIONS:
            option, setting = getattr(options, name), getattr(preferences, name)
            known_option, known_setting = self._options.get(name, (option, setting))
            if setting != known_setting:
                setattr(options, name, setting)
            elif option != known_option and not starting:
                setattr(preferences, name, option)
            self._options[name] = getattr(options, name), getattr(preferences, name)

    def write(self, state: State) -> None:
        """Write changed settings now. Also take over the recent files that other windows have stored.

        If writing fails, the error is reported once.
        """
        preferences: Preferences = state.interface.preferences
        if self._path is None or preferences == self._written:
            return
        before, self._written = self._written, deepcopy(preferences)
        try:
            shared = settings.update(self._path, before, preferences)
            for name in ("recent", "recent_folders"):
                setattr(preferences, name, getattr(shared, name))
                setattr(self._written, name, [*getattr(shared, name)])
        except ResourceError as error:
            state.say(str(error), "warning")
            self._path = None
