"""What belongs to a document: the files, materials and textures that it needs, found or not.

`needs_of` is the only answer to the question. Everything that speaks of found or missing parts reads its
list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from viewer.errors import NeededFile, NeedState, counted
from viewer.scene.document import Document
from viewer.scene.engine import EngineSearch
from viewer.scene.items import (
    AnimationItem,
    EmitterItem,
    GeometryItem,
    Item,
    MaterialItem,
    ModelItem,
    TextureItem,
)
from viewer.scene.material import NAMELESS, Material
from viewer.scene.model import Model
from viewer.scene.names import BELOW, file_name, is_absolute, path_key

NO_ERRORS: Mapping[int, str] = MappingProxyType({})
GUESSES = ("name", "only")
"""The ways of a guess: nothing names the found file."""
ANYWHERE = ("stored", "case", "tail")
"""The ways in which the file of an absolute path is found, if the path is that of another computer."""
CASE, ABSOLUTE, UNREADABLE, MISSING = "name/case", "name/absolute", "texture/unreadable", "file/missing"
RULES = {
    "texture": "texture/missing",
    "material": "material/missing",
    "linked skeleton": "animation/missing-link",
}
"""The rule about a missing file by its kind; else `MISSING`."""
NEED_RULES = frozenset((CASE, ABSOLUTE, UNREADABLE, MISSING, *RULES.values()))
"""The ids of the rules that speak of needs."""
SEARCHED = 3
"""The largest number of searched folders in a text. Folders of projects do not count."""
SEARCHED_IN = "; searched: "
"""The words before the searched folders in a text."""


class Need(Struct, frozen=True):
    """A file, material or texture that a document needs, once for each `kind` and `name`.

    `kind` is a noun: `texture`, `material`, `model`, `skeleton`, `animation`, `.skin file`, `.skel file`,
    `script` or `table`. `items` are all parts that need it. `required`: without it the model is not what the
    user asked for. `found` is the path of the file; None if it was not found. `by` is the place of the file,
    `how` says how it fits the name. `searched` are the searched paths, in order. `effect` is what the engine
    does without it. `error` says why a found file cannot be used. `offered` are the names of files of the
    same kind that may be meant. `rule` is the id of the rule of `check` that speaks of the need; empty if the
    engine finds the file. `level` is the level of detail in the file, None for other files.
    """

    kind: str
    name: str
    items: tuple[Item, ...] = ()
    required: bool = False
    state: NeedState = "missing"
    found: str | None = None
    by: str | None = None
    how: str | None = None
    searched: tuple[str, ...] = ()
    effect: str = ""
    error: str = ""
    offered: tuple[str, ...] = ()
    rule: str = ""
    level: int | None = None

    @property
    def is_met(self) -> bool:
        """Whether the part was found and can be used, as the engine would or with a viewer's help."""
        return self.state == "found"

    @property
    def severity(self) -> str:
        """The word for how bad it is that the engine does not find the need: `error` or `warning`."""
        return "error" if self.rule == MISSING else "warning"

    @property
    def help(self) -> str:
        """The word for a file that the engine would not find: `lenient` if the name only has another spelling
        or suffix or more folders, `guessed` if nothing names the file; else empty.
        """
        if not self.is_met or not self.rule:
            return ""
        return "guessed" if self.how in GUESSES else "lenient"

    @property
    def text(self) -> str:
        """What is wrong with the need, and where a missing file was searched."""
        searched = f"{SEARCHED_IN}{nearest(self.searched, SEARCHED)}" if self.searched else ""
        return self.fault + (searched if self.state == "missing" else "")

    @property
    def fault(self) -> str:
        """What is wrong with the need, as a sentence; without a fault, which file it is."""
        part, file = f"{self.kind} {self.name}", file_name(self.found or "")
        if self.state == "missing":
            offered = f"; {self.offered[0]} is there" if len(self.offered) == 1 else ""
            return f"{part} is missing{offered}"
        if self.state != "found":
            return f"{part} cannot be read: {'it ' if self.error.startswith('is ') else ''}{self.error}"
        if self.rule == ABSOLUTE:
            return f"{part} is an absolute path; Rigscope uses {file} (lenient)"
        if self.rule == CASE:
            return f"{part} is {file} in another case (lenient)"
        if self.rule and self.how in GUESSES and file_name(self.name) == file:
            return f"nothing names {part}; Rigscope draws it (guessed)"
        verb = "draws" if self.kind in ("texture", "material") else "uses"
        return (
            f"{part} is missing; Rigscope {verb} {file} ({self.help})" if self.rule else f"{part} is {file}"
        )


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
        if known is not None:
            items = tuple(dict.fromkeys((*known.items, *need.items)))
            need = replace(need if known.is_met else known, items=items)
        needs[need.kind, need.name] = need
    return tuple(_of_engine(document, need) for need in needs.values())


def _of_engine(document: Document, need: Need) -> Need:
    """The need with what the engine of the document does."""
    engine = document.engine
    return replace(need, effect=engine.effect(need.kind), rule=_rule(need, engine))


def _rule(need: Need, engine: EngineSearch) -> str:
    """The id of the rule that speaks of a need; empty if the engine finds the file."""
    if need.is_met:
        if engine.finds(need.name, need.found or "", need.how):
            return ""
        if engine.one_system and need.how in ANYWHERE and is_absolute(need.name):
            return ABSOLUTE
        if engine.one_system and need.how == "case":
            return CASE
    elif need.state != "missing" and need.kind == "texture":
        return UNREADABLE
    return RULES.get(need.kind, MISSING)


def _all_needs(document: Document, chosen: Collection[int], errors: Mapping[int, str]) -> Iterator[Need]:
    """Yield the needs of all files and parts, some of them several times."""
    users = _users(document)
    for each in (document, *document.attached):
        for file in each.report.needed:
            bare = file.kind == "material" and not file.found
            yield _need(file, _bare(document) if bare else users.get(file.found or file.name, ()))
    model = document.model
    if model is None:
        return
    first = len(model.textures)
    own = {number: why for number, why in errors.items() if number < first}
    yield from _of_materials(model, document.path)
    yield from _of_textures(model, chosen, own)
    for number, named in enumerate(model.references):
        if named.model is not None:
            items = (ModelItem(number),)
            inner = {each - first: why for each, why in errors.items() if each >= first}
            for need in (*_of_materials(named.model, named.path), *_of_textures(named.model, (), inner)):
                yield replace(need, items=items)
            first += len(named.model.textures)


def _bare(document: Document) -> tuple[Item, ...]:
    """The geometries without a material."""
    geometries = document.model.geometries if document.model is not None else ()
    return tuple(GeometryItem(number) for number, each in enumerate(geometries) if each.material is None)


def _users(document: Document) -> dict[str, tuple[Item, ...]]:
    """The items that need a file, by the path of the file, or by its name if it is missing."""
    users: dict[str, tuple[Item, ...]] = {}
    for number, clip in enumerate(document.animations):
        lost = clip.missing_file
        file = clip.source if lost is None else lost.found or lost.name
        users[file] = (*users.get(file, ()), AnimationItem(number))
    model = document.model
    for number, named in enumerate(model.references if model is not None else ()):
        carriers = (
            EmitterItem(emitter)
            for emitter, each in enumerate(model.emitters if model is not None else ())
            if named in (each.shape, each.carries)
        )
        users[named.path or named.name] = (ModelItem(number), *carriers)
    return users


def _need(file: NeededFile, items: tuple[Item, ...]) -> Need:
    return Need(
        file.kind,
        file.name,
        items,
        file.required,
        file.state,
        file.found,
        file.by,
        file.how,
        file.searched,
        error=file.error,
        offered=file.offered,
        level=file.level,
    )


def _of_materials(model: Model, path: str | None) -> Iterator[Need]:
    """Yield the needs of the materials that are not in the file of the model, at `path`. A material that is
    only a picture has the picture's file.
    """
    name = ""
    for number, material in enumerate(model.materials):
        name = name if material.layer else material.name
        units = [model.textures[each].path for each in material.units.values() if each < len(model.textures)]
        found = material.found or (next(iter(units), None) if material.how in GUESSES else None)
        state: NeedState = "missing" if material.missing else "found"
        place = (found, material.by, material.how, material.searched)
        if material.missing or (found and found != path):
            yield Need("material", name, (MaterialItem(number),), False, state, *place)


def _of_textures(model: Model, chosen: Collection[int], errors: Mapping[int, str]) -> Iterator[Need]:
    """Yield the needs of the textures that something shows. A texture of a game without a file counts too; an
    image that has no file does not.
    """
    for number in sorted(used_textures(model) - set(_guessed_pictures(model, errors))):
        texture = model.textures[number] if number < len(model.textures) else None
        if texture is None or texture.name == NAMELESS:
            continue
        items = (TextureItem(number),)
        if number in chosen:
            yield Need("texture", texture.name, items, False, "found", texture.path, "given", "given")
            continue
        if texture.path is None and texture.decode is None:
            offered = tuple(map(file_name, texture.choices))
            yield Need("texture", texture.name, items, searched=texture.searched, offered=offered)
            continue
        error = texture.error or errors.get(number, "")
        if texture.path is not None or error:
            state = "unreadable" if error and texture.state == "found" else texture.state
            place = (texture.path, texture.by, texture.how)
            yield Need("texture", texture.name, items, False, state, *place, error=error)


def _guessed_pictures(model: Model, errors: Collection[int]) -> Iterator[int]:
    """Yield the numbers of the textures that are all that a guessed material has: its need says so."""
    for material in model.materials:
        for number in material.units.values() if material.found is None and material.how in GUESSES else ():
            texture = model.textures[number]
            if texture.how in GUESSES and texture.state == "found" and number not in errors:
                yield number


def advice(searched: Collection[str]) -> str:
    """The action that helps to find a missing file, by the searched paths."""
    if not searched:
        return "The model names no file: choose one."
    if any(BELOW in path for path in searched):
        return "The project has no such file. Choose it, or search a folder that has it."
    return "Put the file into a searched folder, choose it, or search a folder that has it."


def nearest(searched: Sequence[str], most: int) -> str:
    """List searched paths, the nearest first. The list has the first `most` paths, and all paths of
    projects.
    """
    shown = [path for number, path in enumerate(searched) if number < most or BELOW in path]
    more = len(searched) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def unmet(needs: Iterable[Need]) -> tuple[Need, ...]:
    """The needs that are missing or cannot be used."""
    return tuple(each for each in needs if not each.is_met)


def faulty(document: Document, needs: Iterable[Need]) -> dict[str, Need]:
    """The needs that cannot be used because of errors in the reports of a document, by the `path_key` of
    their files.
    """
    reports = [each.report for each in (document, *document.attached)]
    files = {path_key(error.file) for each in reports for error in each.errors}
    found = {path_key(need.found): need for need in needs if need.found and not need.is_met}
    return {key: need for key, need in found.items() if key in files}


def summary(needs: Collection[Need]) -> str:
    """Summarise unmet needs: `1 skeleton and 3 textures missing, 1 texture unreadable`. Empty if there are
    none.
    """
    parts = []
    for word in ("missing", "unreadable"):
        chosen = (each for each in needs if (each.state == "missing") == (word == "missing"))
        counts = Counter(each.kind for each in chosen)
        *most, last = [counted(count, kind) for kind, count in counts.items()] or [""]
        if last:
            parts.append(f"{' and '.join(filter(None, (', '.join(most), last)))} {word}")
    return ", ".join(parts)


def used_textures(model: Model) -> set[int]:
    """The numbers of the textures that materials, particles and ribbons show."""
    layers = (layer for ribbon in model.ribbons for layer in ribbon.layers)
    materials: tuple[Material, ...] = (*model.materials, *layers)
    used = {number for material in materials for number in material.units.values()}
    used |= {page for material in materials if material.flipbook for page in material.flipbook.textures}
    used |= {face for material in materials for face in material.cube}
    drawn = (emitter for emitter in model.emitters if emitter.shape is None)
    return used | {emitter.texture for emitter in drawn}
