"""A file that is being opened, and the function that opens it in a task."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from viewer.app.open_files.clip_rigs import with_rig
from viewer.app.open_files.loading import LoadResult, Opener
from viewer.app.open_files.model_files import list_order, open_path
from viewer.app.open_files.table_reference import open_beside
from viewer.app.tasks import Task
from viewer.errors import FormatError, ResourceError
from viewer.scene.characters import CharacterLook
from viewer.scene.document import Document
from viewer.scene.looks import display_choice
from viewer.scene.model import Model
from viewer.scene.reading_context import ReadingContext
from viewer.session.documents import ClosedTab
from viewer.session.requests import OpenRow
from viewer.session.state import State
from viewer.session.view import DocumentView
from viewer.storage.documents import open_document, open_joined, wearing


class Opening(Struct, eq=False):
    """A file that is being opened: `task` reads it to `loaded`, then uploads it.

    `first`: the path was given at the start of the program. `asked`: the user opened it. `replaced`: the
    document that closes when this one opens. `listed`: the file was read after its project's files were
    listed, so it is not read a second time. `patient`: see `load`. `closed`: the closed tab that opens again.
    `awaited`: the user waits for it. `row`: the row to select, if a reference to a row of a table is
    followed. `display`: the choice of the display or look that an open document is to wear; the file of this
    document is not read again. `added`: the files whose models are joined to the model; with None, the files
    that are joined to the open document stay. `opener`, if given, opens the file instead of `open_path`.
    """

    path: str
    first: bool = False
    asked: bool = False
    replaced: Document | None = None
    keeps_camera: bool = False
    listed: bool = False
    patient: bool = False
    closed: ClosedTab | None = None
    row: OpenRow | None = None
    display: str | CharacterLook | None = None
    added: tuple[str, ...] | None = None
    opener: Opener | None = None
    awaited: bool = False
    task: Task | None = None
    loaded: LoadResult | None = None


def opener_of(opening: Opening, state: State) -> Opener:
    """The function that opens the file in a task. An open creature keeps its display."""
    if opening.opener is not None:
        return opening.opener
    row, display, skeleton, closed = opening.row, opening.display, state.skeleton, opening.closed
    shown, context = state.documents.at(opening.path), state.context
    if row is not None:
        return lambda _: open_beside(row, context)
    known = closed.view if closed is not None else state.documents.view_of(shown) if shown else None
    added = opening.added if known is None or opening.added is not None else known.added
    if added:
        return lambda path: _with_added(open_path(path, context), added, context)
    if closed is not None:
        return lambda path: _still_wearing(
            with_rig(open_path(path, context), skeleton), chosen_look(closed.view)
        )
    if shown is None or not (shown.displays.listed or shown.character is not None):
        order = list_order(state.interface.preferences)
        return lambda path: with_rig(open_path(path, context, order), skeleton)
    if display is not None:
        return lambda _: wearing(shown, display)
    kept = chosen_look(state.documents.view_of(shown))
    return lambda path: _still_wearing(with_rig(open_path(path, context), skeleton), kept)


def _with_added(first: Document, paths: Sequence[str], context: ReadingContext) -> Document:
    """Join the models of the files at `paths` to a document. What is no model is an error in its report."""
    if not isinstance(first.content, Model):
        return first
    joined, *others = open_joined(
        (first.path, *paths), lambda path: first if path == first.path else open_document(path, context)
    )
    for each in others:
        joined.report.fail(FormatError("is no model that can be added to the view", file=each.path))
    return joined


def chosen_look(view: DocumentView) -> str | CharacterLook:
    """The chosen display or look of a view, in the form that `wearing` takes."""
    return view.display if isinstance(view.display, CharacterLook) else display_choice(view.display)


def _still_wearing(document: Document, choice: str | CharacterLook) -> Document:
    """Return a reloaded document that wears its earlier display or look. If these no longer exist, it wears
    the first display or look.
    """
    try:
        return wearing(document, choice)
    except ResourceError:
        return document
