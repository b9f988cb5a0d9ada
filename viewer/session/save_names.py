"""Names of files that the user saves. A typed suffix chooses the format."""

from __future__ import annotations

import os

from viewer.scene.choices import EXPORT_SUFFIXES, PICTURE, PICTURE_SUFFIXES
from viewer.session.requests import ExportModel, RecordFilm, SavedFile, SaveFilePictures, SaveLook, SaveMotion
from viewer.storage.writing import unused_path

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
        case SaveLook() | SaveMotion():
            return (request.suffix,)
        case _:
            return STILL_SUFFIXES


def final_name(request: SavedFile | SaveFilePictures, typed: str) -> str:
    """Return the name of the saved file for a typed name: `walk` becomes `walk.mp4`, and `walk.gif` stays.

    A suffix that is no format of the request is a part of the name. The name of a picture sequence gets
    NUMBERED.
    """
    base, suffix = os.path.splitext(typed)
    if suffix.lower() not in format_suffixes(request):
        base, suffix = (
            typed,
            request.suffix
            if isinstance(request, RecordFilm | ExportModel | SaveLook | SaveMotion)
            else PICTURE,
        )
    if isinstance(request, RecordFilm) and suffix.lower() == PICTURE:
        suffix = NUMBERED + suffix
        base = base.removesuffix(NUMBERED)
    return base + suffix


def final_path(request: SavedFile | SaveFilePictures, path: str) -> str:
    """Return the absolute path of the saved file for a chosen path. If a suffix is added, the path is changed
    if its file exists, because the user did not choose to replace that file.
    """
    folder, name = os.path.split(os.path.abspath(os.path.expanduser(path)))
    final = os.path.join(folder, final_name(request, name))
    return final if final == os.path.join(folder, name) else unused(*os.path.splitext(final))


def unused(base: str, suffix: str) -> str:
    """Return an unused path from `base` and suffix. For a sequence, its first picture decides."""
    base, number = base.removesuffix(NUMBERED), NUMBERED if base.endswith(NUMBERED) else ""
    first = number.replace(NUMBERED, FIRST) + suffix
    return unused_path(base, first).removesuffix(first) + number + suffix
