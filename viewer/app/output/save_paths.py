"""Paths of saved pictures, films and models. The user is asked once; the settings store a pattern.

A pattern is a path whose file name contains NAME instead of the model's name. A pattern for pictures ends
with a suffix. A pattern for films or models has no suffix, because the chosen format adds it. A pattern is
stored when a file was saved under a name that the user chose.
"""

from __future__ import annotations

import os
import re

from msgspec.structs import replace

from viewer.errors import words_of
from viewer.export.film.film import overwritten
from viewer.scene.choices import PICTURE
from viewer.scene.document import Document
from viewer.scene.names import NAME
from viewer.session.requests import (
    ExportModel,
    RecordFilm,
    SaveAs,
    SavedFile,
    SaveFilePictures,
    SaveLook,
    SaveTexture,
    Screenshot,
)
from viewer.session.save_names import NUMBERED, final_name, final_path, unused
from viewer.session.state import State
from viewer.storage.package_path import as_path, on_disk
from viewer.storage.writing import unused_path

PATTERNS: dict[type, str] = {
    Screenshot: "pictures",
    RecordFilm: "films",
    ExportModel: "exports",
    SaveLook: "looks",
}
"""The setting that stores the pattern of a request; the pattern of textures is not stored."""
SHEET = "contact-sheet"


class Destination:
    """The file of a request, and the messages about it. `path` is the path of the request, or else an unused
    path.
    """

    def __init__(self, state: State, request: SavedFile) -> None:
        offered, pattern = suggested(state, request), _pattern(state, request)
        folder, name = os.path.split(request.path or offered)
        self.path = os.path.join(folder, name.replace(NAME, _stem(state.document)))
        self._state = state
        self._about = "save", type(request), state.document.path if state.document else ""
        if not pattern or self.path != offered:
            pattern = _general(state, request, os.path.join(folder, name))
        self._pattern = PATTERNS.get(type(request), ""), pattern

    @property
    def is_free(self) -> bool:
        """Whether no open document uses the file. Otherwise a message says that the file is not written."""
        used = overwritten(self.path, self._state.documents.opened)
        if used is not None:
            text = f"{used} is open here, so it is not written. Choose another name."
            self._state.say(text, "error", self._about)
        return used is None

    def fail(self, why: Exception | str) -> None:
        """Show a message that the file is not saved. It names the file once."""
        text = why if isinstance(why, str) else words_of(why)
        self._state.say(f"{self.path}: {text.removeprefix(f'{self.path}: ')}", "error", self._about)

    def done(self, ending: str = "") -> None:
        """Show a message that the file is saved, and store the pattern of its path in the settings."""
        setting, pattern = self._pattern
        if setting:
            setattr(self._state.interface.preferences, setting, pattern)
        self._state.say(f"Saved {self.path}{ending}", about=self._about)


def planned(state: State, request: SavedFile) -> SavedFile | SaveAs:
    """Return the request with an unused path from the stored pattern.

    If there is no pattern or its folder is gone, return a `SaveAs` request, which asks the user for a path.
    """
    pattern = _pattern(state, request)
    known = pattern and os.path.isdir(os.path.dirname(pattern))
    return replace(request, path=suggested(state, request)) if known else SaveAs(request)


def suggested(state: State, request: SavedFile | SaveFilePictures) -> str:
    """Return an unused path from the stored pattern; without a pattern, a path in the model's folder. A
    contact sheet lies in the listed folder.
    """
    if isinstance(request, SaveFilePictures):
        listed = os.path.abspath(on_disk(state.files.root))
        folder = listed if os.path.isdir(listed) else os.path.dirname(listed)
        return unused_path(os.path.join(folder, SHEET), PICTURE)
    document = state.document
    beside = os.path.dirname(os.path.abspath(on_disk(document.path) if document else NAME))
    if isinstance(request, SaveTexture):
        folder = os.path.dirname(state.interface.preferences.pictures)
        return unused(os.path.join(folder or beside, _texture_name(state, request)), PICTURE)
    folder, name = os.path.split(_pattern(state, request) or os.path.join(beside, NAME))
    name = name.replace(NAME, _stem(document)) + ("" if isinstance(request, Screenshot) else request.suffix)
    return unused(*os.path.splitext(os.path.join(folder, final_name(request, name))))


def named(request: SavedFile, path: str) -> SavedFile:
    """Add the path that the user chose to the request, see `final_path`. Its suffix chooses the format."""
    path = final_path(request, path)
    if isinstance(request, RecordFilm | ExportModel):
        return replace(request, path=path, suffix=os.path.splitext(path)[1].lower())
    return replace(request, path=path)


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


def _general(state: State, request: SavedFile, path: str) -> str:
    """Turn a path into a pattern: replace the model name at the start of the file name by NAME, drop the
    number behind it, and drop the suffix of a film or model.
    """
    folder, name = os.path.split(path)
    base, suffix = os.path.splitext(name)
    match = re.fullmatch(
        rf"{re.escape(_stem(state.document))}(?:-\d+)?(\W.*|_.*)?", base.removesuffix(NUMBERED)
    )
    base = NAME + (match[1] or "") if match else base.removesuffix(NUMBERED)
    return os.path.join(folder, base + (suffix if isinstance(request, Screenshot) else ""))
