"""The folder of an OGRE program as a place: the resource locations of its `resources.cfg`."""

from __future__ import annotations

import os
from typing import Literal

from viewer.family.place import PlaceLayout
from viewer.scene.package import GameSource
from viewer.scene.reading_context import ReadingContext
from viewer.storage.configuration import configurations_of, locations_in
from viewer.storage.place import source_at


def ogre_layout(folder: str, context: ReadingContext) -> PlaceLayout | None:
    """Find the locations that the `resources.cfg` of an OGRE program in a folder lists; None for a folder
    without one.
    """
    path = next(configurations_of(folder), None)
    if path is None:
        return None
    absent = f"{os.path.basename(path)} lists it, but it does not exist"
    found, missing = dict[str, GameSource](), list[GameSource]()
    for name, place, kind in locations_in(path):
        form: Literal["archive", "folder"] = "folder" if kind == "folder" else "archive"
        if place is None:
            missing.append(GameSource(name, name, form, absent))
        else:
            shown = os.path.relpath(place, folder).replace(os.sep, "/")
            found.setdefault(place, source_at(shown, place, deep=kind != "folder"))
    sources = (*found.values(), *dict.fromkeys(missing))
    return PlaceLayout("OGRE", sources, (folder, path), loose=True) if found else None
