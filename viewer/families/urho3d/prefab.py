"""Find a model's materials in prefabs and scenes of Urho3D and rbfx, in XML or JSON.

A model file names no materials. The component that draws the model, StaticModel or AnimatedModel, names them.

Source: Urho3D `Serializable::SaveXML` and `SaveJSON`; rbfx `Scene/PrefabTypes.cpp` (only for `_typeName`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from msgspec import Struct, field

from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, ResourceError
from viewer.families.urho3d.scene_words import LARGEST, REFERENCE, SCANNER, SCENES, word_of, words_in
from viewer.lru import RecentValues
from viewer.scene.reading_context import name_key
from viewer.storage.contents import Contents
from viewer.storage.markup import (
    TEXT_LIMIT,
    MarkupElement,
    is_json,
    json_text,
    json_texts,
    parse_json,
    parse_xml,
)
from viewer.storage.package_path import on_disk
from viewer.storage.project import project_around
from viewer.storage.project_index import ProjectIndex
from viewer.storage.resource_folders import AUTOLOAD, ROOTS, SourceIndex
from viewer.storage.search import FoundResource, SearchPath
from viewer.storage.source import FolderSource, Source, resource_name
from viewer.storage.versions import UNSETTLED, Version, file_version

FOLDERS = ("Objects", "Prefabs", "Scenes", "Scene")
"""Folders of a resource root whose prefabs and scenes come before those elsewhere in the project."""
MODELS = "models"
"""Folder, in lower case, whose parent is a resource root."""
PREFABS = (".prefab", ".scene")
COMPONENTS = frozenset(("StaticModel", "AnimatedModel", "StaticModelGroup"))
DECIDED = 3
"""If more than this many materials differ, one of them is taken only if it has half of the uses."""
BYTES_OF_A_USE = 400
"""Approximate memory in bytes of the materials that a component gives to a model."""


_FOLDERS = tuple(map(str.casefold, FOLDERS))
Use = tuple[str, tuple[str, ...]]
"""The case-folded resource name of a model that a component draws, and the names of its materials."""


class SceneFile(NamedTuple):
    """A prefab or scene that may use the model. `version` is the version of the file; None if it is unknown.
    `project` has all files of its project; None for a file near the model.
    """

    file: FoundResource
    version: Version | None
    project: SourceIndex | None = None


class SceneMaterials(NamedTuple):
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
    """
    left, path = BUDGET.part_bytes, name_key(os.path.abspath(model_path))
    for group in groups:
        used: list[tuple[SceneFile, _Uses]] = []
        for scene in group:
            if left < TEXT_LIMIT:
                report.warn(f"too many prefabs were found: the search stops at {scene.file.path}")
                break
            uses = _uses_in(scene)
            left -= uses.size
            if uses.error and word_of(model_path) in uses.words:
                report.note(f"prefab {scene.file.path} was skipped: {uses.error}")
            if uses.components:
                used.append((scene, uses))
        found = _most_used(used, path, count)
        while found and (changed := [at for at, each in enumerate(used) if _changed(each[0], found[0].file)]):
            now = used[changed[0]][0]._replace(version=file_version(found[0].file))
            used[changed[0]] = now, _uses_in(now)
            found = _most_used(used, path, count)
        if found:
            return found
    return []


def _most_used(used: list[tuple[SceneFile, _Uses]], path: str, count: int) -> list[SceneMaterials]:
    """The different materials of the model with the case-folded `path`, the most used first."""
    found: dict[tuple[str, ...], SceneMaterials] = {}
    for scene, uses in used:
        for (model, materials), number in uses.components.items():
            if f"/{path}".endswith(f"/{model}") and _is_certain(scene, model, path):
                names = (*materials, *[""] * count)[:count]
                known = found.get(names, SceneMaterials(names, 0, scene.file.path))
                found[names] = known._replace(uses=known.uses + number)
    return sorted((each for each in found.values() if any(each.names)), key=lambda each: -each.uses)


def _changed(scene: SceneFile, path: str) -> bool:
    """Whether a prefab or scene is the file `path` and has changed since its words were found."""
    if scene.file.path != path or scene.version in (None, UNSETTLED):
        return False
    return file_version(path) != scene.version


def is_undecided(found: list[SceneMaterials]) -> bool:
    """Whether none of many different materials, the most used first, is the usual one of the model."""
    return len(found) > DECIDED and 2 * found[0].uses < sum(each.uses for each in found)


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
        contents, distance = index.contents(SCANNER), index.distance_from(own)
        names = sorted(contents.having((word_of(model_path),)), key=distance)
        scenes = (_scene(index, contents, name, index) for name in names)
        yield [*islice((each for each in scenes if each.file.path not in read), BUDGET.prefabs)]


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
    found: dict[str, list[SceneFile]] = {own: [each for name, each in beside.items() if name not in contents]}
    placed: list[SceneFile] = []
    for name in contents.having((word_of(model_path),)):
        scene = _scene(project, contents, name)
        folder = os.path.dirname(scene.file.path)
        if folder == own and name not in beside:  # it was removed a moment ago
            continue
        found.setdefault(folder, []).append(scene)
        if _is_placed(folder, model_path, search):
            placed.append(scene)
    return [found[own], found.get(above, [])], placed


def _scene(
    index: SourceIndex, contents: Contents, name: str, project: SourceIndex | None = None
) -> SceneFile:
    """A prefab or scene in the list of an index."""
    file = FoundResource(name, index.source.where(name), index.source, name, by=index.by)
    return SceneFile(file, contents.version_of(name), project)


def _is_placed(folder: str, model_path: str, search: SearchPath) -> bool:
    """Whether a folder is a resource root, or one of `FOLDERS` of a source or below it."""
    for source in search:
        top = os.path.join(_folder(source), "")
        inner = (
            name_key(f"{folder}{os.sep}".removeprefix(top)) if f"{folder}{os.sep}".startswith(top) else None
        )
        if inner == "" and _is_root(source, model_path):
            return True
        if inner is not None and inner.partition("/")[0] in _FOLDERS:
            return True
    return False


def _folder(source: Source) -> str:
    return os.path.dirname(source.where("x"))


def _texts(source: Source, folder: str = "", deep: bool = False) -> Iterator[SceneFile]:
    """Yield the files of a folder that may be prefabs or scenes."""
    for name in islice(source.names(folder, deep=deep), BUDGET.prefab_entries):
        if name.lower().endswith(SCENES):
            path = source.where(name)
            version = file_version(path) if isinstance(source, FolderSource) else None
            yield SceneFile(FoundResource(name, path, source, name), version)


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


def _uses_in(scene: SceneFile) -> _Uses:
    """The uses of models in a prefab or scene, kept by the version of the file."""
    if scene.version is None or scene.version == UNSETTLED:
        return _read_uses(scene.file)
    key = scene.file.path, scene.version
    return _USES.get(key, lambda: _read_uses(scene.file), lambda uses: BYTES_OF_A_USE * (1 + len(uses.words)))


def _read_uses(file: FoundResource) -> _Uses:
    """Read the uses of models in a prefab or scene; none if it cannot be read or is too large."""
    try:
        data = file.source.read(file.stored, LARGEST)
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
    """Yield the use of each component that draws a model, in an XML prefab."""
    for element in parse_xml(data, file).walk():
        if element.tag == "component" and (element.get("_typeName") or element.get("type")) in COMPONENTS:
            yield from _use({each.get("name"): each.get("value") for each in _attributes(element)})


def _attributes(component: MarkupElement) -> Iterator[MarkupElement]:
    """The attributes of a component. They are children of the component in Urho3D, and children of its
    `<attributes>` in rbfx.
    """
    return chain(component.all("attribute"), *(part.all("attribute") for part in component.all("attributes")))


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
    """Yield the model and the materials that the attributes of a component name, if they name both."""
    reference, materials = attributes.get("Model", ""), attributes.get("Material", "")
    model = resource_name(reference.removeprefix(REFERENCE)) if reference.startswith(REFERENCE) else None
    names = tuple(name.strip() for name in materials.split(";", BUDGET.prefab_materials)[1:])
    if model and any(names):
        yield model.casefold(), names


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0].casefold()
