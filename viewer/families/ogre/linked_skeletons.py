"""Open a linked file: a file whose name is in an OGRE file. It is searched beside the OGRE file, by the text
of the name and by the exact bytes of the name.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from msgspec.structs import replace

from viewer.errors import MISSING_PART, NeedState, Report, Topic, ViewerError
from viewer.families.ogre.names import BytesName
from viewer.family.format import OpenedFile
from viewer.storage.foreign_formats import foreign_format, state_of
from viewer.storage.package_path import as_path
from viewer.storage.search import FoundResource, Missing, SearchPath, needed, offered_files

LINKED = "linked skeleton"
"""The kind of a linked skeleton, which another skeleton names for its animations."""


def open_linked(
    name: BytesName,
    file: OpenedFile,
    kind: str,
    accepts: Callable[[bytes, str], bool],
    report: Report,
    topic: Topic = Topic.OTHER,
    required: bool = False,
) -> OpenedFile | None:
    """Find and read a linked file, and record it in the `report`. `name` is the name in the OGRE file `file`,
    around which the search begins. In messages, `kind` is the noun for the linked file.

    None, with a warning, if the file is missing, cannot be read, or `accepts` refuses its bytes.
    """
    search = SearchPath.around(file.path, file.context, report)
    searched: tuple[str, ...] = ()
    for spelling in name.spellings:
        found = search.find(spelling)
        if isinstance(found, FoundResource):
            return _read(str(name), found, file, kind, accepts, report, topic, required)
        searched += found.searched
    paths = ", ".join(dict.fromkeys(searched))
    looked = f"searched {paths}" if paths else "it is not searched, because its name leads out of the folder"
    names = {each.casefold(): each for each in search.own.names()}
    suffix = os.path.splitext(str(name))[1]
    offered = offered_files(names, str(name), suffix, (file.path.suffix.casefold(),))
    missing = needed(kind, str(name), Missing(str(name), tuple(dict.fromkeys(searched))), required, offered)
    report.warn(f"the {kind} {str(name)!r} is missing; {looked}", MISSING_PART, missing, topic=topic)
    return None


def _read(
    name: str,
    resource: FoundResource,
    file: OpenedFile,
    kind: str,
    accepts: Callable[[bytes, str], bool],
    report: Report,
    topic: Topic,
    required: bool,
) -> OpenedFile | None:
    fault: tuple[NeedState, str]
    try:
        data = resource.read()
    except ViewerError as error:
        text, fault = f"the {kind} cannot be read: {error}", ("unreadable", str(error))
    else:
        if accepts(data, ""):
            report.need(needed(kind, name, resource, required))
            return replace(file, data=data, path=as_path(resource.path))
        foreign = foreign_format(data, os.path.splitext(resource.path)[1].lower()) if data else None
        fault = ("unreadable", f"is not a {kind}") if foreign is None else state_of(foreign)
        text = f"{resource.path} {fault[1]}"
    report.warn(text, MISSING_PART, needed(kind, name, resource, required, fault=fault), topic=topic)
    return None
