"""The user's reactions to missing files."""

from __future__ import annotations

import os

from viewer.session.requests import AddResourceFolder, GiveFile, RemoveResourceFolder
from viewer.session.state import State
from viewer.storage.resource_folders import forget_resources


class MissingFiles:
    """The resource folders, and the file chosen for each missing name."""

    def __init__(self, state: State) -> None:
        self._state = state

    def take(self, request: GiveFile | AddResourceFolder | RemoveResourceFolder) -> bool:
        """Carry out a request with the path that the user has chosen; return whether the open files must be
        read again.
        """
        preferences = self._state.interface.preferences
        match request:
            case GiveFile(_, int(texture), str(path)):
                self._state.view.textures[texture] = path
                return False
            case GiveFile(name, None, str(path)):
                self._state.reading.choose(name, path)
            case AddResourceFolder(_, str(path)):
                path = os.path.abspath(path)
                preferences.resources = [*dict.fromkeys((*preferences.resources, path))]
                self._state.say(f"Missing files are now also searched in {path}")
            case RemoveResourceFolder(path):
                preferences.resources = [each for each in preferences.resources if each != path]
        return True

    def forget(self) -> None:
        """Clear the listings of the resource folders. They are listed again when the next file is opened."""
        forget_resources()
