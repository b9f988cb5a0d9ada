"""Chooses the paths at which a model and its parts are written, so that the folder opens alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from viewer.family.looks import Looks
from viewer.scene.document import Document
from viewer.scene.names import file_name
from viewer.storage.dependencies import used_files
from viewer.storage.documents import looks_of
from viewer.storage.package_path import is_file, split


def model_files(document: Document) -> dict[str, str]:
    """Return the files of a model with their paths below the folder into which they are written: the model,
    its parts, and the textures of all its displays.

    A file in a package keeps its path in the package. The other files keep their relative paths to each
    other. Tables of the game go into the folder of tables.
    """
    looks = looks_of(document)
    paths = used_files(document) | (looks.files(document) if looks is not None else set())
    existing = sorted(path for path in paths if is_file(path, document.context))
    tables = {path for path in existing if looks is not None and path.lower().endswith(looks.table_suffix)}
    others = [path for path in existing if path not in tables and split(path) is None]
    root = _root(others, document, looks)
    folder = looks.table_folder if looks is not None else ""
    return {path: _place(path, root, folder if path in tables else "") for path in existing}


def _place(path: str, root: str, table_folder: str) -> str:
    stored = split(path)
    if table_folder:
        return f"{table_folder}/{file_name(path)}"
    if stored is not None:
        return stored[1]
    return os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")


def _root(files: Iterable[str], document: Document, looks: Looks | None) -> str:
    """The lowest folder that contains all files and some folders. If a file is below one of the game's known
    folders of models, such as `Creature`, the game's folder is one of these folders. Further ones are the
    folders from which the name of a texture leads to the texture's file.
    """
    folders = [os.path.dirname(os.path.abspath(path)) for path in files]
    names = looks.model_folders if looks is not None else ()
    folders += [folder for path in files if (folder := _game_folder(os.path.abspath(path), names))]
    textures = document.model.textures if document.model is not None else ()
    for texture in textures:
        folder = _named_from(texture.name, texture.path) if texture.path else ""
        folders += [folder] if folder else []
    return os.path.commonpath(folders) if folders else ""


def _game_folder(path: str, names: Sequence[str]) -> str:
    """The folder that contains the outermost folder of models above a file, which has one of the folded
    `names`; empty if the file is below no such folder.
    """
    parts = path.split(os.sep)
    for number, part in enumerate(parts[:-1]):
        if part.casefold() in names and number:
            return os.sep.join(parts[:number]) or os.sep
    return ""


def _named_from(name: str, path: str) -> str:
    """The folder from which `name` leads to `path`; empty if the path does not end with the name."""
    end = name.replace("\\", "/").strip("/")
    whole = os.path.abspath(path).replace(os.sep, "/")
    if split(path) is not None or "/" not in end or not whole.casefold().endswith(f"/{end.casefold()}"):
        return ""
    return whole[: -len(end) - 1] or os.sep
