"""The archives of a client of 天龙八部 (TLBB), in the order in which the client mounts them.

`Bin/FairyResources.cfg` lists the archives; a folder may have the name of an archive. Of several files with
the same name the file of the last archive counts.

Source: `FairyResources.cfg` of d3mbun TLBBWinnerR_Client; OGRE 1.x, `ResourceGroupManager::addToIndex`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from viewer.families.ogre.axp.probe import SUFFIX
from viewer.family.place import PlaceLayout
from viewer.scene.package import GameSource
from viewer.scene.reading_context import ReadingContext
from viewer.storage.configuration import named_locations
from viewer.storage.listing import entries_of
from viewer.storage.place import case_twins, data_folder, source_at, user_order

GAME = "天龙八部 (TLBB)"
CONFIGURATION = "fairyresources.cfg"
"""The folded name of the file that lists the archives."""
PROGRAM = "bin"
"""The folded name of the folder with the program and its configuration, beside the folder `Data`."""
KNOWN = re.compile(
    r"(?:all|brushes|config|effect|interface|launchskin|material|model|scene|sound|update)(\d*)\.axp",
    re.IGNORECASE,
)
"""Matches names that prove a folder is a client: no other game has archives of these names."""
UPDATE = "update.axp"


def client_layout(folder: str, context: ReadingContext) -> PlaceLayout | None:
    """Find the archives of the client in its folder or in its folder `Data`; None if the folder is no such
    client.
    """
    data = data_folder(folder, _has_archives)
    if data is None:
        return None
    found = {each.name: each.path for each in entries_of(data) if each.name.casefold().endswith(SUFFIX)}
    listing = next(_configurations(data), "")
    mounted, absent = _mounted(listing, data, found)
    own = (mounted, f"{os.path.basename(listing)} does not list it") if mounted else (_usual_order(found), "")
    order, why = user_order(found, context.archive_order) or own
    twins = case_twins(found)
    loaded = [name for name in order if name not in twins]
    left = sorted((name for name in found if name not in loaded), key=str.casefold)
    missing = f"{os.path.basename(listing)} lists it, but it does not exist"
    sources = (
        *(source_at(name, found[name]) for name in loaded),
        *(source_at(name, found[name], twins.get(name, why)) for name in left),
        *(GameSource(os.path.join(data, name), name, "archive", missing) for name in absent),
    )
    folders = (folder, data, *([listing] if listing else ()))
    return PlaceLayout(GAME, sources, folders, by_base_name=True)


def _has_archives(folder: str) -> bool:
    """Whether a folder has an archive that only this game has, or an archive and a configuration."""
    names = [each.name for each in entries_of(folder) if each.name.casefold().endswith(SUFFIX)]
    if any(map(KNOWN.fullmatch, names)):
        return True
    return bool(names) and next(_configurations(folder), None) is not None


def _configurations(data: str) -> Iterator[str]:
    """Yield the paths of the configurations in the folder of the program, and in the folder `data`."""
    top = os.path.dirname(data)
    programs = [each.path for each in entries_of(top) if each.name.casefold() == PROGRAM and each.is_dir()]
    for place in (*programs, data):
        yield from (each.path for each in entries_of(place) if each.name.casefold() == CONFIGURATION)


def _mounted(listing: str, data: str, archives: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Two lists: the listed archives in `data`, in the order of the configuration, and the names of the
    listed archives that do not exist.
    """
    known = {name.casefold(): name for name in archives}
    mounted: dict[str, None] = {}
    absent: dict[str, None] = {}
    for _, name in named_locations(listing):
        path = os.path.normpath(os.path.join(os.path.dirname(listing), name))
        base = os.path.basename(path)
        if os.path.dirname(path).casefold() == data.casefold() and base.casefold().endswith(SUFFIX):
            (mounted if base.casefold() in known else absent)[known.get(base.casefold(), base)] = None
    return [*mounted], [*absent]


def _usual_order(archives: Mapping[str, str]) -> list[str]:
    """The usual order of the archives, for a client that has no configuration: first the archives without a
    number, of which `Update` is the last, then the numbered archives by their numbers.
    """

    def key(name: str) -> tuple[int, bool, str]:
        known = KNOWN.fullmatch(name)
        return int(known[1][:9] or 0) if known else 0, name.casefold() == UPDATE, name.casefold()

    return sorted(archives, key=key)
