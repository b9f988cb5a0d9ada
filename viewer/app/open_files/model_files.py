"""Finds models below a folder or in a package: the first model, the next model, and the model to which a part
file belongs.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import chain, islice

from viewer.budget import BUDGET
from viewer.errors import FormatError, ViewerError
from viewer.family.registry import format_named, has_role, suffixes
from viewer.scene.document import Document
from viewer.scene.files import Role
from viewer.scene.names import JOINT
from viewer.scene.reading_context import ReadingContext
from viewer.session.file_list import ordered
from viewer.session.file_table import FileTable
from viewer.session.pending_files import FolderPosition
from viewer.session.preferences import Preferences
from viewer.storage.documents import open_document
from viewer.storage.listing import check_folder, files_below, natural_key
from viewer.storage.package_path import folder_of, on_disk, open_package, stored_file
from viewer.storage.place import is_game
from viewer.storage.versions import UNSETTLED, KeptAnswers, unrecorded_version

TRIED_FILES = 200
"""The largest number of files that are tried in a folder without models."""
OFFERED = 6
"""The largest number of models that are offered for a part file or picture."""
OTHERS: tuple[Role, ...] = ("animation", "picture", "package", "part", "code", "table")
"""The roles of the files that are tried in a folder without models, in this order."""
NAME_BYTES = 120
"""The estimated bytes of memory per name."""
_NAMES: KeptAnswers[tuple[str, ReadingContext | None], tuple[str, ...]] = KeptAnswers(32 << 20)
"""The names of readable files by folder or package. They are cached, so that a step to the next file is fast
even in a large folder.
"""


LISTED_SECONDS = 0.5
"""How many seconds the first model of a folder may wait for the order of the list."""
Order = Callable[[str, Iterable[str]], Iterable[str]]
"""A function that sorts the paths of files below a folder."""


def natural_order(folder: str, paths: Iterable[str]) -> Iterable[str]:
    """Leave the paths in natural order, folder by folder."""
    return paths


def list_order(preferences: Preferences) -> Order:
    """Return the function that sorts paths as the list of files sorts them while the files are not read. A
    folder that is not listed within `LISTED_SECONDS` stays in natural order, so that its first model comes at
    once.
    """
    sort, down, flat = preferences.files_sort, preferences.files_descending, not preferences.files_folded

    def order(folder: str, paths: Iterable[str]) -> Iterable[str]:
        """Sort the paths."""
        known, front, left = list[str](), len(os.path.join(folder, "")), iter(paths)
        end = time.monotonic() + LISTED_SECONDS
        for path in left:
            known.append(path)
            if time.monotonic() > end:
                return chain(known, left)
        found = [unrecorded_version(path) or UNSETTLED for path in known] if sort in ("size", "date") else []
        sizes, times = [each.size for each in found], [each.modified for each in found]
        nothing, names = [0] * len(known), [path[front:].replace(os.sep, "/") for path in known]
        table = FileTable(folder, False, names, sizes or nothing, times or nothing, nothing)
        return map(table.path, ordered(table, None, sort, down, flat).tolist())

    return natural_order if (sort, down, flat) == ("name", False, False) else order


def open_path(path: str, context: ReadingContext, order: Order = natural_order) -> Document:
    """Open a file, the folder of a game, or the first model of another folder and its subfolders in this
    order.

    A folder without models opens another file. A file that no format reads opens as bytes. FormatError if the
    folder has no readable file, or the file cannot be read.
    """
    if not os.path.isdir(path) or is_game(path):
        try:
            return open_document(path, context)
        except FormatError as error:
            from viewer.storage.foreign_formats import (
                unread_document,  # imported late, because few files have an unknown format
            )

            return unread_document(path, error, context)
    models, broken = suffixes("model"), None
    others: dict[Role, list[str]] = {role: [] for role in OTHERS}
    closed: list[tuple[str, OSError]] = []
    found = files_below(path, suffixes(), lambda folder, error: closed.append((folder, error)))
    for file in order(os.path.abspath(path), found):
        if file.lower().endswith(models):
            document = _opened(file, context)
            if document is not None and document.model is not None:
                return document
            broken = broken or document
        else:
            others[next(role for role in OTHERS if file.lower().endswith(suffixes(role)))].append(file)
    known = (file for files in others.values() for file in files)
    opened = (_opened(file, context) for file in islice(known, TRIED_FILES))
    first = broken or next((each for each in opened if each is not None), None)
    if first is None and closed:
        folder, reason = closed[0]
        raise FormatError(f"the folder cannot be read: {reason.strerror or reason}", file=folder)
    if first is None:
        raise FormatError(f"has no file that Rigscope can open ({', '.join(suffixes())})", file=path)
    return first


def _opened(path: str, context: ReadingContext) -> Document | None:
    try:
        return open_document(path, context)
    except (ViewerError, OSError):
        return None


def neighbour(path: str, format: str, by: int, context: ReadingContext, top: str = "") -> FolderPosition:
    """Find a neighbour of a file in the list of models. `by` is the number of positions from the file to the
    neighbour, negative towards the start of the list.

    The list has the models below the folder `top` (by default the file's own folder), or in the file's
    package. If the folder has no models, or the file is neither a model nor a part of one, the list has the
    files of the same format. If the list has no model at this position, the result is the file itself, with
    `end` set. OSError if the folder cannot be read.
    """
    known = format_named(format)
    front, own, listed = _listed(path, context, top)
    noun, names = "model", list[str]()
    if known is None or known.role in ("model", "part"):
        names = _ending(listed, suffixes("model"))
    if not names:
        noun, names = "file", _ending(listed, known.suffixes if known else suffixes())
    at = bisect_left(names, natural_key(own), key=natural_key)
    if names[at : at + 1] != [own]:
        by -= by > 0  # `names[at]` is already the next model, because `own` is not in the list
    number = at + by
    if 0 <= number < len(names):
        return FolderPosition(front + names[number], number + 1, len(names), noun)
    end = "only" if len(names) < 2 else "first" if by < 0 else "last"
    return FolderPosition(path, min(at + 1, len(names)), len(names), noun, f"the {end} {noun} in the folder")


def _ending(names: Iterable[str], wanted: tuple[str, ...]) -> list[str]:
    return [name for name in names if name.lower().endswith(wanted)]


def _listed(path: str, context: ReadingContext, top: str) -> tuple[str, str, tuple[str, ...]]:
    """List the files around `path`, in its package or folder.

    Return three values: the package or folder path that all the files begin with, `path` relative to it, and
    the relative paths of all files in order. Relative paths have `/` as separator.
    """
    stored = stored_file(path, context)
    if stored is not None:
        return f"{on_disk(path)}{JOINT}", stored[1], names_in(on_disk(path), context)
    path = os.path.abspath(path)
    folder = os.path.dirname(path)
    check_folder(folder)
    above = os.path.join(os.path.abspath(top), "") if top else ""
    front = above if above and path.startswith(above) else os.path.join(folder, "")
    return front, path[len(front) :].replace(os.sep, "/"), names_below(front)


def names_below(top: str) -> tuple[str, ...]:
    """The relative paths (with `/`) of all readable files below a folder, in natural order; cached."""
    front = len(os.path.join(os.path.abspath(top), ""))

    def read() -> tuple[str, ...]:
        """List the names in the folder."""
        return tuple(path[front:].replace(os.sep, "/") for path in files_below(top, suffixes()))

    return _NAMES.get((os.path.abspath(top), None), read, lambda names: NAME_BYTES * len(names))


def names_in(package: str, context: ReadingContext) -> tuple[str, ...]:
    """The names of all readable files in a package, in natural order; cached."""

    def read() -> tuple[str, ...]:
        """List the names in the package."""
        source, wanted = open_package(package, context), suffixes()
        names = source.names(deep=True) if source is not None else ()
        return tuple(sorted((each for each in names if each.lower().endswith(wanted)), key=natural_key))

    return _NAMES.get((package, context.of_archives), read, lambda names: NAME_BYTES * len(names))


def models_of(path: str, context: ReadingContext) -> tuple[str, ...]:
    """Find the models to which a part file or picture belongs.

    A model in the folder of the file fits if the file's name begins with the name of the model; the model
    with the longest name comes first. A picture without a fitting model belongs to the only model of the
    folder.
    """
    folder, models = folder_of(path, context), suffixes("model")
    names = [name for name in islice(folder.names(), BUDGET.listed_files) if name.lower().endswith(models)]
    stem = _stem(path)
    fitting = sorted((each for each in names if stem.startswith(_stem(each))), key=len, reverse=True)
    lone = names if len(names) == 1 and has_role(path, "picture") else []
    return tuple(folder.where(name) for name in (fitting or lone)[:OFFERED])


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path.replace("\\", "/")))[0].casefold()
