"""Carries out what the user gives for missing files: a file for a name, or a resource folder."""

from __future__ import annotations

import os

from viewer.session.requests import AddResourceFolder, GiveFile, RemoveResourceFolder
from viewer.session.state import State
from viewer.storage.resource_folders import choose_file, forget_resources, prefer_resources


class MissingFiles:
    """Each method returns whether the open files have to be read again."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._beside: list[str] = []

    def take(self, request: GiveFile | AddResourceFolder | RemoveResourceFolder) -> bool:
        """Carry out a request that has its path."""
        preferences = self._state.interface.preferences
        match request:
            case GiveFile(_, int(texture), str(path)):
                self._state.view.textures[texture] = path
                return False
            case GiveFile(name, None, str(path)):
                choose_file(name, path)
                self._beside.append(os.path.dirname(os.path.abspath(path)))
            case AddResourceFolder(_, str(path)):
                path = os.path.abspath(path)
                preferences.resources = [*dict.fromkeys((*preferences.resources, path))]
                self._state.say(f"Missing files are searched in {path} too")
            case RemoveResourceFolder(path):
                preferences.resources = [each for each in preferences.resources if each != path]
        prefer_resources((*self._beside, *preferences.resources))
        return True

    def forget(self) -> None:
        """Search all resource folders anew when files are read the next time."""
        forget_resources()

    def close(self) -> None:
        """Leave no resource folders behind for another App of the process."""
        prefer_resources(())
