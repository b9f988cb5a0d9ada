"""The thumbnail of one file: a pure task for worker processes."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from viewer.arrays import Array, Size
from viewer.formats import open_document
from viewer.library.index.facts import document_facts
from viewer.library.thumbnail_drawing import NothingShownError, draw_thumbnail
from viewer.scene.camera import Orbit
from viewer.scene.document import Document
from viewer.scene.file_entry import FileFacts
from viewer.scene.material import Image
from viewer.session.state import State
from viewer.storage.dependencies import depends_on
from viewer.storage.png import png_pieces
from viewer.storage.reading import limit_sizes
from viewer.storage.resource_folders import give_resources, given_resources
from viewer.storage.versions import Dependencies, versions_of

DRAWING_VERSION = 2
"""Raised whenever the same file gets another picture, so that stored thumbnails are drawn again."""


class Thumbnail(Struct, frozen=True):
    """A picture as the bytes of a PNG file, the facts of its file, the digest of the file's bytes, and the
    companions that were found or searched for.
    """

    png: bytes
    facts: FileFacts
    digest: str
    depends: Dependencies


def first_sight(state: State) -> None:
    """The view in which a window first shows a document, without the ground and the axes."""
    state.options.grid = state.options.axes = False
    state.choose(state.idle())
    state.begin_view(Orbit())


class ThumbnailTask(Struct, frozen=True):
    """Draws the thumbnail of a file, with `size` (width, height) in pixels.

    `prepare` poses and aims a State with the open document; it has to be picklable. `distance` multiplies the
    distance that shows the whole model. `files` are absolute paths of further files that `prepare` reads.
    `resources` are the resource folders, `max_size` is the size in bytes of the largest file that is opened;
    None: those of the process.
    """

    size: Size = (256, 256)
    prepare: Callable[[State], None] = first_sight
    distance: float = 1.0
    files: tuple[str, ...] = ()
    resources: tuple[str, ...] | None = None
    max_size: int | None = None

    def __call__(self, path: str) -> Thumbnail:
        """The thumbnail. ViewerError or OSError if the file cannot be read, or cannot be drawn as asked."""
        begun = time.time_ns()
        document = self.opened(path)
        facts, png = document_facts(document), b"".join(png_pieces(self._picture(document)))
        depends = versions_of({*depends_on(document), *self.files}, begun)
        return Thumbnail(png, facts, digest_of(document.data), depends)

    def opened(self, path: str) -> Document:
        """The document of a file; errors as for the thumbnail."""
        if self.max_size is not None:
            limit_sizes(self.max_size)
        if self.resources is not None and self.resources != given_resources():
            give_resources(self.resources)
        document = open_document(path)
        if document.unread:
            raise document.report.errors[0]
        return document

    def view(self, document: Document) -> State:
        """The prepared view of a document."""
        state = State()
        state.put(document)
        self.prepare(state)
        return state

    def _picture(self, document: Document) -> Array:
        """[height, width, 3 or 4] u8."""
        from viewer.library.file_pictures import image_picture, kind_picture  # Pillow takes 15 ms

        if isinstance(document.content, Image):
            return image_picture(document.content, self.size)
        if document.model is None:
            return kind_picture(document, self.size)
        try:
            return draw_thumbnail(self.view(document), self.size, self.distance)
        except NothingShownError as reason:
            return kind_picture(document, self.size, str(reason))


def digest_of(data: bytes) -> str:
    """A digest by which equal files are known."""
    import hashlib  # 3 ms, which the window's start does without

    return hashlib.blake2b(data, digest_size=16).hexdigest()
