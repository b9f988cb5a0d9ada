"""The files around the document in view: previous and next file, and the models that fit a lone animation."""

from __future__ import annotations

from collections.abc import Callable

from viewer.actions.bindings import shown_key
from viewer.app.background_tasks import BackgroundTasks
from viewer.app.folders import companions, neighbour
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.session.pending_files import FolderPosition, MatchingModel
from viewer.session.state import State


class NeighbourFiles:
    """Searches folders in the background; results are delivered between two frames."""

    def __init__(self, state: State, errands: BackgroundTasks) -> None:
        self._state = state
        self._errands = errands
        self._stepped: tuple[Document, str] | None = None
        self._told = False

    def look(self, by: int, keep_camera: bool, then: Callable[[str, Document], None]) -> None:
        """Find the file `by` positions further; `then` gets it and the document that it replaces.

        The search continues from the last file found, even if that file is not loaded yet or cannot be read.
        A user whose camera would be reset (without `keep_camera`) is told once how to keep it.
        """
        document = self._state.document
        if document is None:
            return
        going_on = self._stepped is not None and self._stepped[0] is document
        path = self._stepped[1] if going_on and self._stepped else document.path

        def take(found: FolderPosition | None, error: str) -> None:
            """Take the result."""
            if found is None:
                why = (
                    f"The folder cannot be read: {error}"
                    if error
                    else "No other file of this kind in the folder"
                )
                self._state.say(why, "warning")
                return
            if not keep_camera and self._state.camera != self._state.home:
                self._tell()
            self._stepped, self._state.opening.stepped = (document, found.path), found
            then(found.path, document)

        self._errands.run(take, neighbour, path, document.format, by)

    def _tell(self) -> None:
        """Tell the user once how to keep the view."""
        kept = self._state.interface.kept
        keys = " and ".join(
            filter(None, (shown_key(kept, f"{way}_file_same_view") for way in ("previous", "next")))
        )
        if not self._told:
            self._state.say(f"To keep the view, press {keys}, or always: File › Keep view between files")
        self._told = True

    def accompany(self) -> None:
        """Search, once, for the models that fit the lone animation in view."""
        document, known = self._state.document, self._state.opening.companions
        if document is None or document.path in known or self._state.skeleton is not None:
            return
        if not isinstance(document.content, Animation):
            return
        path = document.path
        known[path] = None

        def take(found: tuple[MatchingModel, ...] | None, error: str) -> None:
            """Take the result."""
            known[path] = found or ()

        self._errands.run(take, companions, path, document.content)
