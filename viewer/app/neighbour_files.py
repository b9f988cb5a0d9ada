"""What lies beside the document in view: the files before and after it, the models of a lone animation."""

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
    """Looks around without waiting: what it finds is handed out in between two frames."""

    def __init__(self, state: State, errands: BackgroundTasks) -> None:
        self._state = state
        self._errands = errands
        self._stepped: tuple[Document, str] | None = None
        self._told = False

    def look(self, by: int, keep_camera: bool, then: Callable[[str, Document], None]) -> None:
        """Find the file `by` places further; `then` gets it and the document whose place it takes.

        It goes on from the last one found, even where that is not in view yet or cannot be read. Who is about
        to lose a view of their own (not `keep_camera`) is told once how to keep it.
        """
        document = self._state.document
        if document is None:
            return
        going_on = self._stepped is not None and self._stepped[0] is document
        path = self._stepped[1] if going_on and self._stepped else document.path

        def take(found: FolderPosition | None, error: str) -> None:
            if found is None:
                why = f"The folder cannot be read: {error}" if error else "There is no other such file here"
                self._state.say(why, "warning")
                return
            if not keep_camera and self._state.camera != self._state.home:
                self._tell()
            self._stepped, self._state.opening.stepped = (document, found.path), found
            then(found.path, document)

        self._errands.run(take, neighbour, path, document.format, by)

    def _tell(self) -> None:
        """Say once how the view is kept."""
        kept = self._state.interface.kept
        keys = " and ".join(
            filter(None, (shown_key(kept, f"{way}_file_same_view") for way in ("previous", "next")))
        )
        if not self._told:
            self._state.say(f"To keep the view: {keys}, or always: File › Keep the view between files")
        self._told = True

    def accompany(self) -> None:
        """Look for the models of a lone animation that is in view, once."""
        document, known = self._state.document, self._state.opening.companions
        if document is None or document.path in known or self._state.skeleton is not None:
            return
        if not isinstance(document.content, Animation):
            return
        path = document.path
        known[path] = None

        def take(found: tuple[MatchingModel, ...] | None, error: str) -> None:
            known[path] = found or ()

        self._errands.run(take, companions, path, document.content)
