"""Open a linked file: a file whose name is in an OGRE file. It is searched beside the OGRE file, by the text
of the name and by the exact bytes of the name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from viewer.errors import MISSING_PART, MissingFile, Report, Topic, ViewerError
from viewer.families.ogre.names import BytesName
from viewer.storage.package_path import as_path
from viewer.storage.search import FoundResource, SearchPath


def open_linked(
    name: BytesName,
    path: PurePath,
    kind: str,
    accepts: Callable[[bytes, str], bool],
    report: Report,
    topic: Topic = Topic.OTHER,
) -> tuple[PurePath, bytes] | None:
    """Find a linked file; return its path and its bytes. `name` is the name in the OGRE file at `path`,
    around which the search begins. In messages, `kind` is the noun for the linked file.

    None, with a warning, if the file is missing, cannot be read, or `accepts` refuses its bytes.
    """
    search = SearchPath.around(path)
    searched: tuple[str, ...] = ()
    for spelling in name.spellings:
        found = search.find(spelling)
        if isinstance(found, FoundResource):
            return _read(found, kind, accepts, report, topic)
        searched += found.searched
    paths = ", ".join(dict.fromkeys(searched))
    looked = f"searched {paths}" if paths else "it is not searched, because its name leads out of the folder"
    file = MissingFile(kind, str(name), tuple(dict.fromkeys(searched)))
    report.warn(f"the {kind} {str(name)!r} is missing; {looked}", MISSING_PART, file, topic=topic)
    return None


def _read(
    resource: FoundResource, kind: str, accepts: Callable[[bytes, str], bool], report: Report, topic: Topic
) -> tuple[PurePath, bytes] | None:
    try:
        data = resource.read()
    except ViewerError as error:
        report.warn(f"the {kind} cannot be read: {error}", MISSING_PART, topic=topic)
        return None
    if accepts(data, ""):
        return as_path(resource.path), data
    report.warn(f"{resource.path} is not a {kind}", MISSING_PART, topic=topic)
    return None
