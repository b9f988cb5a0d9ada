"""The wall of all displays of one model: each distinct display is a row of a file table."""

from __future__ import annotations

from viewer.errors import ViewerError
from viewer.scene.files import KINDS, MODEL
from viewer.scene.looks import display_name
from viewer.scene.reading_context import ReadingContext
from viewer.session.file_table import FileTable
from viewer.storage.displays import has_displays
from viewer.storage.documents import open_document
from viewer.storage.package_path import is_file, on_disk
from viewer.storage.versions import path_version


def lists_displays(root: str, context: ReadingContext) -> bool:
    """Whether the wall of `root` lists displays: it does if `root` is the path of an M2 model."""
    return has_displays(root) and is_file(root, context)


def display_table(root: str, context: ReadingContext) -> FileTable:
    """List the distinct displays of a model as a file table with the model's path as `root`.

    ViewerError if the model cannot be read, or if it has no displays.
    """
    document = open_document(root, context)
    names = [display_name(each.first) for each in document.displays.distinct]
    if not names:
        raise ViewerError(f"{root}: no table of the game has displays of this model")
    version = path_version(on_disk(root))
    count = len(names)
    return FileTable(
        root,
        package=True,
        names=names,
        sizes=[len(document.data)] * count,
        modified=[version.modified if version else 0] * count,
        kinds=[KINDS.index(MODEL)] * count,
        noun="display",
    )
