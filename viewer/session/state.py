"""The State: documents, their views, display options, messages; it needs no window.

The window and the headless commands fill and read the same State. Its methods keep it valid; work on files or
the GPU is requested with `viewer.session.requests`.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from viewer.errors import FormatError, ViewerError
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.comparison import CompareMode
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, ByteItem, Item, KeyItem
from viewer.scene.names import path_key, short_names
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.session.comparison_result import ComparisonResult
from viewer.session.file_list import FileList
from viewer.session.interface import Interface
from viewer.session.item_lookup import ByteOwner, exists
from viewer.session.layouts import DIFFERENCES
from viewer.session.pending_files import FileProgress, PendingFiles
from viewer.session.undoable import UndoableState
from viewer.session.view import DocumentView
from viewer.view.playlist import settled
from viewer.view.view_info import ViewInfo


class Message(Struct, frozen=True):
    """A message to the user. `kind` is `note`, `warning` or `error`."""

    text: str
    kind: str = "note"


class State(UndoableState, eq=False):
    """The documents and the session; `recording` is the progress text of a film, or empty; `exporting` is
    the model that is written, None without one.

    `interface` is the window around the picture, `files` the listed folder or package. `partner` is a State
    with the other document of a comparison in view, see `viewer.session.comparison`, and `comparison_result`
    is what is known of both documents; None without a comparison.
    """

    messages: list[Message] = field(default_factory=list)
    interface: Interface = field(default_factory=Interface)
    pending_files: PendingFiles = field(default_factory=PendingFiles)
    files: FileList = field(default_factory=FileList)
    recording: str = ""
    exporting: FileProgress | None = None
    view_info: ViewInfo = field(default_factory=ViewInfo)
    partner: State | None = None
    comparison_result: ComparisonResult | None = None
    _owner: ByteOwner = field(default_factory=ByteOwner)

    def put(self, document: Document) -> None:
        """Add a document, or replace the document with the same path.

        A new document comes into view, unless it is an animation for the model in view; a reloaded document
        keeps its view.
        """
        keys = [path_key(opened.path) for opened in self.documents]
        if path_key(document.path) in keys:
            number = keys.index(path_key(document.path))
            self._views[document] = view = self._views.pop(self.documents[number], DocumentView.of(document))
            self.documents[number] = document
            view.selection.group, view.checked = (), None
            view.history.resume()
            self.keep_playing()
            return
        self.documents.append(document)
        if document.unread and document.data:
            offset = document.report.errors[0].offset
            self.view_of(document).selection.pick(ByteItem(min(offset, len(document.data) - 1)))
        if not isinstance(document.content, Animation) or self.skeleton is None:
            self.show(len(self.documents) - 1)

    def show(self, number: int) -> None:
        """Bring a document into view with its own camera, time and display. The compared document and the
        document in view change places."""
        if number != self.current:
            self.history.resume()
            if self.document is not None and self.documents[number : number + 1] == [self.compared]:
                self.comparison = replace(self.comparison, other=self.document.path)
        self.current = number
        self.keep_playing()
        document = self.document
        if document is not None and isinstance(document.content, CompiledShader | CompiledScript):
            self.interface.front = "chunks"  # nothing in it plays: its page refers to its bytes

    def close(self, number: int) -> None:
        """Close a document; if it was in view, the document before it comes into view. The comparison with it
        ends."""
        gone, compared = self.documents[number], self.compared
        if compared is not None and (gone is compared or number == self.current):
            self.compare(None)
            self.partner = None
            self.interface.note(f"The comparison ended: {short_names([gone.path])[0]} was closed")
            self.history.resume()
        self._views.pop(self.documents.pop(number), None)
        if number == self.current:
            self.show(max(number - 1, 0))
        else:
            self.current -= number < self.current
            self.keep_playing()

    def compare(self, mode: CompareMode | None, other: Document | None = None) -> None:
        """Compare the document in view with another one (None: with the same as before, else the next model);
        without a mode the comparison ends. Nothing happens if no other model is open. For distances the panel
        of the differences comes to the front."""
        if mode is not None and not self.comparable:
            return
        self.comparison = replace(self.comparison, mode=mode)
        if mode is CompareMode.DISTANCE:
            self.interface.front = DIFFERENCES
        other = other or self.compared
        if other is not None:
            self.comparison = replace(self.comparison, other=other.path)

    def adopt(self, other: State) -> None:
        """Add the document in view of another State with its view; the document in view stays."""
        if other.document is not None:
            self.documents.append(other.document)
            self._views[other.document] = other.view

    def exchange(self, old: Document) -> None:
        """Replace the document `old` by the newest document; camera and time stay, as far as they fit."""
        number, new = self.documents.index(old), self.documents.pop()
        self.view_of(new).follow(self.view_of(old))
        self._views.pop(old)
        self.documents[number] = new
        self.show(number)

    def lead(self) -> None:
        """Apply the view of the document in view to all other documents, as far as it fits them."""
        for document in self.documents:
            if document is not self.document:
                self.view_of(document).follow(self.view)

    def see(self, view: str, turned: float = 0.0) -> None:
        """Turn the camera to a named view, plus `degrees` of yaw."""
        self.camera = (self.orbit or Orbit()).seen_from(view).turned(turned, 0.0)

    def purge(self) -> None:
        """Begin a frame: update the hover, drop finished fades and missing selected items."""
        self.selection.turn()
        if any(each.fade for each in self.playlist):
            self.mix(settled(self.playlist, self.clock.time))
        if not exists(self, self.selection, self.selection.hover):
            self.selection.hover = None
        if not exists(self, self.selection, self.selection.picked):
            self.selection.picked = None
        focus = self.focus
        if isinstance(focus, BoneItem):
            self.view.bone = focus.number

    @property
    def focus(self) -> Item | None:
        """The selected item; for a byte of the document in view, the item that owns it."""
        picked, document = self.selection.picked, self.document
        if not isinstance(picked, ByteItem) or document is None:
            return picked
        return self._owner.of(picked, document) if self.selection.source in (None, document) else picked

    @property
    def marked(self) -> Item | None:
        """The item to highlight in picture and outline: the focus; for a key, the bone that it moves."""
        focus, bone = self.focus, self.view.bone
        return BoneItem(bone) if isinstance(focus, KeyItem) and bone is not None else focus

    def say(self, text: str, kind: str = "note") -> None:
        """Add a line to the messages."""
        self.messages.append(Message(text, kind))

    def complain(self, error: ViewerError | FormatError) -> None:
        """Add an error to the messages."""
        self.say(str(error), "error")
