"""The user's choices about reading in a session."""

from __future__ import annotations

import os
from typing import Any

from msgspec.structs import replace

from viewer.scene.reading_context import ReadingContext, name_key, reading_context
from viewer.session.preferences import Preferences

AUTOMATIC = "automatic"
"""The setting for a client whose version follows from its archives."""


class ReadingChoices:
    """`given` are the options of the command line, which override the settings. `folders` are searched too,
    until the session ends; `chosen` are the files that the user chose for missing names.
    """

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}
        self.folders: list[str] = []
        self.chosen: dict[str, str] = {}

    def choose(self, name: str, path: str) -> None:
        """Use a file for a missing name, and search its folder for other files."""
        self.chosen[name_key(name)] = os.path.abspath(path)
        self.folders.append(os.path.dirname(os.path.abspath(path)))

    def context(self, preferences: Preferences) -> ReadingContext:
        """The context in which the session reads files."""
        set_up: dict[str, Any] = {
            "max_size": preferences.max_size,
            "search": preferences.search,
            "client": "" if preferences.client == AUTOMATIC else preferences.client,
            "archive_order": preferences.archive_order,
        }
        resources = *self.given.get("resources", ()), *self.folders, *preferences.resources
        made = reading_context(**{**set_up, **self.given, "resources": resources})
        return replace(made, chosen=tuple(self.chosen.items()))
