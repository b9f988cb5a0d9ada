"""The State: documents, time, camera, look, selection, messages; it needs no window.

The window and the headless commands fill and read the same State. Its methods keep it valid; work on files or
the GPU is requested with `viewer.session.requests`.
"""

from __future__ import annotations

from dataclasses import field

from viewer.dataclass import dataclass
from viewer.errors import FormatError, ViewerError
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, ByteItem, Item, KeyItem
from viewer.scene.names import place
from viewer.scene.playlist import settled
from viewer.scene.script import CompiledScript
from viewer.scene.selection import Selection
from viewer.scene.shader import CompiledShader
from viewer.scene.view_info import ViewInfo
from viewer.session.interface import Interface
from viewer.session.owner import ByteOwner, exists
from viewer.session.pending_files import PendingFiles
from viewer.session.playback import PlaybackState
from viewer.session.undo import History


@dataclass(frozen=True, slots=True)
class Message:
    """A message to the user. `kind` is `note`, `warning` or `error`."""

    text: str
    kind: str = "note"


@dataclass(slots=True, eq=False)
class State(PlaybackState):
    """The documents and the session; `recording` is the progress text of a film, or empty.

    `interface` is the window around the picture.
    """

    selection: Selection = field(default_factory=Selection)
    messages: list[Message] = field(default_factory=list)
    interface: Interface = field(default_factory=Interface)
    opening: PendingFiles = field(default_factory=PendingFiles)
    history: History = field(default_factory=History)
    recording: str = ""
    seen: ViewInfo = field(default_factory=ViewInfo)
    _owner: ByteOwner = field(default_factory=ByteOwner)

    def put(self, document: Document) -> None:
        """Add a document, or replace the document with the same path.

        A new document comes into view, unless it is an animation for the model in view; a reloaded document
        keeps camera, time and look.
        """
        places = [place(opened.path) for opened in self.documents]
        if place(document.path) in places:
            self.documents[places.index(place(document.path))] = document
            self.keep_playing()
            return
        self.documents.append(document)
        if not isinstance(document.content, Animation) or self.skeleton is None:
            self.show(len(self.documents) - 1)

    def show(self, number: int) -> None:
        """Bring a document into view and drop the selection of the previous document."""
        if number == self.current and len(self.documents) > 1:
            return
        self.current = number
        self.look.morphs.clear()
        self.look.textures.clear()
        geometries = self.model.geometries if self.model else ()
        self.look.hidden = {number for number, geometry in enumerate(geometries) if not geometry.shown}
        self.look.bone = self.look.lod = self.look.through = None
        self.selection = Selection()
        self.keep_playing()
        if self.document is not None and isinstance(self.document.content, CompiledShader | CompiledScript):
            self.interface.front = "chunks"  # nothing in it plays: its page refers to its bytes

    def close(self, number: int) -> None:
        """Close a document; if it was in view, the document before it comes into view."""
        del self.documents[number]
        shown = self.current - (number <= self.current and self.current > 0)
        if number == self.current:
            self.current = len(self.documents)
            self.show(shown)
        else:
            self.current = shown
            self.keep_playing()

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
            self.look.bone = focus.number

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
        focus, bone = self.focus, self.look.bone
        return BoneItem(bone) if isinstance(focus, KeyItem) and bone is not None else focus

    def say(self, text: str, kind: str = "note") -> None:
        """Add a line to the messages."""
        self.messages.append(Message(text, kind))

    def complain(self, error: ViewerError | FormatError) -> None:
        """Add an error to the messages."""
        self.say(str(error), "error")
