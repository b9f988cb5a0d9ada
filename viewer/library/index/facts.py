"""The facts of a file for the index, the hash of its bytes, and its dependencies."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Sequence
from hashlib import blake2b, file_digest
from io import BufferedReader
from itertools import islice
from typing import Any, NamedTuple, cast

from viewer.arrays import Array, damaged_numbers
from viewer.budget import BUDGET
from viewer.errors import FormatError, ViewerError
from viewer.family.registry import has_role
from viewer.scene import items
from viewer.scene.document import Document
from viewer.scene.files import FileFacts, kind_of
from viewer.scene.model import model_size
from viewer.scene.names import BELOW
from viewer.scene.needs import needs_of, unmet
from viewer.scene.parts import PART_KINDS, PartOwner
from viewer.scene.reading_context import DEFAULT, ReadingContext
from viewer.storage.dependencies import depends_on
from viewer.storage.documents import open_document
from viewer.storage.package_path import on_disk, split
from viewer.storage.reading import open_regular
from viewer.storage.versions import Dependencies, is_regular, versions_of

ENDS = 4 << 20
"""At each end of a mapped file, this number of bytes is hashed."""
HASH = 16
"""Length of a hash in bytes."""


INDEXED: dict[type[items.Item], tuple[str, str]] = {
    items.GeometryItem: ("geometries", ""),
    items.BoneItem: ("bones", "bone_names"),
    items.AnimationItem: ("clips", "clip_names"),
    items.MorphItem: ("morphs", ""),
    items.MaterialItem: ("materials", "material_names"),
    items.TextureItem: ("textures", "texture_names"),
    items.EmitterItem: ("emitters", ""),
    items.RibbonItem: ("ribbons", ""),
    items.ModelItem: ("", ""),
    items.CameraItem: ("", ""),
    items.LightItem: ("", ""),
    items.AttachmentItem: ("", ""),
    items.EventItem: ("", ""),
}
"""The fields of `FileFacts` with the number and the names of each kind of part; empty: not in the index."""


class IndexedFile(NamedTuple):
    """The values that the index stores for a file.

    `hash` is None for an unreadable file. `companions` are the files that the facts depend on, and the
    folders in which missing files were searched.
    """

    facts: FileFacts
    hash: bytes | None = None
    companions: Dependencies | None = None


def index_file(path: str, context: ReadingContext = DEFAULT) -> IndexedFile:
    """Read a file for the index; an unreadable file gets facts with the error."""
    begun = time.time_ns()
    try:
        document = open_document(path, context)
    except (ViewerError, OSError) as error:
        return IndexedFile(unread_facts(error))
    own = os.path.abspath(on_disk(path))
    companions = {watched(each) for each in depends_on(document) - {own}}
    digest = blake2b(_hashed(document.data), digest_size=HASH).digest()
    return IndexedFile(document_facts(document), digest, versions_of(companions, begun))


def _hashed(data: bytes) -> bytes:
    """The bytes whose hash identifies a file. For most files they are all bytes. For a mapped file, which may
    have many gigabytes, they are the size, the first bytes and the last bytes.
    """
    if isinstance(data, bytes):
        return data
    return str(len(data)).encode() + data[:ENDS] + data[-ENDS:]


def watched(path: str) -> str:
    """Return the path to watch for changes: the file if it exists, else its folder.

    A path with `**` stands for the list of a project's files, and is watched itself.
    """
    return path if BELOW in path or is_regular(path) else os.path.dirname(path)


def hash_file(path: str) -> bytes | None:
    """Return the hash of a file on the disk; None for an unreadable file, a file in a package, and a package
    itself, which may have many gigabytes.
    """
    if split(path) is not None or has_role(path, "package"):
        return None
    try:
        with open_regular(path) as file:
            return file_digest(cast(BufferedReader, file), lambda: blake2b(digest_size=HASH)).digest()
    except OSError:
        return None


def unread_facts(error: ViewerError | OSError) -> FileFacts:
    """Return the facts of an unreadable file."""
    why = f"cannot be read: {error.strerror or error}" if isinstance(error, OSError) else reason(error)
    return FileFacts(errors=(text(why),))


@damaged_numbers()
def document_facts(document: Document) -> FileFacts:
    """Return the facts of an opened document."""
    content = document.content
    owner = PartOwner.stored(document)
    found: dict[str, Any] = {}
    for item, (count, named) in INDEXED.items():
        kind = PART_KINDS[item]
        parts = kind.parts(owner)
        if count:
            found[count] = len(parts)
        if named:
            found[named] = texts(map(kind.name, parts))
    errors = [each for other in document.attached for each in other.report.errors]
    size = model_size(owner.model)
    return FileFacts(
        format=document.format,
        version=document.version,
        kind=kind_of(content),
        called=text(", ".join(document.displays.names)),
        triangles=size.triangles,
        vertices=size.vertices,
        length=max(
            (each.duration for each in document.animations if math.isfinite(each.duration)), default=0.0
        ),
        bounds=_bounds(owner.model.bounds),
        display_ids=texts(str(each.id) for each in document.displays.listed),
        missing=tuple(
            (each.kind, text(each.name)) for each in islice(unmet(needs_of(document)), BUDGET.kept_names)
        ),
        warnings=texts([*document.report.warnings, *map(str, errors)]),
        errors=texts(map(reason, document.report.errors)),
        **found,
    )


def reason(error: ViewerError) -> str:
    """Return the text of an error without the name of its file."""
    return str(error).removeprefix(f"{error.file}: ") if isinstance(error, FormatError) else str(error)


def texts(names: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct names, limited in number and length by the budget."""
    return tuple(dict.fromkeys(map(text, islice(filter(None, names), BUDGET.kept_names))))


def text(name: str) -> str:
    """Return a name as the index stores it: shortened, and encodable as UTF-8."""
    return name[: BUDGET.kept_letters].encode("utf-8", "replace").decode("utf-8")


def _bounds(bounds: Array | None) -> tuple[float, ...] | None:
    """Return a box [2, 3] as six numbers; None if one of them is not finite."""
    numbers: Sequence[float] = () if bounds is None else bounds.ravel().tolist()
    return tuple(numbers) if len(numbers) == 6 and all(map(math.isfinite, numbers)) else None
