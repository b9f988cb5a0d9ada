"""`--texture TYPE=FILE`: files for the textures that a model leaves to the program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from viewer.commands.arguments import UsageError
from viewer.errors import FormatError
from viewer.scene.material import Texture
from viewer.scene.model import Model
from viewer.storage.image import read_image
from viewer.storage.inside import as_path, folder_of, is_file
from viewer.storage.search import Found


def dressed(model: Model, wanted: Iterable[tuple[int, str]]) -> Model:
    """The model with its textures of each kind taken from the file. UsageError for a kind that it has not,
    FormatError for a file that is not there."""
    files = {kind: _file(path) for kind, path in wanted}
    known = sorted({each.kind for each in model.textures if each.kind})
    for kind in files:
        if kind not in known:
            listed = ", ".join(map(str, known)) or "none"
            raise UsageError(f"no texture of type {kind} is left to the program; there is {listed}")
    textures = tuple(_worn(each, files) if each.kind in files else each for each in model.textures)
    return replace(model, textures=textures)


def _worn(texture: Texture, files: dict[int, Found]) -> Texture:
    assert texture.kind is not None
    found = files[texture.kind]
    return replace(texture, path=found.path, decode=partial(read_image, found))


def _file(path: str) -> Found:
    if not is_file(path):
        raise FormatError("cannot be read: no such file", file=path)
    folder, name = folder_of(path), as_path(path).name
    return Found(name, folder.where(name), folder, name)
