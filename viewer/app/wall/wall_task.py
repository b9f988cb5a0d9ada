"""Draws the pictures of a file for the wall: its thumbnail, or its model turned by equal steps."""

from __future__ import annotations

from msgspec import Struct

from viewer.library.thumbnails.thumbnail import (
    NothingShownError,
    ThumbnailRecord,
    ThumbnailTask,
    draw_turn,
    first_sight,
)
from viewer.library.workers.pool import reading_context
from viewer.library.workers.worker import ReadingContext
from viewer.session.preferences import Preferences
from viewer.session.state import State
from viewer.storage.png import png_pieces
from viewer.storage.reading import chosen_limit
from viewer.storage.resource_folders import given_resources, given_search

CLEAR = (0.0, 0.0, 0.0, 0.0)


def clear_sight(state: State) -> None:
    """Prepare the first view of a document without a background, because the wall draws its own."""
    first_sight(state)
    state.options.background = CLEAR


def wall_thumbnail(preferences: Preferences) -> ThumbnailTask:
    """Return the task that draws the wall's thumbnails with these settings.

    A cached picture is used only if it was drawn by an equal task.
    """
    resources = *given_resources(), *preferences.resources
    search = given_search() or preferences.search
    return ThumbnailTask(prepare=clear_sight, resources=resources, max_size=chosen_limit(), search=search)


def wall_context(preferences: Preferences) -> ReadingContext:
    """Return the context in which tasks on listed files read them: that of this process, with the settings of
    the window.
    """
    drawing = wall_thumbnail(preferences)
    resources = drawing.resources or ()
    return reading_context()._replace(resources=resources, search=drawing.search)


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
