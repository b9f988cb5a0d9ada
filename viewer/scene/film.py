"""The formats of films, with the features of each."""

from __future__ import annotations

from msgspec import Struct


class FilmFormat(Struct, frozen=True):
    """A film format by its suffix.

    `alpha`: the format can be transparent. `fastest`: the highest frame rate that players show correctly.
    """

    suffix: str
    title: str
    alpha: bool = True
    fastest: float = 1000.0


PICTURE = ".png"
"""The suffix of pictures, and of the frames of a sequence."""

FILM_FORMATS = (
    FilmFormat(".gif", "GIF", fastest=50.0),  # browsers show delays under 1/50 s as 1/10 s
    FilmFormat(".mp4", "MP4", alpha=False),
    FilmFormat(".webm", "WebM"),
    FilmFormat(".webp", "WebP", alpha=False),  # transparent frames would be drawn over each other
    FilmFormat(".apng", "APNG"),
    FilmFormat(PICTURE, "PNG sequence"),
)
"""The formats of a recording, in the order of the dialog. The last writes one picture for each frame."""
