"""Finds the files that a game's tables name by their paths in the game."""

from __future__ import annotations

import os
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.scene.reading_context import name_key
from viewer.storage.search import FoundResource, SearchPath
from viewer.storage.source import Source


class GameFiles:
    """Finds files by their paths in the game, for the model of a document. Each answer is cached. A source in
    which one file was found is the first to be searched for the next file.
    """

    def __init__(self, document: Document) -> None:
        self.model = document.path
        self.search = SearchPath.around(document.path, document.context)
        self._known: list[Source] = []
        self._found: dict[str, FoundResource | None] = {}

    def find(self, name: str) -> FoundResource | None:
        """Find a file by its path in the game. None also for a name that leaves the game's folder."""
        key = name_key(name)
        if key not in self._found:
            self._found[key] = self._searched(name) if key.strip("/") else None
        return self._found[key]

    def path(self, name: str) -> str | None:
        """The path of the file with this path in the game."""
        found = self.find(name)
        return None if found is None else found.path

    def beside(self, name: str) -> bool:
        """Whether the file exists in one of the sources in which other files were found. `find` would search
        a missing file in all folders, which takes 100 times as long.
        """
        return any(source.find(name) is not None for source in self._known)

    def _searched(self, name: str) -> FoundResource | None:
        for source in self._known:
            stored = source.find(name)
            if stored is not None:
                return FoundResource(name, source.where(stored), source, stored, "table", "game")
        found = self.search.find(name, sole=True)
        if not isinstance(found, FoundResource):
            return None
        whole = found.stored.casefold() == name_key(name)
        if whole and found.source not in self._known:
            self._known.append(found.source)
        return replace(found, by="game", how="table")


def picture_path(name: str) -> str:
    """The path of a picture in the game. Tables name pictures without a suffix, or with `.tga`."""
    stem, suffix = os.path.splitext(name.strip())
    return f"{stem if suffix.lower() in ('.blp', '.tga') else name.strip()}.blp" if name.strip() else ""


_FILES: WeakKeyDictionary[Model, GameFiles] = WeakKeyDictionary()


def files_of(document: Document) -> GameFiles:
    """The files for the model of a document, dressed or not. Answers are kept until the model is read
    again.
    """
    bare = (document.bare or document).model
    if bare is None:
        return GameFiles(document)
    if bare not in _FILES:
        _FILES[bare] = GameFiles(document)
    return _FILES[bare]
