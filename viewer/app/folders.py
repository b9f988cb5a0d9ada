"""Background work on folders: files that can be opened, neighbours, and models that fit an animation."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from viewer.errors import FormatError, ViewerError
from viewer.formats import FORMATS, open_document, suffixes
from viewer.scene.animation import Animation, match
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.scene.package import JOINT, Package
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.session.pending_files import FolderEntry, FolderPosition, MatchingModel
from viewer.storage.package_path import on_disk, stored_file
from viewer.storage.source import entries_of

DEEPEST = 500
"""The number of folders that are searched for a first model."""
MOST_MODELS = 40
"""The number of models that are tested with an animation."""


def listing(folder: str) -> tuple[FolderEntry, ...]:
    """The entries of a folder: folders first, both in natural order. OSError if it cannot be read."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            inside = _is_folder(entry)
            if not entry.name.startswith("."):
                found.append(FolderEntry(entry.name, inside, 0 if inside else _size(entry)))
    return tuple(sorted(found, key=lambda each: (not each.folder, natural(each.name))))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size
    except OSError:
        return 0


def natural(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts `walk2` before `walk10` and ignores case."""
    parts = re.findall(r"\d+|\D+", name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


def neighbour(path: str, format: str, by: int) -> FolderPosition | None:
    """The file `by` positions further in its folder or package, among the files of its format (by suffix).

    At the end it wraps around; None if there is no other file. OSError if the folder cannot be read.
    """
    alike = next((each.suffixes for each in FORMATS if each.name == format), suffixes())
    stored = stored_file(path)
    if stored is not None:
        source, own = stored
        front, names = f"{on_disk(path)}{JOINT}", sorted(source.names(deep=True), key=natural)
    else:
        folder, own = os.path.split(os.path.abspath(path))
        front, names = os.path.join(folder, ""), [each.name for each in listing(folder) if not each.folder]
    names = [name for name in names if name.lower().endswith(alike) or name == own]
    if own not in names:
        names = sorted([*names, own], key=natural)
    number = (names.index(own) + by) % len(names)
    return None if names[number] == own else FolderPosition(front + names[number], number + 1, len(names))


def open_path(path: str) -> Document:
    """Open a file, or the first model of a folder and its subfolders, the nearest first."""
    if not os.path.isdir(path):
        return open_document(path)
    candidates = (name for name in _files(path) if name.lower().endswith(suffixes()))
    lone = None
    for candidate in candidates:
        if lone is not None and not candidate.lower().endswith(suffixes(drawn=True)):
            continue
        try:
            document = open_document(candidate)
        except ViewerError:
            continue
        if not isinstance(document.content, Animation | Package | CompiledShader | CompiledScript):
            return document
        lone = lone or document
    if lone is None:
        raise FormatError(f"holds no file that opens ({', '.join(suffixes())})", file=path)
    return lone


def _files(top: str) -> Iterator[str]:
    """The files below a folder, folder by folder."""
    waiting, seen = deque([top]), 0
    while waiting and seen < DEEPEST:
        folder = waiting.popleft()
        seen += 1
        for entry in sorted(entries_of(folder), key=lambda each: natural(each.name)):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                yield entry.path


def companions(path: str, animation: Animation) -> tuple[MatchingModel, ...]:
    """The models that have the bones of an animation, best match first.

    It searches the animation's folder, then the folders beside it; in a package the folder, then the whole
    package.
    """
    for models in _models_near(path):
        found = [fit for each in models[:MOST_MODELS] if (fit := _fitting(each, animation))]
        if found:
            return tuple(sorted(found, key=lambda each: (-each.matched, natural(each.path))))
    return ()


def _models_near(path: str) -> Iterator[list[str]]:
    stored = stored_file(path)
    if stored is not None:
        source, own = stored
        for folder, deep in ((own.rpartition("/")[0], False), ("", True)):
            yield [source.where(each) for each in source.names(folder, deep=deep) if _opens(each)]
        return
    near = Path(path).resolve().parent
    for place, pattern in ((near, "*"), (near.parent, "*/*")):
        yield [str(each) for each in sorted(place.glob(pattern)) if _opens(each.name)]


def _opens(name: str) -> bool:
    return name.lower().endswith(suffixes(drawn=True))


def _fitting(path: str, animation: Animation) -> MatchingModel | None:
    try:
        model = open_document(path).content
    except ViewerError:
        return None
    if not isinstance(model, Model) or model.skeleton is None:
        return None
    fit = match(animation, model.skeleton.names)
    return MatchingModel(path, len(fit.bones), len(animation.targets)) if fit.bones else None
