"""The missing files, materials and textures of a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct

from viewer.errors import counted
from viewer.scene.document import Document
from viewer.scene.items import Item, MaterialItem, TextureItem
from viewer.scene.material import Material
from viewer.scene.model import Model
from viewer.scene.names import BELOW

NO_ERRORS: Mapping[int, str] = MappingProxyType({})
LINKED = "linked skeleton"
"""The kind of a linked skeleton, which another skeleton names for its animations."""


class MissingPart(Struct, frozen=True):
    """A missing or unreadable file, material or texture. `kind` is a noun: `texture`, `material`, or a kind
    of file such as `skeleton`. `searched` are the searched paths, `error` the reason if it is unreadable.

    `item` is the part's item in the model. It is None for a file, and for a part of an emitter's model.
    """

    kind: str
    name: str
    searched: tuple[str, ...] = ()
    item: Item | None = None
    error: str = ""


def missing_in(
    document: Document, user_textures: Collection[int] = (), errors: Mapping[int, str] = NO_ERRORS
) -> tuple[MissingPart, ...]:
    """The missing files of a document and its attached documents, then the missing parts of its model; see
    `missing_parts` for the arguments.
    """
    model = document.model
    parts = missing_parts(model, user_textures, errors) if model is not None else ()
    return (*missing_files(document), *parts)


def missing_files(document: Document) -> tuple[MissingPart, ...]:
    """The missing files of a document and its attached documents, each once."""
    files = (file for each in (document, *document.attached) for file in each.report.missing)
    return tuple(MissingPart(file.kind, file.name, file.searched) for file in dict.fromkeys(files))


def missing_parts(
    model: Model, user_textures: Collection[int] = (), errors: Mapping[int, str] = NO_ERRORS
) -> tuple[MissingPart, ...]:
    """The missing materials of a model, then its missing textures, each name once.

    `user_textures` are the numbers of textures for which the user chose a file. `errors` says why images are
    unreadable, by their number in `scene.model.pictured`.
    """
    found = [*_materials(model), *_textures(model, user_textures, errors)]
    first = len(model.textures)
    for each in model.references:
        if each.model is not None:
            inner = {number - first: why for number, why in errors.items() if number >= first}
            parts = (*_materials(each.model), *_textures(each.model, (), inner))
            found += [MissingPart(part.kind, part.name, part.searched, None, part.error) for part in parts]
            first += len(each.model.textures)
    return tuple({(part.kind, part.name): part for part in reversed(found)}.values())[::-1]


def advice(searched: Collection[str]) -> str:
    """The action that helps to find a missing file, by the searched paths."""
    if not searched:
        return "The model names no file: choose one."
    if any(BELOW in path for path in searched):
        return "The project has no such file: make the file's folder a resource folder (--resources)."
    return "Put the file into a searched folder, or make its folder a resource folder (--resources)."


def nearest(searched: Sequence[str], most: int) -> str:
    """List searched paths, the nearest first. The list has the first `most` paths, and all paths of
    projects.
    """
    shown = [path for number, path in enumerate(searched) if number < most or BELOW in path]
    more = len(searched) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def summary(parts: Collection[MissingPart]) -> str:
    """Summarise the parts: `1 skeleton, 1 material and 3 textures missing`. Empty if there are none."""
    counts = Counter(part.kind for part in parts)
    *most, last = [counted(count, kind) for kind, count in counts.items()] or [""]
    return f"{' and '.join(filter(None, (', '.join(most), last)))} missing" if last else ""


def _materials(model: Model) -> Iterator[MissingPart]:
    for number, material in enumerate(model.materials):
        if material.missing:
            yield MissingPart("material", material.name, material.searched, MaterialItem(number))


def _textures(
    model: Model, user_textures: Collection[int], errors: Mapping[int, str]
) -> Iterator[MissingPart]:
    for number in sorted(used_textures(model) - set(user_textures)):
        if number >= len(model.textures):
            continue
        texture = model.textures[number]
        if texture.decode is None or number in errors:
            error = errors.get(number, "")
            yield MissingPart("texture", texture.name, texture.searched, TextureItem(number), error)


def used_textures(model: Model) -> set[int]:
    """The numbers of the textures that materials, particles and ribbons show."""
    layers = (layer for ribbon in model.ribbons for layer in ribbon.layers)
    materials: tuple[Material, ...] = (*model.materials, *layers)
    used = {number for material in materials for number in material.units.values()}
    used |= {page for material in materials if material.flipbook for page in material.flipbook.textures}
    drawn = (emitter for emitter in model.emitters if emitter.shape is None)
    return used | {emitter.texture for emitter in drawn}
