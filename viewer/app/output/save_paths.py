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
PATTERNS: dict[type, str] = {Screenshot: "pictures", RecordFilm: "films", ExportModel: "exports"}
"""The setting that stores the pattern of a request; the pattern of textures is not stored."""
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
    document = state.document
    beside = os.path.dirname(os.path.abspath(on_disk(document.path) if document else NAME))
    if isinstance(request, SaveTexture):
        folder = os.path.dirname(state.interface.preferences.pictures)
        return _unused(os.path.join(folder or beside, _texture_name(state, request)), PICTURE)
    folder, name = os.path.split(_pattern(state, request) or os.path.join(beside, NAME))
    base, suffix = os.path.splitext(name) if isinstance(request, Screenshot) else (name, _suffix(request))
    return _unused(os.path.join(folder, base.replace(NAME, _stem(document))), suffix or PICTURE)


def remembered(state: State, request: SavedFile, path: str) -> SavedFile:
    """Add the path that the user chose, with a suffix, to the request; store its pattern in the settings."""
    folder, name = os.path.split(os.path.abspath(os.path.expanduser(path)))
    stem = _stem(state.document)
    if isinstance(request, RecordFilm):
        base, suffix = name.removesuffix(request.suffix).removesuffix(NUMBERED), _suffix(request)
    else:
        kept: tuple[str, ...] = STILL_SUFFIXES
        usual = PICTURE
        if isinstance(request, ExportModel):
            kept, usual = EXPORT_SUFFIXES, request.suffix
        base, suffix = os.path.splitext(name)
        if suffix.lower() not in kept:
            base, suffix = name, usual
    if isinstance(request, SaveTexture):
        return replace(request, path=os.path.join(folder, base + suffix))
    pattern = _general(base, stem) + (suffix if isinstance(request, Screenshot) else "")
    setattr(state.interface.preferences, PATTERNS[type(request)], os.path.join(folder, pattern))
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
    setting = PATTERNS.get(type(request))
    return getattr(state.interface.preferences, setting) if setting else ""


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
