"""The open files, the view of each file, and the comparison of two files."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from viewer.scene.animation import Animation
from viewer.scene.comparison import Comparison
from viewer.scene.document import Document
from viewer.scene.items import Item
from viewer.scene.model import Model
from viewer.scene.names import file_name, path_key
from viewer.scene.parts import NAMED, PartOwner, names_of, part_names
from viewer.scene.skeleton import Skeleton
from viewer.session.history import History
from viewer.session.view import DocumentView

MOST_CLOSED = 50
"""The largest number of closed tabs that can be reopened."""


class ClosedTab(Struct, frozen=True, eq=False):
    """A closed document: its path, its view, and the index of its tab before the tab was closed. `names` are
    the names of morphs, geometries and bones, to which the view refers by number.

    The view refers to no data of the file, so the memory of the file is free.
    """

    path: str
    number: int
    view: DocumentView
    names: dict[type[Item], tuple[str, ...]]

    @classmethod
    def of(cls, document: Document, number: int, view: DocumentView) -> ClosedTab:
        """Make the closed tab of a document; `view` is changed. The undo steps are dropped."""
        view.history, view.checked, view.beside = History(), None, None
        view.playlist = tuple(
            replace(each, animation=_without_keys(each.animation), fade=None) for each in view.playlist
        )
        return cls(document.path, number, view, {kind: tuple(names_of(document, kind)) for kind in NAMED})


def _without_keys(animation: Animation) -> Animation:
    """Make an animation with the same name and file, but without keys."""
    return Animation(animation.name, animation.duration, (), source=animation.source)


class OpenDocuments(Struct, eq=False):
    """The open files, the index `current` of the document in view, and its `comparison` with another
    document.

    All other settings of a document are in its view in `views`. `closed` lists the documents that were closed
    and not opened again, the latest last.
    """

    opened: list[Document] = field(default_factory=list)
    current: int = 0
    comparison: Comparison = field(default_factory=Comparison)
    views: dict[Document | None, DocumentView] = field(default_factory=dict)
    closed: list[ClosedTab] = field(default_factory=list)

    @property
    def document(self) -> Document | None:
        """The document in view; None if no file is open."""
        opened, current = self.opened, self.current
        return opened[current] if current < len(opened) else None

    @property
    def view(self) -> DocumentView:
        """The view of the document in view."""
        document = self.document
        return self.views.get(document) or self.view_of(document)

    def view_of(self, document: Document | None) -> DocumentView:
        """Return the view of a document; for None, return the view of the empty window."""
        found = self.views.get(document)
        if found is None:
            found = self.views[document] = DocumentView.of(document)
        return found

    def at(self, path: str) -> Document | None:
        """Return the open document with this path; None if no such document is open."""
        key = path_key(path)
        return next((each for each in self.opened if path_key(each.path) == key), None)

    def add(self, document: Document) -> None:
        """Append a document, and remove it from the closed documents."""
        self.opened.append(document)
        self.closed = [each for each in self.closed if path_key(each.path) != path_key(document.path)]

    def remove(self, number: int) -> None:
        """Remove the document with the index `number`; its tab can be reopened."""
        gone = self.opened.pop(number)
        view = self.views.pop(gone, None) or DocumentView.of(gone)
        self.closed = [*self.closed, ClosedTab.of(gone, number, view)][-MOST_CLOSED:]

    def move_last(self, number: int) -> None:
        """Move the last document to the index `number`. The document in view stays in view."""
        shown, last = self.document, self.opened.pop()
        self.opened.insert(number, last)
        if shown is not None:
            self.current = self.opened.index(shown)

    @property
    def model(self) -> Model | None:
        """The model in view; None if there is none."""
        document = self.document
        return document.model if document is not None else None

    @property
    def skeleton(self) -> Skeleton | None:
        """The skeleton of the model in view, or the lone skeleton in view; None for any other document."""
        return self.model.skeleton if self.model is not None else None

    def names(self, noun: str) -> Sequence[str]:
        """The names of all parts of a kind in the document in view, by number."""
        return part_names(PartOwner.shown(self.document), noun)

    @property
    def lods(self) -> int:
        """The number of levels of detail: the largest number that a geometry has."""
        return max((len(geometry.lods) for geometry in self.model.geometries), default=0) if self.model else 0

    @property
    def comparable(self) -> list[Document]:
        """The open models that can be compared with the model in view; empty if no model is in view.

        Models whose files have the same name as the file in view come first. Otherwise, the models of the
        tabs behind the tab in view come first, then the models of the tabs in front of it. In both parts the
        nearest tab comes first.
        """
        shown = self.document
        if shown is None or shown.model is None:
            return []
        behind, before = self.opened[self.current + 1 :], self.opened[: self.current]
        others = [each for each in (*behind, *reversed(before)) if each.model is not None]
        name = file_name(shown.path)
        return sorted(others, key=lambda each: file_name(each.path) != name)

    @property
    def compared(self) -> Document | None:
        """The document that is compared with the document in view, which may be the same document; None if
        there is no comparison.
        """
        if self.comparison.mode is None:
            return None
        if self.comparison.itself:
            return self.document if self.model is not None else None
        wanted, others = path_key(self.comparison.other), self.comparable
        return next((each for each in others if path_key(each.path) == wanted), next(iter(others), None))


def foremost(documents: Sequence[Document]) -> int | None:
    """Choose the index of the document to show when several documents are opened together.

    The first model is chosen. Without a model, the first document that is not a lone animation is chosen.
    None if all are animations.
    """
    models = (number for number, each in enumerate(documents) if each.model is not None)
    others = (number for number, each in enumerate(documents) if not isinstance(each.content, Animation))
    return next(models, next(others, None))
