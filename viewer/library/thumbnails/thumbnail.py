"""Draws the thumbnail of one file, as a task for worker processes.

A process keeps its renderer and its shader programs for the next file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct

from viewer.arrays import Array, Size, damaged_numbers
from viewer.export.missing_lines import MissingLines, missing_lines
from viewer.export.picture import frames
from viewer.library.index.facts import document_facts
from viewer.render.standalone import keep_renderer, standalone_renderer
from viewer.scene.camera import Orbit
from viewer.scene.document import Document
from viewer.scene.files import FileFacts
from viewer.scene.material import Image
from viewer.scene.model import NO_MODEL
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.session.state import State
from viewer.storage.chosen_images import chosen_images
from viewer.storage.dependencies import depends_on
from viewer.storage.documents import open_document
from viewer.storage.own_picture import marked
from viewer.storage.png import png_pieces
from viewer.storage.versions import Dependencies, versions_of
from viewer.view.clip_points import clip_points
from viewer.view.framing import bounds_of, enclose
from viewer.view.view_snapshot import ViewSnapshot
from viewer.view.visibility import Visibility

DRAWING_VERSION = 7
"""Version of the drawing code. It is increased when pictures change, so that stored thumbnails are drawn
again.
"""
ONE_THREAD = ("LP_NUM_THREADS", "0")
"""Environment variable by which Mesa's software renderer draws in the calling thread.

A small picture takes longer with threads, and other workers use the other cores.
"""


class NothingShownError(Exception):
    """The picture of a file would be empty; the text gives the reason."""


class ThumbnailRecord(Struct, frozen=True):
    """The thumbnail of a file.

    `png` are the bytes of the picture. `facts` and `digest` describe the file. `depends` are the paths of
    companion files that were read or searched, because the picture depends on them. `missing` are the lines
    about missing parts. `instead` says what the picture shows in place of the usual one.
    """

    png: bytes
    facts: FileFacts
    digest: str
    depends: Dependencies
    missing: MissingLines = MissingLines()
    instead: tuple[str, ...] = ()


def first_sight(state: State) -> None:
    """Prepare a State to show a document as a new window shows it, but without ground and axes."""
    state.options.grid = state.options.axes = False
    state.playback.choose(state.playback.idle())
    state.play_visible()
    state.begin_view(Orbit())


class ThumbnailTask(Struct, frozen=True):
    """Draws the thumbnail of a file, `size` (width, height) in pixels.

    `prepare` poses and aims a State with the open document; it must be picklable. `distance` multiplies the
    camera distance that shows the whole model. `files` are absolute paths of further files that `prepare`
    reads. Files are read in the `context`. `names_clips`: the user named the clips that `prepare` plays.
    """

    size: Size = (256, 256)
    prepare: Callable[[State], None] = first_sight
    distance: float = 1.0
    files: tuple[str, ...] = ()
    context: ReadingContext = DEFAULT
    names_clips: bool = False

    @damaged_numbers()
    def __call__(self, path: str) -> ThumbnailRecord:
        """Draw the thumbnail. Raises ViewerError or OSError if the file cannot be read or drawn."""
        begun = time.time_ns()
        document = self.opened(path)
        drawn = document.model is not None and not isinstance(document.content, Image)
        state = self.view(document) if drawn else State()
        facts, (pixels, instead) = document_facts(document), self._picture(document, state)
        depends = versions_of({*depends_on(document), *self.files}, begun, self.context.left_out)
        clips = [each.animation for each in state.view.playlist] if self.names_clips else ()
        missing = missing_lines(state.document or document, clips, state.view.lod, state.view.textures)
        png = b"".join(marked(png_pieces(pixels)))
        return ThumbnailRecord(png, facts, digest_of(document.data), depends, missing, instead)

    def opened(self, path: str) -> Document:
        """Open a file. Raises ViewerError or OSError if it cannot be read."""
        document = open_document(path, self.context)
        if document.unread:
            raise document.report.errors[0]
        return document

    def view(self, document: Document) -> State:
        """Return a State with the document, prepared for drawing."""
        state = State()
        state.put(document)
        self.prepare(state)
        return state

    def _picture(self, document: Document, state: State) -> tuple[Array, tuple[str, ...]]:
        """Draw the picture of a document, [height, width, 3 or 4] u8; a model is drawn as in its State.
        Return it and what it shows in place of the usual picture.
        """
        # Imported late, because Pillow takes 15 ms.
        from viewer.library.thumbnails.file_pictures import image_picture, kind_picture

        if isinstance(document.content, Image):
            return image_picture(document.content, self.size), ()
        if document.model is None:
            return kind_picture(document, self.size), ()
        try:
            return draw_thumbnail(state, self.size, self.distance), state.view.instead
        except NothingShownError as reason:
            return kind_picture(document, self.size, str(reason)), ()


def digest_of(data: bytes) -> str:
    """Return a digest that identifies equal files."""
    import hashlib  # imported late, because it takes 3 ms and the window's start does not need it

    return hashlib.blake2b(data, digest_size=16).hexdigest()


@damaged_numbers()
def draw_thumbnail(state: State, size: Size, factor: float = 1.0) -> Array:
    """Draw the document in view at the State's time, [height, width, 3 or 4] u8, the top row first.

    `factor` multiplies the camera distance that shows the whole model. A translucent background gives four
    channels. Raises NothingShownError with the reason for an empty picture, GraphicsError without usable
    OpenGL.
    """
    view, points, time = _seen(state)
    shots = [(time, _camera(view, time, points, size, factor))]
    return _pictures(state, view, shots, points, size)[0]


@damaged_numbers()
def draw_turn(state: State, size: Size, count: int) -> list[Array]:
    """Draw `count` pictures as `draw_thumbnail` does, on one turn of the camera around the model."""
    view, points, time = _seen(state)
    orbit = view.camera if isinstance(view.camera, Orbit) else Orbit()
    cameras = frames.fitted([view], [time] * count, frames.around(orbit, count), size)
    return _pictures(state, view, [(time, each) for each in cameras], points, size)


def _pictures(
    state: State, view: ViewSnapshot, shots: Sequence[frames.Shot], points: Array, size: Size
) -> list[Array]:
    """Draw the picture of each shot; `points` [N, 3] enclose the model."""
    images = chosen_images(state.document, state.view.textures, max(size) + 1)
    os.environ.setdefault(*ONE_THREAD)
    keep_renderer()
    with standalone_renderer() as renderer:
        mesh = renderer.upload(state.model or NO_MODEL, images)
        try:
            drawn = frames.pictures(
                renderer, [mesh], [view], shots, bounds_of(points), size, context=state.context
            )
            channels = 4 if view.options.translucent else 3
            return [np.ascontiguousarray(each.pixels[..., :channels]) for each in drawn]
        finally:
            mesh.release()


def _seen(state: State) -> tuple[ViewSnapshot, Array, float]:
    """Return the view, points [N, 3] that enclose the document, and the time.

    Raises NothingShownError if the view is empty.
    """
    state.show_on_light()
    view = state.snapshot()
    time = view.playback.clock.time
    reason = Visibility(view).reason(time)
    if reason:
        raise NothingShownError(reason)
    return view, clip_points(view, np.array([time])), time


def _camera(view: ViewSnapshot, time: float, points: Array, size: Size, factor: float) -> frames.Camera:
    """Return the camera at `time`: the camera of the file or of the user, else a camera that shows the
    `points` [N, 3].
    """
    if isinstance(view.camera, Orbit) and view.file_camera_number is None:
        return enclose(view.camera, points, size, factor)
    (camera,) = frames.cameras(view, [time], size)
    return camera
