"""Open a linked file: a file whose name is in an OGRE file. It is searched beside the OGRE file, by the text
of the name and by the exact bytes of the name.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from viewer.errors import MISSING_PART, MissingFile, Report, Topic, ViewerError
from viewer.families.ogre.names import BytesName
from viewer.family.format import OpenedFile
from viewer.storage.package_path import as_path
from viewer.storage.search import FoundResource, SearchPath


def open_linked(
    name: BytesName,
    file: OpenedFile,
    kind: str,
    accepts: Callable[[bytes, str], bool],
    report: Report,
    topic: Topic = Topic.OTHER,
) -> OpenedFile | None:
    """Find and read a linked file. `name` is the name in the OGRE file `file`, around which the search
    begins. In messages, `kind` is the noun for the linked file.

    None, with a warning, if the file is missing, cannot be read, or `accepts` refuses its bytes.
    """
    search = SearchPath.around(file.path, file.context, report)
    searched: tuple[str, ...] = ()
    for spelling in name.spellings:
        found = search.find(spelling)
        if isinstance(found, FoundResource):
            return _read(found, file, kind, accepts, report, topic)
        searched += found.searched
    paths = ", ".join(dict.fromkeys(searched))
    looked = f"searched {paths}" if paths else "it is not searched, because its name leads out of the folder"
    missing = MissingFile(kind, str(name), tuple(dict.fromkeys(searched)))
    report.warn(f"the {kind} {str(name)!r} is missing; {looked}", MISSING_PART, missing, topic=topic)
    return None


def _read(
    resource: FoundResource,
    file: OpenedFile,
    kind: str,
    accepts: Callable[[bytes, str], bool],
    report: Report,
    topic: Topic,
) -> OpenedFile | None:
    try:
        data = resource.read()
    except ViewerError as error:
        report.warn(f"the {kind} cannot be read: {error}", MISSING_PART, topic=topic)
        return None
    if accepts(data, ""):
        return replace(file, data=data, path=as_path(resource.path))
    report.warn(f"{resource.path} is not a {kind}", MISSING_PART, topic=topic)
    return None
