"""Find a model's materials in prefabs and scenes of Urho3D and rbfx, in XML or JSON.

A model file names no materials. The component that draws the model, StaticModel or AnimatedModel, names them.

Source: Urho3D `Serializable::SaveXML` and `SaveJSON`; rbfx `Scene/PrefabTypes.cpp` (only for `_typeName`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice

from msgspec import Struct, field
from msgspec.structs import replace

from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, ResourceError
from viewer.families.urho3d.scene_words import (
    REFERENCE,
    SCANNER,
    SCENES,
    Use,
    named_use,
    use_of,
    word_of,
    words_in,
)
from viewer.lru import RecentValues
from viewer.scene.reading_context import name_key
from viewer.storage.contents import Contents
from viewer.storage.markup import (
    TEXT_LIMIT,
    is_json,
    json_text,
    json_texts,
    parse_json,
    read_xml,
)
from viewer.storage.package_path import on_disk
from viewer.storage.project import project_around
from viewer.storage.project_index import ProjectIndex
from viewer.storage.resource_folders import AUTOLOAD, ROOTS, SourceIndex
from viewer.storage.search import FoundResource, SearchPath
from viewer.storage.source import FolderSource, Source
from viewer.storage.versions import Version, file_version

FOLDERS = ("Objects", "Prefabs", "Scenes", "Scene")
"""Folders of a resource root whose prefabs and scenes come before those elsewhere in the project."""
MODELS = "models"
"""Folder, in lower case, whose parent is a resource root."""
PREFABS = (".prefab", ".scene")
COMPONENTS = frozenset(("StaticModel", "AnimatedModel", "StaticModelGroup"))
BYTES_OF_A_USE = 400
"""Approximate memory in bytes of the materials that a component gives to a model."""


_FOLDERS = tuple(map(str.casefold, FOLDERS))


class SceneFile(Struct, frozen=True):
    """A prefab or scene that may use the model. `scanned` are its uses of the model that were found without
    parsing it, with their numbers; None if it was not scanned. `project` has all files of its project; None
    for a file near the model.
    """

    file: FoundResource
    scanned: Counter[Use] | None = None
    project: SourceIndex | None = None


class SceneMaterials(Struct, frozen=True):
    """The materials that prefabs and scenes give to a model, a name for each geometry; an empty name is the
    default material. `uses` is the number of components with these materials, `file` the path of the first
    file with one.
    """

    names: tuple[str, ...]
    uses: int
    file: str


class _Uses(Struct):
    """The uses of models in a prefab or scene of `size` bytes: how many components have each use. `words` are
    those of `words_in`. `error` says why the uses cannot be read.
    """

    size: int = 0
    words: frozenset[str] = frozenset()
    components: Counter[Use] = field(default_factory=Counter)
    error: str = ""


_USES: RecentValues[tuple[str, Version], _Uses] = RecentValues(16 << 20, large=False)
"""The uses in prefabs and scenes by path and version."""


def scene_materials(
    groups: Iterable[list[SceneFile]], model_path: str, count: int, report: Report
) -> list[SceneMaterials]:
    """Search for the first group of prefabs and scenes that use the model. Return the materials that they
    give to its `count` geometries, the most used first. A broken file that names the model is reported.

    A file that was scanned is parsed only if its use is the first of the most used ones, or if no file has a
    use.
    """
    left, path = BUDGET.part_bytes, name_key(os.path.abspath(model_path))
    for group in groups:
        uses = {each.file.path: each.scanned for each in group if each.scanned is not None}
        unread, found = [each for each in group if each.scanned is None], list[SceneMaterials]()
        parsed: set[str] = set()
        while unread or not parsed:
            for scene in unread:
                if left < TEXT_LIMIT:
                    report.warn(f"too many prefabs were found: the search stops at {scene.file.path}")
                    return found
                read = _uses_in(scene.file)
                left -= read.size
                if read.error and word_of(model_path) in read.words:
                    report.note(f"prefab {scene.file.path} was skipped: {read.error}")
                uses[scene.file.path] = read.components
            parsed.update(scene.file.path for scene in unread)
            found = _most_used(group, uses, path, count)
            used = found[0].file if found else None
            unread = [
                each for each in group if each.file.path not in parsed and used in (None, each.file.path)
            ]
            if not unread:
                break
        if found:
            return found
    return []


def _most_used(
    group: Iterable[SceneFile], uses: Mapping[str, Counter[Use]], path: str, count: int
) -> list[SceneMaterials]:
    """The different materials of the model with the case-folded `path`, the most used first. `uses` are those
    of the files by path.
    """
    found: dict[tuple[str, ...], SceneMaterials] = {}
    for scene in group:
        for (model, materials), number in uses.get(scene.file.path, Counter[Use]()).items():
            if f"/{path}".endswith(f"/{model}") and _is_certain(scene, model, path):
                names = (*materials, *[""] * count)[:count]
                known = found.get(names, SceneMaterials(names, 0, scene.file.path))
                found[names] = replace(known, uses=known.uses + number)
    return sorted((each for each in found.values() if any(each.names)), key=lambda each: -each.uses)


def near_scenes(model_path: str, search: SearchPath) -> list[list[SceneFile]]:
    """The prefabs and scenes near the model in groups, in the order of the search: those with the model's
    name; prefabs beside the model; prefabs in the folder above; those in `FOLDERS` of every source, and in
    the resource roots without their subfolders; XML and JSON files beside the model; those in the folder
    above.

    In the model's project these are the files that may name the model, elsewhere all such files.
    """
    project = project_around(model_path, search.context) if isinstance(search.own, FolderSource) else None
    if project is None:
        beside, placed = _listed_near(model_path, search)
    else:
        beside, placed = _known_near(project, model_path, search)
    stem = _stem(model_path)
    prefabs = [[each for each in files if each.file.name.lower().endswith(PREFABS)] for files in beside]
    named = [each for files in (*beside, placed) for each in files if _stem(each.file.name) == stem]
    groups, seen = list[list[SceneFile]](), set[str]()
    for files in (named, *prefabs, placed, *beside):
        new = {each.file.path: each for each in files if each.file.path not in seen}
        groups.append([*islice(new.values(), max(0, BUDGET.prefabs - len(seen)))])
        seen |= new.keys()
    return groups


def project_scenes(
    model_path: str, search: SearchPath, near: Iterable[list[SceneFile]]
) -> Iterator[list[SceneFile]]:
    """Yield the prefabs and scenes of each project of the model that may name the model, except `near`. The
    nearest project and the nearest files come first.
    """
    read, own = {scene.file.path for group in near for scene in group}, os.path.abspath(on_disk(model_path))
    for index in search.projects():
        scenes = _scanned(index, index.contents(SCANNER), model_path, index)
        others = [name for name, each in scenes.items() if each.file.path not in read]
        yield [scenes[name] for name in sorted(others, key=index.distance_from(own))[: BUDGET.prefabs]]


def _listed_near(model_path: str, search: SearchPath) -> tuple[list[list[SceneFile]], list[SceneFile]]:
    """The XML and JSON files in the model's folder and in the folder above it, and those in `FOLDERS` and in
    the resource roots.
    """
    folders = ((source, folder, True) for source in search for folder in FOLDERS)
    roots = ((source, "", False) for source in search if _is_root(source, model_path))
    placed = (text for place in chain(folders, roots) for text in _texts(*place))
    above = os.path.dirname(_folder(search.own))
    nearest = (search.own, *islice((source for source in search if _folder(source) == above), 1))
    return [[*_texts(source)] for source in nearest], [*islice(placed, BUDGET.prefabs)]


def _known_near(
    project: ProjectIndex, model_path: str, search: SearchPath
) -> tuple[list[list[SceneFile]], list[SceneFile]]:
    """The files of `_listed_near` in the model's project that may name the model, by their words. A file
    beside the model that the project does not list yet may name it too.
    """
    stem, own, above = _stem(model_path), _folder(search.own), os.path.dirname(_folder(search.own))
    front = own.removeprefix(project.root).replace(os.sep, "/").lstrip("/")
    beside = {f"{front}/{each.file.stored}".lstrip("/"): each for each in _texts(search.own)}
    near = (name for name in beside if name.lower().endswith(PREFABS) or _stem(name) == stem)
    contents = project.contents(SCANNER, near)
    scanned = _scanned(project, contents, model_path)
    by_folder: dict[str, list[SceneFile]] = {}
    for name, scene in scanned.items():
        if name in beside or os.path.dirname(scene.file.path) != own:  # else it was removed a moment ago
            by_folder.setdefault(os.path.dirname(scene.file.path), []).append(scene)
    new = [each for name, each in beside.items() if name not in contents]
    roots = [(os.path.join(_folder(each), ""), _is_root(each, model_path)) for each in search if by_folder]
    placed = [scene for folder, scenes in by_folder.items() if _is_placed(folder, roots) for scene in scenes]
    return [[*new, *by_folder.get(own, ())], by_folder.get(above, [])], placed


def _is_placed(folder: str, roots: Iterable[tuple[str, bool]]) -> bool:
    """Whether a folder is a resource root, or one of `FOLDERS` of a source or below it. `roots` are the paths
    of sources, with a separator at the end, and whether they are resource roots.
    """
    for top, is_root in roots:
        if is_root and f"{folder}{os.sep}" == top:
            return True
        if folder.startswith(top) and name_key(folder[len(top) :]).partition("/")[0] in _FOLDERS:
            return True
    return False


def _scanned(
    index: SourceIndex, contents: Contents, model_path: str, project: SourceIndex | None = None
) -> dict[str, SceneFile]:
    """The prefabs and scenes of an index that may name the model, by their stored names."""
    word = word_of(model_path)
    uses: dict[str, Counter[Use]] = {}
    for name, text in contents.sections(word):
        found = use_of(text)
        if found is not None:
            uses.setdefault(name, Counter())[found[0]] += found[1]
    files = (
        FoundResource(name, index.source.where(name), index.source, name) for name in contents.having((word,))
    )
    return {each.name: SceneFile(each, uses.get(each.name, Counter()), project) for each in files}


def _folder(source: Source) -> str:
    return os.path.dirname(source.where("x"))


def _texts(source: Source, folder: str = "", deep: bool = False) -> Iterator[SceneFile]:
    """Yield the files of a folder that may be prefabs or scenes."""
    for name in islice(source.names(folder, deep=deep), BUDGET.prefab_entries):
        if name.lower().endswith(SCENES):
            yield SceneFile(FoundResource(name, source.where(name), source, name))


def _is_root(source: Source, model_path: str) -> bool:
    """Whether a source is a resource root: a package, a folder with the name of a root, or the parent of the
    model's `Models` folder. Other folders are not searched, because they may have any number of files.
    """
    if not isinstance(source, FolderSource):
        return True
    folder, name = os.path.split(source.path)
    if name in ROOTS or os.path.basename(folder) == AUTOLOAD:
        return True
    front = os.path.join(source.path, "")
    model = os.path.abspath(on_disk(model_path))
    below = model[len(front) :] if model.startswith(front) else ""
    return name_key(below).startswith(f"{MODELS}/")


def _is_certain(scene: SceneFile, model: str, path: str) -> bool:
    """Whether a prefab or scene means the file with the case-folded `path` by the resource name `model`: it
    is near this file or below its resource root, or the project has no other file with this resource name.
    """
    project = scene.project
    if project is None or name_key(scene.file.path).startswith(path[: -len(model)]):
        return True
    return project.marked and len(project.ending_with(model)) == 1


def _uses_in(file: FoundResource) -> _Uses:
    """The uses of models in a prefab or scene, kept by the version of the file."""
    version = file_version(file.path) if isinstance(file.source, FolderSource) else None
    if version is None:
        return _read_uses(file)
    size: Callable[[_Uses], int] = lambda uses: BYTES_OF_A_USE * (1 + len(uses.words))  # noqa: E731
    return _USES.get((file.path, version), lambda: _read_uses(file), size)


def _read_uses(file: FoundResource) -> _Uses:
    """Read the uses of models in a prefab or scene; none if it cannot be read or is too large."""
    try:
        data = file.source.read(file.stored, BUDGET.prefab_bytes)
    except (FormatError, ResourceError):
        return _Uses()
    uses = _Uses(len(data), frozenset(words_in(data)))
    try:
        if uses.words:
            uses.components = Counter(
                _json_uses(data, file.path) if is_json(data) else _xml_uses(data, file.path)
            )
    except FormatError as error:
        uses.error = error.why
    return uses


def _xml_uses(data: bytes, file: str) -> Iterator[Use]:
    """Yield the use of each component that draws a model, in an XML prefab. The attributes are children of
    the component in Urho3D, and children of its `<attributes>` in rbfx.
    """
    components: list[dict[str, str]] = []
    other: dict[str, str] = {}
    own = other

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal own
        if tag == "attribute":
            own[attributes.get("name", "")] = attributes.get("value", "")
        elif tag in ("component", "node"):
            own = other
            if (attributes.get("_typeName") or attributes.get("type")) in COMPONENTS and tag == "component":
                own = {}
                components.append(own)

    read_xml(data, file, start)
    for each in components:
        yield from _use(each)


def _json_uses(data: bytes, file: str) -> Iterator[Use]:
    """Yield the use of each component that draws a model, in a JSON prefab. A component is an object at any
    depth: `{type, attributes: {Model, Material}}` in Urho3D, `{_typeName, attributes: [{name, value}]}` in
    rbfx.
    """
    stack = [parse_json(data, file)]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            stack.extend(reversed(value.values()))
            if json_text(value.get("_typeName") or value.get("type")) in COMPONENTS:
                yield from _use(_json_attributes(value.get("attributes")))


def _json_attributes(attributes: object) -> dict[str, str]:
    if not isinstance(attributes, list):
        return json_texts(attributes)
    pairs = (json_texts(each) for each in attributes)
    return {pair.get("name", ""): pair.get("value", "") for pair in pairs}


def _use(attributes: Mapping[str, str]) -> Iterator[Use]:
    """Yield the use of a component with these attributes, if it names a model and materials."""
    model, materials = attributes.get("Model", ""), attributes.get("Material", "").partition(";")[2]
    use = named_use(model.removeprefix(REFERENCE), materials) if model.startswith(REFERENCE) else None
    if use is not None:
        yield use


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0].casefold()
