"""The `resources.cfg` of an OGRE program, which lists the resource locations of the program.

Source: OGRE manual, resources.cfg: `FileSystem=` and `Zip=` lines in sections, paths relative to the file;
`FileSystem` does not include sub-folders. `FairyResources.cfg` of 天龙八部 also has `AxpFileSystem=` lines
for archives, and a folder may have the name of an archive.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

import msgspec

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.scene.reading_context import ReadingContext
from viewer.storage.listing import entries_of, present
from viewer.storage.package_path import archive_at
from viewer.storage.reading import read_file
from viewer.storage.source import FolderSource, Source
from viewer.storage.versions import KeptAnswers

CONFIGURATION = ".cfg"
KINDS = {"filesystem": "folder", "zip": "archive", "axpfilesystem": "archive"}
"""The kinds of locations by the folded keywords of their lines."""
CONFIGURATIONS = ("resources.cfg", "resources_d.cfg", "resources2.cfg", "fairyresources.cfg")
"""Names of the files that list an OGRE program's resource locations; upper and lower case count as equal."""
PROGRAMS = ("bin", "dist")
"""Possible names of the program folder with the configuration; upper and lower case count as equal."""
CONFIGURATIONS_ABOVE = 3
"""Number of folders above a configuration in which its relative locations may start."""
PATH_BYTES = 200
"""Approximate size in bytes of a location in memory."""


class ProgramLocations(msgspec.Struct, frozen=True):
    """The locations that a `resources.cfg` lists. The value of a folder says whether its sub-folders are
    locations too. `absent` are the locations that do not exist or are outside the project, as the file names
    them.
    """

    folders: dict[str, bool] = {}
    absent: tuple[str, ...] = ()


_LOCATIONS: KeptAnswers[str, ProgramLocations] = KeptAnswers(1 << 20)
"""The cached locations of configurations by path."""


def configurations_of(folder: str) -> Iterator[str]:
    """Yield the paths of the OGRE configurations in a folder and in the folder of its program."""
    programs = (each.path for each in entries_of(folder) if each.name.casefold() in PROGRAMS)
    for place in (folder, *programs):
        for entry in entries_of(place):
            if entry.name.casefold() in CONFIGURATIONS:
                yield entry.path


def configured(path: str, context: ReadingContext) -> Iterator[tuple[Source, bool]]:
    """Yield the locations that a `resources.cfg` lists; none if it cannot be read."""
    for _, place, kind in locations_in(path):
        source = None
        if place:
            source = archive_at(place, context) if kind == "archive" else FolderSource(place)
        if source is not None:
            yield source, kind != "folder"


def locations_in(path: str) -> Iterator[tuple[str, str | None, Literal["folder", "archive", "unpacked"]]]:
    """Yield each location of a `resources.cfg` with three values: name, path and kind. The path is None if
    the location does not exist or is outside the project. The folder `x` stands for a missing `x.zip` and is
    of the kind `unpacked`.
    """
    for kind, name in named_locations(path):
        if kind == "folder":
            yield name, _placed(path, name, is_dir=True), "folder"
        elif (archive := _placed(path, name, is_dir=False)) is not None:
            yield name, archive, "archive"
        else:
            yield name, _placed(path, os.path.splitext(name)[0], is_dir=True), "unpacked"


def named_locations(path: str) -> list[tuple[str, str]]:
    """List the kind, `folder` or `archive`, and the name of each location in a `resources.cfg`, in its order;
    none if the file cannot be read.
    """
    if not os.path.isfile(path):
        return []
    try:
        text = read_file(path, BUDGET.text_bytes).decode("utf-8", "replace")
    except FormatError:
        return []
    rows = (line.partition("=") for line in text.splitlines())
    found = ((KINDS.get(row[0].strip().casefold(), ""), row[2].strip().strip('"')) for row in rows)
    return [(kind, name.replace("\\", "/")) for kind, name in found if kind and name]


def _placed(path: str, name: str, is_dir: bool) -> str | None:
    """The path of a location in the configuration `path`; None if it does not exist.

    A relative location starts at the configuration's folder, else at one of the folders above, because a
    program may run in another folder than the folder of its configuration. If the location exists in none of
    these folders, its leading `../` is removed and the folders are tried again. An absolute location must be
    below the highest of these folders, because any other absolute path belongs to the author's system.
    """
    starts = [os.path.dirname(os.path.abspath(path))]
    for _ in range(CONFIGURATIONS_ABOVE):
        starts.append(os.path.dirname(starts[-1]))
    inner = name
    while inner.startswith("../"):
        inner = inner[3:]
    for each in dict.fromkeys((name, inner)):
        for start in dict.fromkeys(starts):
            place = os.path.normpath(os.path.join(start, each))
            inside = place.startswith(os.path.join(starts[-1], ""))
            if (inside or not os.path.isabs(each)) and _exists(place, is_dir):
                return place
    return None


def _exists(path: str, is_dir: bool) -> bool:
    """Whether a folder or file exists. The list of the folder above is used, because it is read once for many
    locations. On a system that ignores case the system is asked instead.
    """
    if sys.platform in ("win32", "darwin"):
        return os.path.isdir(path) if is_dir else os.path.isfile(path)
    folder, name = os.path.split(path)
    return present(folder, (name,)).get(name) is is_dir


def configured_folders(paths: Iterable[str], loaded: Sequence[str]) -> dict[str, bool]:
    """Collect the folders that programs list in the configurations `paths`. Only programs that can load one
    of the files `loaded` count. The value of a folder says whether its sub-folders are locations too.
    """
    found: dict[str, bool] = {}
    for path in paths:
        folders = _listed(path).folders
        if any(is_located(os.path.dirname(each), folders) for each in loaded):
            found |= folders
    return found


def absent_locations(path: str) -> tuple[str, ...]:
    """List the names of the locations in a `resources.cfg` that do not exist or are outside the project."""
    return _listed(path).absent


def _listed(path: str) -> ProgramLocations:
    return _LOCATIONS.get(path, partial(_read_locations, path), _size)


def _size(locations: ProgramLocations) -> int:
    return PATH_BYTES * (1 + len(locations.folders) + len(locations.absent))


def _read_locations(path: str) -> ProgramLocations:
    locations = [*locations_in(path)]
    places = ((place, kind) for _, place, kind in locations if place is not None and kind != "archive")
    folders = {place: kind == "unpacked" for place, kind in places}
    return ProgramLocations(
        folders, tuple(dict.fromkeys(name for name, place, _ in locations if place is None))
    )


def is_located(folder: str, folders: dict[str, bool]) -> bool:
    """Whether a folder is a location, or below a location with sub-folders."""
    return folder in folders or any(
        deep and folder.startswith(os.path.join(each, "")) for each, deep in folders.items()
    )
