"""A document of bytes alone, for a file that no format reads."""

from __future__ import annotations

import re

from viewer.binary.span import UNKNOWN, Span
from viewer.errors import FormatError, Report
from viewer.formats.foreign import foreign_format
from viewer.scene.document import Document
from viewer.storage.package_path import read_path

UNKNOWN_FORMAT = "unknown format"
ARTICLE = re.compile(r"^an? ")


def unread_document(path: str, error: FormatError) -> Document:
    """The bytes of a file that could not be opened because of `error`, which the report holds.

    FormatError if the bytes cannot be read either, or the file is empty.
    """
    place, data = read_path(path)
    if not data:
        raise error
    name = foreign_format(data, place.suffix.lower())
    report = Report()
    report.fail(error)
    root = Span(place.name, 0, len(data), UNKNOWN, error=error.why)
    format = UNKNOWN_FORMAT if name is None else ARTICLE.sub("", name.partition(",")[0])
    return Document(str(place), format, "", data, root, None, report)
