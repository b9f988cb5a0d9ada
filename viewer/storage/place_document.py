"""Make a document of a game's folder: the list of its files and of their sources."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from viewer.binary.span import Span
from viewer.errors import Report, counted
from viewer.scene.document import Document
from viewer.scene.package import GameSource, plain_package
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
        """Read a file in one piece. Checksums are not compared, because only the archives of a game have
        them.
        """
        yield place.read(names[number])

    def providers(number: int) -> tuple[GameSource, ...]:
        """The source of a file, then the sources that it hides."""
        return place.provider(names[number]), *place.hidden(names[number])

    package = replace(
        plain_package(names, np.zeros(len(names), np.int64), sizes, read),
        sources=place.sources,
        providers=providers,
        provided_by=place.numbers,
    )
    version = counted(len(place.loaded), "source" if place.loose else "archive")
    name = f"{place.game} program" if place.loose else f"game {place.game}"
    return Document(place.path, name, version, b"", Span("game", 0, 0), package, report)
