"""`--texture TYPE=FILE`: files for the textures that a model leaves to the program."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.commands.arguments import UsageError
from viewer.scene.model import Model
from viewer.storage.search import lone


def chosen(model: Model | None, wanted: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The file for each texture number, chosen by the texture's type.

    UsageError for a type that the model does not use, FormatError for a file that does not exist.
    """
    files = {kind: lone(path).path for kind, path in wanted}
    textures = model.textures if model else ()
    known = sorted({each.kind for each in textures if each.kind})
    for kind in files:
        if kind not in known:
            listed = ", ".join(map(str, known)) or "none"
            raise UsageError(f"no texture of type {kind} is left to the program; there is {listed}")
    return {number: files[each.kind] for number, each in enumerate(textures) if each.kind in files}
