"""Which material each geometry of a model gets: the model file itself does not say.

In this order, which is that of the engine's own tools: the list `<model>.txt`, a prefab or scene, a material
that is called like the model, the only material beside it. The last two are guesses of this program.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from viewer.errors import FormatError, Report
from viewer.formats.urho3d.prefab import prefab_materials
from viewer.storage.image import PICTURES
from viewer.storage.markup import SHORT_TEXT_LIMIT
from viewer.storage.search import Found, SearchPath

MATERIALS = (".xml", ".json")

Names = tuple[str | None, ...]


def assigned_materials(model_path: str, count: int, search: SearchPath, report: Report) -> Names:
    """A material's resource name for each geometry, None: the default. Empty where nothing names any."""
    for names in (_listed(model_path, search, report), prefab_materials(model_path, search, report)):
        if any(names):
            return tuple(names[i].strip() or None if i < len(names) else None for i in range(count))
    guess = _guessed(model_path, search)
    return (guess,) * count if guess else ()


def same_stem_texture(model_path: str, search: SearchPath) -> str | None:
    """The resource name of a picture that is called like the model, in `Textures` or beside it."""
    stem = _stem(model_path).casefold()
    folder = f"Textures/{_below_models(model_path)}".rpartition("/")[0]
    places = [(source, name) for source in search.sources for name in dict.fromkeys((folder, "Textures"))]
    for source, place in [*places, (search.sources[0], "")]:
        names = [name for name in source.names(place) if _stem(name).casefold() == stem]
        for suffix in PICTURES:
            for name in names:
                if name.lower().endswith(suffix):
                    return name
    return None


def _listed(model_path: str, search: SearchPath, report: Report) -> tuple[str, ...]:
    """`<model>.txt`: line i names the material of geometry i. A text without any material is another text."""
    own = search.sources[0]
    name = own.find(_stem(model_path) + ".txt")
    if name is None:
        return ()
    try:
        lines = own.read(name, SHORT_TEXT_LIMIT).decode("utf-8-sig", "replace").splitlines()
    except FormatError as error:
        report.fail(error)
        return ()
    if any(line.strip().lower().endswith(MATERIALS) for line in lines):
        return tuple(lines)
    report.warn(f"{own.where(name)} names no materials and is ignored")
    return ()


def _guessed(model_path: str, search: SearchPath) -> str | None:
    stem = _stem(model_path)
    for name in dict.fromkeys((_below_models(model_path), stem)):
        for suffix in MATERIALS:
            guess = f"Materials/{name}{suffix}"
            if isinstance(search.find(guess, beside=False), Found):
                return guess
    return next(_beside(stem, search), None) or _only_one(search)


def _beside(stem: str, search: SearchPath) -> Iterator[str]:
    """A material of the model's name beside it; a text of that name may as well be the model's metadata."""
    own = search.sources[0]
    for suffix in MATERIALS:
        name = own.find(stem + suffix)
        try:
            text = own.read(name, SHORT_TEXT_LIMIT) if name else b""
        except FormatError:
            continue
        if name and (b"<material" in text or b'"techniques"' in text):
            yield name


def _only_one(search: SearchPath) -> str | None:
    """The material in the model's `Materials` folder where there is but one."""
    names = [name for name in search.sources[0].names("Materials") if name.lower().endswith(MATERIALS)]
    return names[0] if len(names) == 1 else None


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _below_models(model_path: str) -> str:
    """`Ninja/Ninja` for `…/Models/Ninja/Ninja.mdl`: materials and textures often lie in equal folders."""
    parts = os.path.abspath(os.path.splitext(model_path)[0]).replace("\\", "/").split("/")
    folders = [part.casefold() for part in parts[:-1]]
    if "models" not in folders:
        return parts[-1]
    return "/".join(parts[len(folders) - folders[::-1].index("models") :])
