"""The State: documents, their views, display options and messages. It needs no window.

The window and the headless commands use the same State. Its methods keep it valid. Code that wants work on
files or the GPU posts a request of `viewer.session.requests`.
"""

from __future__ import annotations

import time
from collections.abc import Hashable

from msgspec import Struct
from msgspec.structs import replace

from viewer.errors import FormatError, ViewerError
from viewer.scene.animation import Animation
from viewer.scene.camera import Orbit
from viewer.scene.choices import CompareMode, UpAxis
from viewer.scene.display import DisplayOptions
from viewer.scene.document import Document
from viewer.scene.items import BoneItem, ByteItem, Item, KeyItem
from viewer.scene.material import Image
from viewer.scene.model import Model
from viewer.scene.names import short_names
from viewer.scene.reading_context import ReadingContext
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.skeleton import Skeleton
from viewer.scene.table import Table
from viewer.session.clips import gives_clips
from viewer.session.comparison_result import ComparisonResult, Following
from viewer.session.documents import OpenDocuments
from viewer.session.file_list import FileList
from viewer.session.interface import Interface
from viewer.session.item_lookup import ByteOwner, exists
from viewer.session.layouts import DIFFERENCES, LOOKS
from viewer.session.motion import MotionFindings
from viewer.session.pending_files import FileProgress, PendingFiles
from viewer.session.playback import DocumentPlayback
from viewer.session.reading import ReadingChoices
from viewer.session.undo import Undo
from viewer.session.view import DocumentView
from viewer.view.first_view import first_view, only_multiplies, visible_clip
from viewer.view.playlist import settled
from viewer.view.up_axis_guess import first_up
from viewer.view.view_info import ViewInfo
from viewer.view.view_snapshot import ViewSnapshot

STOOD_UP = "The bones show that +Z is up: the model is turned upright, see View › Up axis"


class UserMessage(Struct, frozen=True):
    """A message to the user. `kind` is `note`, `warning` or `error`; `time` is in seconds since 1970. `about`
    is what was done or tried; None if no repeat makes the message obsolete.
    """

    text: str
    kind: str = "note"
    about: Hashable = None
    time: float = 0.0


class State:
    """All values that the window shows: the open documents, their playback, the settings and the messages.

    Its parts are `documents` (the open files and their views), `playback` (the clips of the document in view,
    and its pose) and `undo`. `options` are the display options of all documents. `interface` is the state of
    the window around the picture, `files` the listed folder or package. `recording` is the film being
    recorded, and `exporting` is the model being exported; both may be None. During a comparison, `partner` is
    a second State with the other document in view, see `viewer.session.comparison`, and `comparison_result`
    is the result so far. `following` are the values that the partner last took over. `motion` is what the
    program says about the motion of the clip in view. `reading` are the choices about reading.
    """

    def __init__(self, documents: OpenDocuments | None = None, options: DisplayOptions | None = None) -> None:
        self.documents = documents or OpenDocuments()
        self.options = options or DisplayOptions()
        self.playback = DocumentPlayback(self.documents)
        self.undo = Undo(self.documents, self.playback, self.options)
        self.messages: list[UserMessage] = []
        self.interface = Interface()
        self.reading = ReadingChoices()
        self.pending_files = PendingFiles()
        self.files = FileList()
        self.recording: FileProgress | None = None
        self.exporting: FileProgress | None = None
        self.view_info = ViewInfo()
        self.partner: State | None = None
        self.following = Following()
        self.comparison_result: ComparisonResult | None = None
        self.motion = MotionFindings()
        self._owner = ByteOwner()

    @property
    def program_messages(self) -> list[UserMessage]:
        """The messages of the program, the latest first, without errors of open files, which the Problems
        panel lists.
        """
        opened = (each for top in self.documents.opened for each in (top, *top.attached))
        listed = {str(error) for each in opened for error in each.report.errors}
        return [each for each in reversed(self.messages) if each.text not in listed]

    @property
    def unseen_errors(self) -> list[UserMessage]:
        """The errors of the program that came after the user last looked at the list of messages."""
        new = [each for each in self.messages if each.kind == "error" and each.time > self.interface.seen]
        return [each for each in self.program_messages if each in new] if new else []

    @property
    def unfinished(self) -> tuple[FileProgress, ...]:
        """The recording, the export, and the tasks on listed files that have not ended."""
        batches = (
            FileProgress(each.title, *each.progress) for each in self.files.batches if each.result is None
        )
        return (*filter(None, (self.recording, self.exporting)), *batches)

    @property
    def document(self) -> Document | None:
        """The document in view."""
        return self.documents.document

    @property
    def context(self) -> ReadingContext:
        """The context in which files are read."""
        return self.reading.context(self.interface.preferences)

    @property
    def view(self) -> DocumentView:
        """The view of the document in view."""
        return self.documents.view

    @property
    def model(self) -> Model | None:
        """The model in view."""
        return self.documents.model

    @property
    def skeleton(self) -> Skeleton | None:
        """The skeleton in view."""
        return self.documents.skeleton

    @property
    def shows_picture(self) -> bool:
        """Whether a picture file is in view and not compared, so that its page replaces the 3D view."""
        document = self.document
        return (
            document is not None and isinstance(document.content, Image) and self.documents.compared is None
        )

    def put(self, document: Document) -> None:
        """Add a document, or replace the document with the same path.

        A new document comes into view, unless it has animations for the model in view. A reloaded document
        keeps its view.
        """
        old, views = self.documents.at(document.path), self.documents.views
        if old is not None:
            views[document] = view = views.pop(old, DocumentView.of(document))
            self.documents.opened[self.documents.opened.index(old)] = document
            view.selection.group = ()
            checked = view.checked if self.interface.preferences.check_files else None
            view.checked = None if checked is None else checked.kept
            if old.worn != document.worn:
                view.follow_display(old, document)
            self.playback.keep_playing()
            # What the user changes in this frame is an undo step. All looks that are shown while a slider is
            # dragged make one step.
            dressed = document.bare is not None and old.worn != document.worn
            view.history.resume(self.undo.values() if document is self.document else None, joins=dressed)
            return
        self.documents.add(document)
        if document.unread and document.data:
            offset = document.report.errors[0].offset
            self.documents.view_of(document).selection.pick(ByteItem(min(offset, len(document.data) - 1)))
        if not self.gives_clips(document):
            self.show(len(self.documents.opened) - 1)

    def gives_clips(self, document: Document) -> bool:
        """Whether a document does not come into view, because it has clips for the model in view."""
        if isinstance(document.content, Animation):
            return self.skeleton is not None
        return document is not self.document and gives_clips(document, self.document)

    def show(self, number: int) -> None:
        """Bring the document with the index `number` into view, with its own camera, time and display.

        If it is the partner of a comparison, the two compared documents swap their roles.
        """
        if number != self.documents.current:
            self.view.history.resume()
            if self.document is not None and self.documents.opened[number : number + 1] == [
                self.documents.compared
            ]:
                self.documents.comparison = replace(self.documents.comparison, other=self.document.path)
        self.documents.current = number
        self.playback.keep_playing()
        document = self.document
        if document is not None and isinstance(document.content, CompiledShader | CompiledScript | Table):
            self.interface.front = "chunks"  # the page of these documents links to the bytes
        if document is not None and document.character is not None:
            self.interface.front = LOOKS

    def close(self, number: int) -> None:
        """Close the document with the index `number`. A comparison with this document ends.

        If the document was in view, the document before it comes into view.
        """
        gone, compared = self.documents.opened[number], self.documents.compared
        if compared is not None and (gone is compared or number == self.documents.current):
            self.compare(None)
            self.partner = None
            self.interface.note(f"The comparison ended: {short_names([gone.path])[0]} was closed")
            self.view.history.resume()
        self.documents.remove(number)
        if number == self.documents.current:
            self.show(max(number - 1, 0))
        else:
            self.documents.current -= number < self.documents.current
            self.playback.keep_playing()

    def compare(self, mode: CompareMode | None, other: Document | None = None) -> None:
        """Compare the document in view with another document. If `mode` is None, the comparison ends.

        If `other` is None, the present partner stays; without a partner, the next model is chosen. If no
        other model is open, nothing happens. In the modes of distances and motions, the Differences panel
        comes to the front.
        """
        itself = self.documents.comparison.itself and mode is not None and other is None
        if mode is not None and not itself and not self.documents.comparable:
            return
        self.documents.comparison = replace(self.documents.comparison, mode=mode, itself=itself)
        if mode in (CompareMode.DISTANCE, CompareMode.MOTION):
            self.interface.front = DIFFERENCES
        other = other or self.documents.compared
        if other is not None and not itself:
            self.documents.comparison = replace(self.documents.comparison, other=other.path)

    def compare_with_itself(self) -> None:
        """Show the model in view on two sides. Each side has its own clips, time, speed and range.

        The Differences panel comes to the front.
        """
        comparison = self.documents.comparison
        self.documents.comparison = replace(comparison, mode=CompareMode.MOTION, itself=True)
        self.interface.front = DIFFERENCES

    def switch_side(self) -> None:
        """Bring the other side of a comparison into view, so that the panels are about it."""
        other = self.documents.compared
        if other is not None and other is not self.document:
            self.show(self.documents.opened.index(other))
        elif other is not None:
            view, second = self.view, self.view.second
            view.history.resume()
            view.beside, second.beside = None, view
            self.documents.views[other] = second

    def adopt(self, other: State) -> None:
        """Add the document in view of another State, together with its view.

        The document in view here stays.
        """
        if other.document is not None:
            self.documents.opened.append(other.document)
            self.documents.views[other.document] = other.view

    def exchange(self, old: Document) -> None:
        """Put the document that was opened last in the tab of `old`, and close `old`.

        Camera and time stay as far as they fit the new document.
        """
        number, new = self.documents.opened.index(old), self.documents.opened.pop()
        self.documents.view_of(new).follow(self.documents.view_of(old))
        self.documents.views.pop(old)
        self.documents.opened[number] = new
        self.show(number)

    def lead(self) -> None:
        """Copy the camera and playback of the document in view to all other documents."""
        for document in self.documents.opened:
            if document is not self.document:
                self.documents.view_of(document).follow(self.view)

    def begin_view(self, orbit: Orbit, time: float | None = None, turned: bool = False) -> None:
        """Initialise the view of the document in view, in the direction of `orbit`.

        `turned` is set if the user chose this direction. `time` is in seconds; None for the first time at
        which something is visible, see `first_time`.
        """
        first = first_view(self.snapshot(), orbit, time)
        if time is None:
            self.view.clock.seek(first.time)
        if first.moved:
            self.view.instead += (f"drawn at {first.time:.2f} s, as the picture is fuller then",)
        if first.turned and not turned and first.file_camera is None:
            self.view.instead += ("drawn from another side, as next to nothing of it faces the usual one",)
        self._stand(first.up)
        self.view.camera = orbit if turned else first.orbit
        if not turned and not orbit.ortho and first.file_camera is not None:
            self.view.file_camera_number = first.file_camera

    def play_visible(self) -> None:
        """If nothing is visible at any time of the playing clip, play the first clip that shows something,
        else show the rest pose. The user must not have chosen the clip.
        """
        if not self.view.playlist or self.model is None:
            return
        playing = self.view.playlist[0].animation
        clip = visible_clip(self.snapshot(), self.playback.animations)
        if clip is not playing:
            self.playback.choose(clip)
            shown = "the rest pose" if clip is None else clip.name
            self.view.instead = (f"nothing is visible at any time of {playing.name}: {shown} is shown",)

    def show_on_light(self) -> None:
        """Make the default background light for a model that only multiplies, which is not seen on a dark
        one.
        """
        self.view.on_light = only_multiplies(self.snapshot())
        if self.view.on_light and self.options.background is None and not self.options.light_theme:
            self.view.instead += ("drawn on a light ground, as the model only darkens what is behind it",)

    def stand(self) -> None:
        """Choose the axis that points up, unless it is already chosen."""
        self._stand(first_up(self.snapshot()))

    def _stand(self, up: UpAxis) -> None:
        if self.view.up is None and up is not UpAxis.FILE and self.document is not None:
            self.document.report.note(STOOD_UP)
        self.view.up = up

    @property
    def stood_up(self) -> bool:
        """Whether the program turned the model upright, because its bones show the up axis."""
        return self.document is not None and STOOD_UP in self.document.report.notes

    @property
    def live_view(self) -> ViewSnapshot:
        """All values on which a picture of the document in view depends. They change with the State: the next
        frame needs another one.
        """
        view, playback = self.view, self.playback
        return ViewSnapshot(
            self.model,
            self.skeleton,
            self.options,
            view,
            playback.current,
            view.camera,
            view.file_camera_number,
            playback.last_pose,
        )

    def snapshot(self) -> ViewSnapshot:
        """Copy all values on which a picture of the document in view depends.

        The State may change while the picture is drawn.
        """
        return self.live_view.copied()

    def purge(self) -> None:
        """Begin a frame: update the hovered item, remove finished fades, and deselect items that no longer
        exist.
        """
        self.view.selection.turn()
        if any(each.fade for each in self.view.playlist):
            self.playback.mix(settled(self.view.playlist, self.view.clock.time))
        if not exists(self.playback, self.view.selection, self.view.selection.hover):
            self.view.selection.hover = None
        if not exists(self.playback, self.view.selection, self.view.selection.picked):
            self.view.selection.picked = None
        focus = self.focus
        if isinstance(focus, BoneItem):
            self.view.bone = focus.number

    @property
    def focus(self) -> Item | None:
        """The selected item; if it is a byte of the document in view, the item that owns the byte."""
        picked, document = self.view.selection.picked, self.document
        if not isinstance(picked, ByteItem) or document is None:
            return picked
        return self._owner.of(picked, document) if self.view.selection.source in (None, document) else picked

    @property
    def marked(self) -> Item | None:
        """The item to highlight in the picture and the outline: the focus.

        If the focus is a key, the item is the bone that the key moves.
        """
        focus, bone = self.focus, self.view.bone
        return BoneItem(bone) if isinstance(focus, KeyItem) and bone is not None else focus

    def say(self, text: str, kind: str = "note", about: Hashable = None) -> None:
        """Add a message for the user. `kind` is `note`, `warning` or `error`.

        It replaces earlier messages with the same text, and messages about the same attempt.
        """
        self.settle(about, text)
        self.messages.append(UserMessage(text, kind, about, time.time()))

    def settle(self, about: Hashable, text: str = "") -> None:
        """Remove the messages about an attempt, because a repeat of it has succeeded, and messages with this
        text.
        """
        kept = (
            each for each in self.messages if each.text != text and (about is None or each.about != about)
        )
        self.messages[:] = [*kept]

    def complain(self, error: ViewerError | FormatError) -> None:
        """Add an error to the messages."""
        self.say(str(error), "error")
