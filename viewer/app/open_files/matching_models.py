"""Reads folders in the background: the entries of a folder, and the models that match an animation."""

from __future__ import annotations

import os
from collections.abc import Iterator

from viewer.errors import ViewerError
from viewer.family.registry import has_role
from viewer.scene.animation import Animation, match
from viewer.scene.model import Model
from viewer.scene.reading_context import ReadingContext
from viewer.session.folder_listing import FolderEntry
from viewer.session.pending_files import MatchingModel
from viewer.storage.documents import open_document
from viewer.storage.listing import entries_of, list_folder, natural_key
from viewer.storage.package_path import stored_file

TRIED_MODELS = 40
"""The largest number of models per folder that are tested with an animation."""


def listing(folder: str) -> tuple[FolderEntry, ...]:
    """Return the entries of a folder: subfolders first, then files, both in natural order.

    OSError if it cannot be read.
    """
    found = []
    for entry in list_folder(folder):
        inside = _is_folder(entry)
        size, modified = _size_and_time(entry)
        found.append(FolderEntry(entry.name, inside, 0 if inside else size, modified))
    return tuple(sorted(found, key=lambda each: (not each.folder, natural_key(each.name))))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _size_and_time(entry: os.DirEntry[str]) -> tuple[int, float]:
    """The size of an entry in bytes, and its modification time in seconds since 1970; zeros if unknown."""
    try:
        found = entry.stat()
    except OSError:
        return 0, 0.0
    return found.st_size, found.st_mtime


def companions(path: str, animation: Animation, context: ReadingContext) -> tuple[MatchingModel, ...]:
    """Find the models that have bones of an animation, best match first.

    On disk, the search covers the animation's folder, then the folders beside it. In a package, it covers the
    animation's folder, then the whole package.
    """
    for models in _models_near(path, context):
        found = [fit for each in models[:TRIED_MODELS] if (fit := _fitting(each, animation, context))]
        if found:
            return tuple(sorted(found, key=lambda each: (-each.matched, natural_key(each.path))))
    return ()


def _models_near(path: str, context: ReadingContext) -> Iterator[list[str]]:
    stored = stored_file(path, context)
    if stored is not None:
        source, own = stored
        for folder, deep in ((own.rpartition("/")[0], False), ("", True)):
            yield [source.where(each) for each in source.names(folder, deep=deep) if _opens(each)]
        return
    near = os.path.dirname(os.path.realpath(path))
    yield _models_in([near])
    yield _models_in([each.path for each in entries_of(os.path.dirname(near)) if _is_folder(each)])


def _models_in(folders: list[str]) -> list[str]:
    return [each.path for folder in folders for each in entries_of(folder) if _opens(each.name)]


def _opens(name: str) -> bool:
    return has_role(name, "model")


def _fitting(path: str, animation: Animation, context: ReadingContext) -> MatchingModel | None:
    try:
        model = open_document(path, context).content
    except ViewerError:
        return None
    if not isinstance(model, Model) or model.skeleton is None:
        return None
    fit = match(animation, model.skeleton.names)
    return MatchingModel(path, len(fit.bones), len(animation.targets)) if fit.bones else None
