"""Assign materials to the geometries of a model, because a model file names no materials.

The sources are searched in this order: the list `<model>.txt`, a prefab or scene, a material with the model's
name, the only material beside the model. The last two sources are guesses.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from viewer.errors import FormatError, Report, ViewerError
from viewer.families.urho3d.prefab import near_prefabs, prefab_materials, project_prefabs
from viewer.storage.image import PICTURES
from viewer.storage.markup import SHORT_TEXT_LIMIT
from viewer.storage.own_picture import is_view
from viewer.storage.search import FoundResource, SearchPath
from viewer.storage.source import Source

RBFX = ".material"
MATERIALS = (".xml", ".json", RBFX)


class Assignment(NamedTuple):
    """The resource name of each geometry's material. A name is None for the default material, and empty if no
    source assigns a material. `file` is the path of the list or prefab that names the materials; it is empty
    if the materials are guessed by the model's name.
    """

    names: tuple[str | None, ...] = ()
    file: str = ""


def assigned_materials(model_path: str, count: int, search: SearchPath, report: Report) -> Assignment:
    """Return the materials of `count` geometries. Projects are searched last, and only if no texture has the
    model's name.
    """
    names, file = _list_beside(model_path, search, report)
    near = [] if any(names) else near_prefabs(model_path, search)
    if near:
        names, file = prefab_materials(near, model_path, report)
    if any(names):
        return _assignment(names, file, count)
    guess = _guessed(model_path, search) if search.context.search != "none" else None
    if guess:
        return Assignment((guess,) * count)
    if same_stem_texture(model_path, search):
        return Assignment()
    far = project_prefabs(model_path, search, near)
    return _assignment(*prefab_materials(far, model_path, report), count)


def _assignment(names: tuple[str, ...], file: str, count: int) -> Assignment:
    if not any(names):
        return Assignment()
    return Assignment(tuple(names[i].strip() or None if i < len(names) else None for i in range(count)), file)


def material_name(model_path: str) -> str:
    """Return the resource name that is tried first when a material is guessed."""
    return f"Materials/{_below_models(model_path)}{MATERIALS[0]}"


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
    return next(_same_name(stem, search), None) or _only_one(search)


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
    """The only material in the `Materials` folder beside the model; None if the folder has none or
    several.
    """
    own = search.own
    names = [name for name in own.names("Materials") if name.lower().endswith(MATERIALS)]
    return names[0] if len(names) == 1 and not _is_ogre_script(own, names[0]) else None


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
