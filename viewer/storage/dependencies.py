"""Finds the files that a document depends on."""

from __future__ import annotations

import os
from collections.abc import Iterable

import viewer.storage.project_index  # noqa: F401  # the versions of lists of files
from viewer.scene.document import Document
from viewer.scene.missing_parts import missing_files
from viewer.scene.model import Model, pictured
from viewer.storage.package_path import on_disk


def depends_on(document: Document) -> set[str]:
    """The paths of a document, of its animations, materials, textures and named models, of the tables
    with its displays, and of the layers of a character.

    For a missing file, such as a skeleton, the result has all paths at which it was searched.
    """
    paths = {document.path, *(each.path for each in document.attached), *document.displays.tables}
    paths.update(each.source for each in document.animations if each.source)
    model = document.content if isinstance(document.content, Model) else None
    for material in model.materials if model else ():
        paths.update((material.found,) if material.found else material.searched)
    for texture in pictured(model):
        paths.update((texture.path,) if texture.path else texture.searched)
    paths.update(document.character.files if document.character is not None else ())
    for part in missing_files(document):
        paths.update(part.searched)
    for named in model.references if model else ():
        paths.update((named.path, *named.files) if named.path else named.searched)
    return {os.path.abspath(on_disk(path)) for path in paths}


def inputs_of(documents: Iterable[Document]) -> set[str]:
    """The paths of all existing files that `documents` depend on."""
    return set(filter(os.path.exists, (path for each in documents for path in depends_on(each))))
