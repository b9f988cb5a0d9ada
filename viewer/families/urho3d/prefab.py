"""Find a model's materials in prefabs and scenes of Urho3D and rbfx, in XML or JSON.

A model file names no materials. The component that draws the model, StaticModel or AnimatedModel, names them.

Source: Urho3D `Serializable::SaveXML` and `SaveJSON`; rbfx `Scene/PrefabTypes.cpp` (only for `_typeName`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from viewer.budget import BUDGET
from viewer.errors import FormatError, Report
from viewer.scene.reading_context import name_key
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
from viewer.storage.resource_folders import AUTOLOAD, ROOTS
from viewer.storage.search import FoundResource, SearchPath
from viewer.storage.source import FolderSource, Source

FOLDERS = ("Objects", "Prefabs", "Scenes", "Scene")
"""Folders of a resource root that are searched for prefabs, with their subfolders."""
MODELS = "models"
"""Folder, in lower case, whose parent is a resource root."""
PREFABS = (".prefab", ".scene")
SUFFIXES = (".xml", ".json", *PREFABS)
COMPONENTS = frozenset(("StaticModel", "AnimatedModel", "StaticModelGroup"))


class PrefabCandidate(NamedTuple):
    """A prefab or scene that may use the model. If it is `sure`, no other model has the model's resource
    name, and a prefab with this name uses the model. Otherwise another model may have the same resource name,
    and the prefab counts only if it is below the model's resource root.
    """

    file: FoundResource
    sure: bool = True


def prefab_materials(
    candidates: Iterable[PrefabCandidate], model_path: str, report: Report
) -> tuple[tuple[str, ...], str]:
    """Search for the first candidate that uses the model. Return its material names, one for each geometry,
    and its path. An empty material name is the default material.

    Names and path are empty if no prefab uses the model. A broken prefab is reported.
    """
    left, path = BUDGET.part_bytes, name_key(os.path.abspath(model_path))
    for prefab, sure in candidates:
        if left < TEXT_LIMIT:
            report.warn(f"too many prefabs were found: the search stops at {prefab.path}")
            break
        try:
            data = prefab.read(TEXT_LIMIT)
        except FormatError as error:
            report.note(f"prefab {prefab.path} was skipped: {error.why}")
            continue
        left -= len(data)
        for model, materials in _materials_in(data, path, prefab.path, report):
            if sure or name_key(prefab.path).startswith(path[: -len(model)]):
                return materials, prefab.path
    return (), ""


def near_prefabs(model_path: str, search: SearchPath) -> list[PrefabCandidate]:
    """List the prefabs and scenes near the model. The searched folders are the model's folder and the folder
    above it, then `FOLDERS` of every source, then the resource roots without their subfolders. Files with the
    model's name come first. The last files are XML and JSON files beside the model that have neither the
    model's name nor a prefab's suffix.
    """
    stem = _stem(model_path)
    beside = [name for source in _nearest(search) for name in _texts(source)]
    named = [each for each in beside if each.name.lower().endswith(PREFABS) or _stem(each.name) == stem]
    folders = ((source, folder, True) for source in search for folder in FOLDERS)
    roots = ((source, "", False) for source in search if _is_root(source, model_path))
    placed = (text for place in chain(folders, roots) for text in _texts(*place))
    first = {text.path: text for text in islice(chain(named, placed, beside), BUDGET.prefabs)}
    ordered = sorted(first.values(), key=lambda prefab: _stem(prefab.name) != stem)
    return [*map(PrefabCandidate, ordered)]


def project_prefabs(
    model_path: str, search: SearchPath, near: Iterable[PrefabCandidate]
) -> Iterator[PrefabCandidate]:
    """Yield the prefabs and scenes of the model's projects, except `near`, the nearest first. A candidate is
    `sure` if the project has no other file with the model's name.
    """
    read = {prefab.path for prefab, _ in near}
    for index in search.projects():
        is_sole = index.marked and index.is_sole(model_path)
        for name in islice(filter(_is_prefab, index.of_suffix(SUFFIXES, model_path)), BUDGET.prefabs):
            where = index.source.where(name)
            if where not in read:
                yield PrefabCandidate(FoundResource(name, where, index.source, name, by=index.by), is_sole)


def _is_prefab(name: str) -> bool:
    """Whether a file in a project may be a prefab, by its suffix or its folder."""
    return name.lower().endswith(PREFABS) or not set(FOLDERS).isdisjoint(name.split("/")[:-1])


def _nearest(search: SearchPath) -> Iterator[Source]:
    """Yield the model's folder, and the folder above it."""
    yield search.own
    above = os.path.dirname(_folder(search.own))
    yield from islice((source for source in search if _folder(source) == above), 1)


def _folder(source: Source) -> str:
    return os.path.dirname(source.where("x"))


def _texts(source: Source, folder: str = "", deep: bool = False) -> Iterator[FoundResource]:
    """Yield the files of a folder that may be prefabs or scenes."""
    for name in islice(source.names(folder, deep=deep), BUDGET.prefab_entries):
        if name.lower().endswith(SUFFIXES):
            yield FoundResource(name, source.where(name), source, name)


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


def _materials_in(data: bytes, path: str, file: str, report: Report) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Find the components of a prefab that draw a model. For each component, yield the resource name of the
    model and the material names. `path` is the case-folded path of the model.
    """
    base = path.rpartition("/")[2]
    if base.isascii() and base.encode() not in data.lower():
        return
    try:
        components = _json_components(data, file) if is_json(data) else _xml_components(data, file)
    except FormatError as error:
        report.note(f"prefab {file} was skipped: {error.why}")
        return
    for attributes in components:
        model = attributes.get("Model", "").partition(";")[2].casefold()
        materials = tuple(attributes.get("Material", "").split(";", BUDGET.prefab_materials)[1:])
        if model and f"/{path}".endswith(f"/{model}") and any(materials):
            yield model, materials


def _xml_components(data: bytes, file: str) -> list[dict[str, str]]:
    """The attributes of each component that draws a model, in an XML prefab."""
    return [
        {attribute.get("name"): attribute.get("value") for attribute in _attributes(element)}
        for element in parse_xml(data, file).walk()
        if element.tag == "component" and (element.get("_typeName") or element.get("type")) in COMPONENTS
    ]


def _attributes(component: MarkupElement) -> Iterator[MarkupElement]:
    """The attributes of a component. They are children of the component in Urho3D, and children of its
    `<attributes>` in rbfx.
    """
    return chain(component.all("attribute"), *(part.all("attribute") for part in component.all("attributes")))


def _json_components(data: bytes, file: str) -> list[dict[str, str]]:
    """The attributes of each component that draws a model, in a JSON prefab. A component is an object at any
    depth: `{type, attributes: {Model, Material}}` in Urho3D, `{_typeName, attributes: [{name, value}]}` in
    rbfx.
    """
    found: list[dict[str, str]] = []
    stack = [parse_json(data, file)]
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(reversed(value))
        elif isinstance(value, dict):
            stack.extend(reversed(value.values()))
            if json_text(value.get("_typeName") or value.get("type")) in COMPONENTS:
                found.append(_json_attributes(value.get("attributes")))
    return found


def _json_attributes(attributes: object) -> dict[str, str]:
    if not isinstance(attributes, list):
        return json_texts(attributes)
    pairs = (json_texts(each) for each in attributes)
    return {pair.get("name", ""): pair.get("value", "") for pair in pairs}


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0].casefold()
