"""The opened files, and the view of each file."""

from __future__ import annotations

from msgspec import Struct, field

from viewer.animation.clock import Clock
from viewer.scene.camera import MatrixCamera, Orbit
from viewer.scene.comparison import Comparison
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.names import path_key
from viewer.session.timeline_view import TimelineView
from viewer.session.undo import History
from viewer.session.view import DocumentView
from viewer.view.playlist import Playlist
from viewer.view.selection import Selection


class OpenDocuments(Struct, eq=False):
    """`documents` are the opened files, `current` the number of the document in view. `options` are the
    display options of all documents, and `comparison` says how the document in view is compared with another
    one; all other settings belong to the view of one document.
    """

    documents: list[Document] = field(default_factory=list)
    current: int = 0
    options: DisplayOptions = field(default_factory=DisplayOptions)
    comparison: Comparison = field(default_factory=Comparison)
    _views: dict[Document | None, DocumentView] = field(default_factory=dict)

    @property
    def document(self) -> Document | None:
        """The document in view."""
        documents, current = self.documents, self.current
        return documents[current] if current < len(documents) else None

    @property
    def comparable(self) -> list[Document]:
        """The other models, which the document in view can be compared with; empty if it is no model."""
        shown = self.document
        if shown is None or shown.model is None:
            return []
        behind, before = self.documents[self.current + 1 :], self.documents[: self.current]
        return [each for each in (*behind, *before) if each.model is not None]

    @property
    def compared(self) -> Document | None:
        """The document that the document in view is compared with; None while there is no comparison."""
        if self.comparison.mode is None:
            return None
        wanted, others = path_key(self.comparison.other), self.comparable
        return next((each for each in others if path_key(each.path) == wanted), next(iter(others), None))

    @property
    def view(self) -> DocumentView:
        """The view of the document in view."""
        return self.view_of(self.document)

    def view_of(self, document: Document | None) -> DocumentView:
        """The view of a document; None: the view of the empty window."""
        found = self._views.get(document)
        if found is None:
            found = self._views[document] = DocumentView.of(document)
        return found

    @property
    def clock(self) -> Clock:
        """The clock of the document in view."""
        return self.view.clock

    @property
    def camera(self) -> Orbit | MatrixCamera:
        """The camera of the picture: the user's camera, or the active camera of the file. Setting it sets the
        user's camera.
        """
        view = self.view
        return (
            view.camera
            if view.file_camera_number is None or view.matrix_camera is None
            else view.matrix_camera
        )

    @camera.setter
    def camera(self, camera: Orbit | MatrixCamera) -> None:
        view = self.view
        view.camera, view.file_camera_number, view.matrix_camera = camera, None, None

    @property
    def home(self) -> Orbit | MatrixCamera:
        """The first camera of the document in view."""
        return self.view.home

    @home.setter
    def home(self, camera: Orbit | MatrixCamera) -> None:
        self.view.home = camera

    @property
    def timeline(self) -> TimelineView:
        """The view state of the timeline for the document in view."""
        return self.view.timeline

    @property
    def playlist(self) -> Playlist:
        """The playing animations of the document in view; empty for the rest pose."""
        return self.view.playlist

    @playlist.setter
    def playlist(self, playlist: Playlist) -> None:
        self.view.playlist = playlist

    @property
    def selection(self) -> Selection:
        """The selected and the hovered item of the document in view."""
        return self.view.selection

    @property
    def history(self) -> History:
        """The undo steps of the document in view."""
        return self.view.history
