"""Make a document of a game's folder: the list of its files and of their sources."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from viewer.binary.span import Span
from viewer.errors import FormatError, Report, counted
from viewer.scene.document import Document
from viewer.scene.package import BROKEN, GOOD, GameSource, Package
from viewer.storage.place import Place


def place_document(place: Place) -> Document:
    """List the files of a game. No file is read. Sources that the game does not load become notes."""
    names = list(place.names(deep=True))
    report = Report()
    for each in place.sources:
        if not each.loaded:
            report.note(f"{each.name} is not loaded: {each.why}")
    sizes = place.sizes

    def read(number: int) -> Iterator[bytes]:
        """Read a file in one piece."""
        yield place.read(names[number])

    def verify(number: int) -> tuple[int, FormatError | None]:
        """Read a file without comparing checksums, because only the archives of a game have them."""
        try:
            place.read(names[number])
        except FormatError as error:
            return BROKEN, error
        return GOOD, None

    def providers(number: int) -> tuple[GameSource, ...]:
        """The source of a file, then the sources that it hides."""
        return place.provider(names[number]), *place.hidden(names[number])

    package = Package(
        names=names,
        offsets=np.zeros(len(names), np.int64),
        sizes=sizes,
        packed=sizes,
        checksums=np.zeros(len(names), np.uint32),
        compressed=False,
        checksum=None,
        sound=lambda: True,
        start=0,
        read=read,
        digest=lambda data, value: crc32(data, value),
        verify=verify,
        verdicts=np.zeros(len(names), np.uint8),
        summed=np.zeros(len(names), bool),
        sources=place.sources,
        providers=providers,
        provided_by=place.numbers,
    )
    version = counted(len(place.loaded), "source" if place.loose else "archive")
    name = f"{place.game} program" if place.loose else f"game {place.game}"
    return Document(place.path, name, version, b"", Span("game", 0, 0), package, report)
