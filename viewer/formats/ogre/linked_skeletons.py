"""Files that an OGRE file names: found beside it, by text or by the very bytes of the name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from viewer.errors import Report, ViewerError
from viewer.formats.ogre.names import BytesName
from viewer.storage.package_path import as_path
from viewer.storage.search import Found, SearchPath


def open_linked(
    name: BytesName, path: PurePath, kind: str, accepts: Callable[[bytes, str], bool], report: Report
) -> tuple[PurePath, bytes] | None:
    """Place and bytes of the file `name` beside the file `path`; None where there is none, or where `accepts`
    says that it is something else: then the report says so, and where it was searched."""
    places = SearchPath.around(path)
    searched: tuple[str, ...] = ()
    for spelling in name.spellings:
        found = places.find(spelling)
        if isinstance(found, Found):
            return _read(found, kind, accepts, report)
        searched += found.searched
    looked = ", ".join(dict.fromkeys(searched)) or "nowhere: the name leads outside"
    report.warn(f"the {kind} {str(name)!r} is missing; searched {looked}")
    return None


def _read(
    found: Found, kind: str, accepts: Callable[[bytes, str], bool], report: Report
) -> tuple[PurePath, bytes] | None:
    try:
        data = found.read()
    except ViewerError as error:
        report.warn(f"the {kind} cannot be read: {error}")
        return None
    if accepts(data, ""):
        return as_path(found.path), data
    report.warn(f"{found.path} is not the {kind} that it should be")
    return None


def adopt(report: Report, path: PurePath, into: Report) -> None:
    """What is wrong in a file that belongs to another, said there as well."""
    for text in report.warnings:
        into.warn(f"{path}: {text}")
    into.errors += report.errors
