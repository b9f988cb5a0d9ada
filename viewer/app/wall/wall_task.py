"""Draws the pictures of a file for the wall: its thumbnail, or its model turned by equal steps. Draws the
pictures of saved looks.
"""

from __future__ import annotations

from msgspec import Struct

from viewer.errors import ResourceError
from viewer.library.thumbnails.thumbnail import (
    NothingShownError,
    ThumbnailRecord,
    ThumbnailTask,
    draw_turn,
    first_sight,
)
from viewer.scene.document import Document
from viewer.scene.reading_context import ReadingContext
from viewer.session.state import State
from viewer.storage.documents import wearing
from viewer.storage.look_files import look_file
from viewer.storage.png import png_pieces

CLEAR = (0.0, 0.0, 0.0, 0.0)


def clear_sight(state: State) -> None:
    """Prepare the first view of a document without a background, because the wall draws its own."""
    first_sight(state)
    state.options.background = CLEAR


def wall_thumbnail(context: ReadingContext) -> ThumbnailTask:
    """Return the task that draws the wall's thumbnails of files that are read in a context.

    A cached picture is used only if it was drawn by an equal task.
    """
    return ThumbnailTask(prepare=clear_sight, context=context)


class WallTask(Struct, frozen=True):
    """A task for worker processes: draws a thumbnail, or the pictures of a model that turns."""

    thumbnail: ThumbnailTask = ThumbnailTask(prepare=clear_sight)

    def __call__(self, path: str, turns: int = 0) -> ThumbnailRecord | tuple[bytes, ...]:
        """The thumbnail of a file, or `turns` PNG files; empty for a file without a visible model.

        Raises the errors of `ThumbnailTask`.
        """
        if not turns:
            return self.thumbnail(path)
        document = self.thumbnail.opened(path)
        if document.model is None:
            return ()
        try:
            drawn = draw_turn(self.thumbnail.view(document), self.thumbnail.size, turns)
        except NothingShownError:
            return ()
        return tuple(b"".join(png_pieces(each)) for each in drawn)


class LookTask(ThumbnailTask, frozen=True):
    """A task for worker processes: draws a character in the look of a file. The first of the `files` is the
    character's model.
    """

    def opened(self, path: str) -> Document:
        """Open the model in the look. Raises ViewerError if it is no character, or the file is no look of
        its body.
        """
        document = super().opened(self.files[0])
        if document.character is None:
            raise ResourceError("the model is no character of a game")
        return wearing(document, look_file(path, type(document.character.look), self.context))
