"""Paths of saved pictures, films and models. The user is asked once; the settings store a pattern.

A pattern is a path whose file name contains NAME instead of the model's name. A pattern for pictures ends
with a suffix. A pattern for films or models has no suffix, because the chosen format adds it.
"""

from __future__ import annotations

import os
import re

from msgspec.structs import replace

from viewer.export.film.film import overwritten
from viewer.scene.choices import EXPORT_SUFFIXES, PICTURE
from viewer.scene.document import Document
from viewer.scene.names import NAME
from viewer.session.requests import ExportModel, RecordFilm, SaveAs, SavedFile, SaveTexture, Screenshot
from viewer.session.state import State
from viewer.storage.package_path import as_path, on_disk
from viewer.storage.writing import unused_path

NUMBERED = "_{frame:04}"
"""Stands for the frame number in the name of a picture sequence."""
FIRST = "_0000"
"""Replaces NUMBERED when the program tests whether the first picture of a sequence exists."""
STILL_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tga", ".tif", ".tiff")
"""The suffixes that a saved picture keeps. After any other suffix, `PICTURE` is added."""


def planned(state: State, request: SavedFile) -> SavedFile | SaveAs:
    """Return the request with an unused path from the stored pattern.

    If there is no pattern or its folder is gone, return a `SaveAs` request, which asks the user for a path.
    """
    pattern = _pattern(state, request)
    known = pattern and os.path.isdir(os.path.dirname(pattern))
    return replace(request, path=suggested(state, request)) if known else SaveAs(request)


def suggested(state: State, request: SavedFile) -> str:
    """Return an unused path from the stored pattern; without a pattern, a path in the model's folder."""
    document, pattern = state.document, _pattern(state, request)
    if isinstance(request, SaveTexture):
        folder = os.path.dirname(state.interface.preferences.pictures)
        beside = os.path.dirname(os.path.abspath(on_disk(document.path) if document else NAME))
        return _unused(os.path.join(folder or beside, _texture_name(state, request)), PICTURE)
    if not pattern:
        beside = os.path.abspath(on_disk(document.path) if document else NAME)
        pattern = os.path.join(os.path.dirname(beside), NAME)
    folder, name = os.path.split(pattern)
    base, suffix = os.path.splitext(name) if isinstance(request, Screenshot) else (name, _suffix(request))
    return _unused(os.path.join(folder, base.replace(NAME, _stem(document))), suffix or PICTURE)


def remembered(state: State, request: SavedFile, path: str) -> SavedFile:
    """Add the path that the user chose, with a suffix, to the request; store its pattern in the settings."""
    path = os.path.abspath(os.path.expanduser(path))
    folder, name = os.path.split(path)
    stem, preferences = _stem(state.document), state.interface.preferences
    if isinstance(request, RecordFilm):
        base, suffix = name.removesuffix(request.suffix).removesuffix(NUMBERED), _suffix(request)
        preferences.films = os.path.join(folder, _general(base, stem))
    elif isinstance(request, ExportModel):
        base, suffix = os.path.splitext(name)
        if suffix.lower() not in EXPORT_SUFFIXES:
            base, suffix = name, request.suffix
        preferences.exports = os.path.join(folder, _general(base, stem))
    else:
        base, suffix = os.path.splitext(name)
        if suffix.lower() not in STILL_SUFFIXES:
            base, suffix = name, PICTURE
        if isinstance(request, SaveTexture):
            return replace(request, path=os.path.join(folder, base + suffix))
        preferences.pictures = os.path.join(folder, _general(base, stem) + suffix)
    return replace(request, path=os.path.join(folder, base.replace(NAME, stem) + suffix))


def is_open_here(state: State, path: str) -> bool:
    """Whether an open document uses the file at this path. If so, show a message that the file is not
    written.
    """
    used = overwritten(path, state.documents.opened)
    if used is not None:
        state.say(f"{used} is open here, so it is not written. Choose another name.", "error")
    return used is not None


def _pattern(state: State, request: SavedFile) -> str:
    preferences = state.interface.preferences
    if isinstance(request, Screenshot):
        return preferences.pictures
    if isinstance(request, SaveTexture):
        return ""
    return preferences.films if isinstance(request, RecordFilm) else preferences.exports


def _texture_name(state: State, request: SaveTexture) -> str:
    """Return the file name of a saved texture without suffix: `Skin`, `Skin-level1-A`, `Skin-layout`."""
    textures = state.model.textures if state.model is not None else ()
    name = textures[request.number].name if request.number < len(textures) else "texture"
    stem = as_path(name.replace("\\", "/")).stem or "texture"
    if state.shows_picture:
        stem = _stem(state.document)
    stem = re.sub(r"[^\w .()+-]", "_", stem)
    level = f"-level{request.level}" if request.level else ""
    channels = "" if request.channels in ("RGB", "RGBA") else f"-{request.channels}"
    return f"{stem}{level}{channels}{'-layout' if request.layouts else ''}"


def _stem(document: Document | None) -> str:
    """The file name of the model without suffix."""
    return as_path(document.path).stem if document else "rigscope"


def _general(base: str, stem: str) -> str:
    """Turn a chosen name into a pattern: replace the model name at the start by NAME and drop the number
    behind it.
    """
    match = re.fullmatch(rf"{re.escape(stem)}(?:-\d+)?(\W.*|_.*)?", base)
    return NAME + (match[1] or "") if match else base


def _suffix(request: RecordFilm | ExportModel) -> str:
    return f"{NUMBERED}{PICTURE}" if request.suffix == PICTURE else request.suffix


def _unused(base: str, suffix: str) -> str:
    """Return an unused path from `base` and suffix. For a sequence, its first picture decides."""
    first = suffix.replace(NUMBERED, FIRST)
    return unused_path(base, first).removesuffix(first) + suffix
