"""What belongs to a document: the files, materials and textures that it needs, found or not.

`needs_of` is the only answer to the question. Everything that speaks of found or missing parts reads its
list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from viewer.scene.document import Document
from viewer.scene.items import Item, MaterialItem, TextureItem
from viewer.scene.material import FoundBy, FoundHow
from viewer.scene.missing_parts import NO_ERRORS, missing_files, used_textures
from viewer.scene.model import Model

NeedState = Literal["found", "missing", "unreadable", "pointer", "unsupported"]
"""Whether a needed file was found and can be used. `pointer`: the file is a pointer of Git LFS."""


class Need(Struct, frozen=True):
    """A file, material or texture that a document needs, once for each `kind` and `name`.

    `kind` is a noun: `texture`, `material`, `model`, `skeleton`, `animation`, `.skin file`, `.skel file`,
    `script` or `table`. `items` are all parts that need it. `required`: without it the model is not what the
    user asked for. `found` is the path of the file; None if it was not found. `by` is the place of the file,
    `how` says how it fits the name. `searched` are the searched paths, in order. `effect` is what the engine
    does without it. `error` says why a found file cannot be used. `offered` are files of the same kind that
    may be meant.
    """

    kind: str
    name: str
    items: tuple[Item, ...] = ()
    required: bool = False
    state: NeedState = "missing"
    found: str | None = None
    by: FoundBy | None = None
    how: FoundHow | None = None
    searched: tuple[str, ...] = ()
    effect: str = ""
    error: str = ""
    offered: tuple[str, ...] = ()

    @property
    def is_met(self) -> bool:
        """Whether the part was found and can be used, as the engine would or with a viewer's help."""
        return self.state == "found"


def needs_of(
    document: Document, chosen: Collection[int] = (), errors: Mapping[int, str] = NO_ERRORS
) -> tuple[Need, ...]:
    """The needs of a document, its attached documents and its references, each kind and name once.

    `chosen` are the numbers of textures for which the user chose a file. `errors` says why images are
    unreadable, by their number in `scene.model.pictured`.
    """
    needs: dict[tuple[str, str], Need] = {}
    for need in _all_needs(document, chosen, errors):
        known = needs.get((need.kind, need.name))
        items = dict.fromkeys((*(known.items if known else ()), *need.items))
        needs[need.kind, need.name] = replace(known or need, items=tuple(items))
    return tuple(needs.values())


def _all_needs(document: Document, chosen: Collection[int], errors: Mapping[int, str]) -> Iterator[Need]:
    for file in missing_files(document):
        yield Need(file.kind, file.name, searched=file.searched)
    if document.model is not None:
        yield from _needs_of_model(document.model, chosen, errors)


def _needs_of_model(model: Model, chosen: Collection[int], errors: Mapping[int, str]) -> Iterator[Need]:
    for number, material in enumerate(model.materials):
        state: NeedState = "missing" if material.missing else "found"
        items = (MaterialItem(number),)
        yield Need("material", material.name, items, False, state, material.found, material.by, material.how)
    for number in sorted(used_textures(model)):
        texture = model.textures[number]
        error = errors.get(number, "")
        bad = texture.decode is None and number not in chosen
        state = "unreadable" if error else "missing" if bad else "found"
        place = (texture.path, texture.by, texture.how, texture.searched)
        yield Need("texture", texture.name, (TextureItem(number),), False, state, *place, error=error)
