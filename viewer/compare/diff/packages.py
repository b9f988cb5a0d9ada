"""Compares the files of packages."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.errors import FormatError
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.document import Document
from viewer.scene.package import Package

FILES = DifferenceGroup.FILES
Fingerprint = tuple[int, int] | None


def package_differences(one: Document, other: Document) -> Iterator[Difference]:
    """Find the differences between the files of two packages, by name. A new file that has the size and
    checksum of a removed file counts as renamed.
    """
    first, second = one.content, other.content
    assert isinstance(first, Package) and isinstance(second, Package), "both documents are packages"
    names = _numbers(first), _numbers(second)
    removed = {name: number for name, number in names[0].items() if name not in names[1]}
    added = {name: number for name, number in names[1].items() if name not in names[0]}
    known = {_fingerprint(second, number): name for name, number in reversed(added.items())}
    known.pop(None, None)
    for name, number in removed.items():
        partner = known.pop(_fingerprint(first, number), None)
        if partner is None:
            yield Difference(FILES, Change.REMOVED, name, f"{int(first.sizes[number]):,} bytes")
        else:
            del added[partner]
            yield Difference(FILES, Change.RENAMED, name, f"now {partner}")
    for name, number in added.items():
        yield Difference(FILES, Change.ADDED, name, f"{int(second.sizes[number]):,} bytes")
    for name, number in names[0].items():
        partner_number = names[1].get(name)
        if partner_number is not None:
            text = _change(one, other, first, second, number, partner_number)
            if text:
                yield Difference(FILES, Change.CHANGED, name, text)


def _numbers(package: Package) -> dict[str, int]:
    """The index of each file by name. If several files have the same name, the last index is used."""
    return {name: number for number, name in enumerate(package.names)}


def _fingerprint(package: Package, number: int) -> Fingerprint:
    """The size and the checksum of a file; None if it has no checksum."""
    checksum = package.checksum_of(number)
    return None if checksum is None else (int(package.sizes[number]), checksum)


def _change(
    one: Document, other: Document, first: Package, second: Package, number: int, partner: int
) -> str:
    """Describe the difference between two files of the same name; empty if their bytes are the same."""
    sizes = int(first.sizes[number]), int(second.sizes[partner])
    if sizes[0] != sizes[1]:
        return f"{sizes[0]:,} → {sizes[1]:,} bytes"
    checksums = {first.checksum_of(number), second.checksum_of(partner)} - {None}
    if len(checksums) > 1:
        return f"other content of the same size, {sizes[0]:,} bytes"
    if _packed_bytes(one, first, number) == _packed_bytes(other, second, partner):
        return ""
    try:
        same = all(
            np.array_equal(*pieces)
            for pieces in zip(_blocks(first, number), _blocks(second, partner), strict=True)
        )
    except (FormatError, ValueError):
        return "its content cannot be compared"
    with_sum = " with the same checksum" if checksums else ""
    return "" if same else f"other content{with_sum}, {sizes[0]:,} bytes"


def _packed_bytes(document: Document, package: Package, number: int) -> memoryview:
    start = int(package.offsets[number])
    return memoryview(document.data)[start : start + int(package.packed[number])]


BLOCK = 1 << 20


def _blocks(package: Package, number: int) -> Iterator[np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    """Yield the unpacked bytes of a file in blocks of one size."""
    held = b""
    for piece in package.read(number):
        held += piece
        while len(held) >= BLOCK:
            yield np.frombuffer(held[:BLOCK], np.uint8)
            held = held[BLOCK:]
    yield np.frombuffer(held, np.uint8)
