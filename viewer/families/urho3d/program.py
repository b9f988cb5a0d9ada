"""The folder of an Urho3D program as a place: its resource roots."""

from __future__ import annotations

import os

from viewer.family.place import PlaceLayout
from viewer.scene.reading_context import ReadingContext
from viewer.storage.listing import present
from viewer.storage.place import source_at
from viewer.storage.resource_folders import AUTOLOAD, PACKAGE_SUFFIX, ROOTS, roots_of


def urho3d_layout(folder: str, context: ReadingContext) -> PlaceLayout | None:
    """Find the resource roots of an Urho3D program in its folder, which has `CoreData` or a package; None for
    another folder.
    """
    if not present(folder, (ROOTS[1], *(name + PACKAGE_SUFFIX for name in ROOTS))):
        return None
    roots = [*roots_of(folder)][::-1]

    def why(root: str) -> str:
        """Why the engine does not load a root."""
        package = root + PACKAGE_SUFFIX
        return f"the engine loads {os.path.basename(package)} instead" if package in roots else ""

    sources = [
        source_at(os.path.relpath(root, folder).replace(os.sep, "/"), root, why(root)) for root in roots
    ]
    ordered = (*(each for each in sources if each.loaded), *(each for each in sources if not each.loaded))
    return PlaceLayout("Urho3D", ordered, (folder, os.path.join(folder, AUTOLOAD)), loose=True)
