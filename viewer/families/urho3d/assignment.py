"""Assign materials to the geometries of a model, because a model file names no materials.

The sources are searched in this order: the list `<model>.txt`, prefabs and scenes near the model, a material
or picture with the model's name, prefabs and scenes of the project, the only material beside the model. The
names and the only material are guesses.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from viewer.errors import FormatError, Report, ViewerError
from viewer.families.urho3d.prefab import (
    MODELS,
    SceneMaterials,
    near_scenes,
    project_scenes,
    scene_materials,
)
from viewer.scene.material import FoundHow, is_undecided
from viewer.storage.image import PICTURES
from viewer.storage.markup import SHORT_TEXT_LIMIT
from viewer.storage.own_picture import is_view
from viewer.storage.project_settings import EVERY
from viewer.storage.search import FoundResource, SearchPath
from viewer.storage.source import Source

RBFX = ".material"
MATERIALS = (".xml", ".json", RBFX)
MODEL = ".mdl"
FEW = 16
"""The only material is searched in folders with at most this many files with the suffix of a material."""


class Assignment(Struct, frozen=True):
    """The resource name of each geometry's material. A name is None for the default material. `names` is
    empty if no source assigns materials. `how` says how they were found. `file` is the path of the list or
    prefab that names the materials; it is empty for a guess.

    `scenes` are the different materials that prefabs and scenes give to the model, the most used first.
    """

    names: tuple[str | None, ...] = ()
    how: FoundHow = "name"
    file: str = ""
    scenes: Sequence[SceneMaterials] = ()


def assigned_materials(model_path: str, count: int, search: SearchPath, report: Report) -> Assignment:
    """Return the materials of `count` geometries. Projects are searched only if neither a material nor a
    texture has the model's name.

    If prefabs and scenes give the model many different materials, and none of these has half of the uses,
    none is assigned.
    """
    listed, file = _list_beside(model_path, search, report)
    if any(listed):
        names = (listed[i].strip() or None if i < len(listed) else None for i in range(count))
        return Assignment((*names,), "list", file)
    near = near_scenes(model_path, search)
    scenes = scene_materials(near, model_path, count, report)
    if scenes and not _are_undecided(scenes):
        return _of_scenes(scenes)
    guesses = search.context.search != "none"
    guess = _guessed(model_path, search) if guesses else None
    if guess:
        return Assignment((guess,) * count, scenes=scenes)
    if scenes or same_stem_texture(model_path, search):
        return Assignment(scenes=scenes)
    scenes = scene_materials(project_scenes(model_path, search, near), model_path, count, report)
    if scenes:
        return Assignment(scenes=scenes) if _are_undecided(scenes) else _of_scenes(scenes)
    only = _only_one(search) if guesses else None
    return Assignment((only,) * count, "only") if only else Assignment()


def _are_undecided(scenes: Sequence[SceneMaterials]) -> bool:
    return is_undecided([each.uses for each in scenes])


def _of_scenes(scenes: Sequence[SceneMaterials]) -> Assignment:
    most_used = scenes[0]
    return Assignment(tuple(name or None for name in most_used.names), "scene", most_used.file, scenes)


def material_name(model_path: str) -> str:
    """Return the resource name that is tried first when a material is guessed. The user's choice of a
    material for the model is a choice for this name.
    """
    return f"Materials/{_below_models(model_path)}{MATERIALS[0]}"


def material_names(model_path: str, count: int) -> list[str]:
    """Return the names for which the user chooses the materials of `count` geometries."""
    name = material_name(model_path)
    return [name] if count == 1 else [f"{name}#{number}" for number in range(count)]


def given_materials(model_path: str, count: int, search: SearchPath) -> Mapping[int, FoundResource]:
    """Return the materials that the user chose for the model, or that its project pins, by the number of the
    geometry.
    """
    found: dict[int, FoundResource] = {}
    for number, name in enumerate(material_names(model_path, count)):
        asked = (name, material_name(model_path), str(number), EVERY)
        given = next(filter(None, (search.given.find(each, search.find) for each in asked)), None)
        if given is not None:
            found[number] = given
    return found


def same_stem_texture(model_path: str, search: SearchPath) -> str | None:
    """Return the name of an image named like the model, in `Textures` or beside the model, or None."""
    if search.context.search == "none":
        return None
    stem = _stem(model_path).casefold()
    folder = f"Textures/{_below_models(model_path)}".rpartition("/")[0]
    locations = [(source, name) for source in search for name in dict.fromkeys((folder, "Textures"))]
    for source, folder_name in [*locations, (search.own, "")]:
        names = [name for name in source.names(folder_name) if _stem(name).casefold() == stem]
        for suffix in PICTURES:
            for name in names:
                if name.lower().endswith(suffix) and not is_view(source.where(name), search.context):
                    return name
    return None


def _list_beside(model_path: str, search: SearchPath, report: Report) -> tuple[tuple[str, ...], str]:
    """The lines of `<model>.txt`, where line i names the material of geometry i, and the path of this file.
    Both are empty if the file is missing, or if no line is a material name; only the second case is reported.
    """
    own = search.own
    name = own.find(_stem(model_path) + ".txt")
    if name is None:
        return (), ""
    try:
        lines = own.read(name, SHORT_TEXT_LIMIT).decode("utf-8-sig", "replace").splitlines()
    except FormatError as error:
        report.fail(error)
        return (), ""
    if any(line.strip().lower().endswith(MATERIALS) for line in lines):
        return tuple(lines), own.where(name)
    report.note(f"{own.where(name)} names no materials and is ignored")
    return (), ""


def _guessed(model_path: str, search: SearchPath) -> str | None:
    stem = _stem(model_path)
    for name in dict.fromkeys((_below_models(model_path), stem)):
        for suffix in MATERIALS:
            guess = f"Materials/{name}{suffix}"
            found = search.find(guess, near_model=False)
            if isinstance(found, FoundResource) and not _is_ogre_script(found.source, found.stored):
                return guess
    return next(_same_name(stem, search), None)


def _same_name(stem: str, search: SearchPath) -> Iterator[str]:
    """Yield the material with the model's name beside the model. The content of the file is checked, because
    a file of that name may be the model's metadata.
    """
    own = search.own
    for suffix in MATERIALS:
        name = own.find(stem + suffix)
        if name and _holds_material(own, name):
            yield name


def _only_one(search: SearchPath) -> str | None:
    """The only material in the folder `Materials` beside the model, or beside the model itself. For the only
    model in a folder `Models`, also the only material in the folder `Materials` beside this folder.
    """
    own, folder = search.own, os.path.dirname(search.own.where("x"))
    models = [name for name in own.names(deep=True) if name.lower().endswith(MODEL)]
    beside = [each for each in search if os.path.dirname(each.where("x")) == os.path.dirname(folder)]
    places = [(own, "Materials", False), (own, "", False)]
    if os.path.basename(folder).casefold() == MODELS and len(models) == 1:
        places += [(source, "Materials", True) for source in beside[:1]]
    stems = {_stem(name).casefold() for name in models}
    for source, inner, deep in places:
        texts = (name for name in source.names(inner, deep=deep) if name.lower().endswith(MATERIALS))
        names = [*islice(texts, FEW + 1)]
        found = [name for name in names if _holds_material(source, name)] if len(names) <= FEW else []
        if len(found) == 1 and (inner or _stem(found[0]).casefold() not in stems):
            return found[0]
    return None


def _is_ogre_script(source: Source, name: str) -> bool:
    """Whether a file is a script of OGRE: it has the suffix that scripts of OGRE and materials of rbfx share,
    and is no material.
    """
    return name.lower().endswith(RBFX) and not _holds_material(source, name)


def _holds_material(source: Source, name: str) -> bool:
    try:
        text = source.read(name, SHORT_TEXT_LIMIT)
    except ViewerError:
        return False
    return b"<material" in text or b'"techniques"' in text


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _below_models(model_path: str) -> str:
    """The model's path below `Models`, without suffix: `Ninja/Ninja` for `…/Models/Ninja/Ninja.mdl`.
    Materials and textures often have the same path in their folders.
    """
    parts = os.path.abspath(os.path.splitext(model_path)[0]).replace("\\", "/").split("/")
    folders = [part.casefold() for part in parts[:-1]]
    if "models" not in folders:
        return parts[-1]
    return "/".join(parts[len(folders) - folders[::-1].index("models") :])
