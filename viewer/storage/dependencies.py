"""Finds the files that a document depends on."""

from __future__ import annotations

import os
from collections.abc import Iterable

import viewer.storage.project_index  # noqa: F401  # the versions of lists of files
from viewer.scene.document import Document
from viewer.scene.model import Model, pictured
from viewer.scene.needs import needs_of
from viewer.storage.package_path import on_disk


def used_files(document: Document) -> set[str]:
    """The paths of a document and of the files that it uses: its animations, materials, textures and named
    models, the tables with its displays, and the layers of a character. Files in packages have paths in
    their package.
    """
    paths = {document.path, *(each.path for each in document.attached), *document.displays.tables}
    paths.update(each.source for each in document.animations)
    model = document.content if isinstance(document.content, Model) else None
    paths.update(each.found or "" for each in (model.materials if model else ()))
    paths.update(each.path or "" for each in pictured(model))
    paths.update(document.character.files if document.character is not None else ())
    for named in model.references if model else ():
        paths.update((named.path, *named.files) if named.path else ())
    return paths - {""}


def depends_on(document: Document) -> set[str]:
    """The paths on the disk for a document and for the files that it uses, see `used_files`.

    For a missing file, such as a skeleton, the result has all paths at which it was searched.
    """
    paths = used_files(document)
    for texture in pictured(document.content if isinstance(document.content, Model) else None):
        paths.update(() if texture.path else texture.searched)
    for need in needs_of(document):
        paths.update((need.found,) if need.found else need.searched)
    return {os.path.abspath(on_disk(path)) for path in paths}


def inputs_of(documents: Iterable[Document]) -> set[str]:
    """The paths of all existing files that `documents` depend on."""
    return set(filter(os.path.exists, (path for each in documents for path in depends_on(each))))
