"""Two files, opened and compared, for the tests of differences."""

from __future__ import annotations

from pathlib import Path

from viewer.diff.comparing import compare
from viewer.formats import open_document
from viewer.scene.difference import Difference, Differences
from viewer.scene.document import Document


def opened(folder: Path, data: bytes, name: str) -> Document:
    """The document of these bytes, in a folder of their own below `folder`."""
    place = folder / f"{len(list(folder.iterdir()))}"
    place.mkdir()
    (place / name).write_bytes(data)
    return open_document(str(place / name))


def compared(
    folder: Path, one: bytes, other: bytes, name: str = "Post.mdl", tolerance: float | None = None
) -> Differences:
    """The differences of two files of these bytes."""
    return compare(opened(folder, one, name), opened(folder, other, name), tolerance)


def lines(found: Differences) -> list[str]:
    """A short line for each difference: `bones changed tip: moved by 0.5 in the rest pose`."""
    return [line(each) for each in found.found]


def line(each: Difference) -> str:
    """The line of one difference."""
    return f"{each.group.word} {each.change.value} {each.name}" + (f": {each.text}" if each.text else "")
