"""Names of files that the user saves. A typed suffix chooses the format."""

from __future__ import annotations

import os

from viewer.scene.choices import EXPORT_SUFFIXES, PICTURE, PICTURE_SUFFIXES
from viewer.session.requests import ExportModel, RecordFilm, SavedFile, SaveFilePictures

NUMBERED = "_{frame:04}"
"""Stands for the frame number in the name of a picture sequence."""
FIRST = "_0000"
"""Replaces NUMBERED when the program tests whether the first picture of a sequence exists."""
STILL_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tga", ".tif", ".tiff")


def format_suffixes(request: SavedFile | SaveFilePictures) -> tuple[str, ...]:
    """The suffixes of the formats in which a request can be saved."""
    match request:
        case RecordFilm():
            return PICTURE_SUFFIXES
        case ExportModel():
            return EXPORT_SUFFIXES
        case _:
            return STILL_SUFFIXES


def final_name(request: SavedFile | SaveFilePictures, typed: str) -> str:
    """Return the name of the saved file for a typed name: `walk` becomes `walk.mp4`, and `walk.gif` stays.

    A suffix that is no format of the request is a part of the name. The name of a picture sequence gets
    NUMBERED.
    """
    base, suffix = os.path.splitext(typed)
    if suffix.lower() not in format_suffixes(request):
        base, suffix = typed, request.suffix if isinstance(request, RecordFilm | ExportModel) else PICTURE
    if isinstance(request, RecordFilm) and suffix.lower() == PICTURE:
        suffix = NUMBERED + suffix
        base = base.removesuffix(NUMBERED)
    return base + suffix
