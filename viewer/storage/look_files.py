"""Reads and writes looks of characters as JSON files."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec.structs import replace

from viewer.errors import FormatError
from viewer.scene.characters import Character, CharacterLook
from viewer.scene.reading_context import ReadingContext
from viewer.storage.markup import SHORT_TEXT_LIMIT
from viewer.storage.package_path import read_path
from viewer.storage.writing import replaced


def write_look(character: Character, path: str) -> None:
    """Write the look of a character to a JSON file. OSError if it cannot be written."""
    with replaced(path) as file:
        file.write(json.dumps(character.facts, indent=1).encode())


class StoredLook(msgspec.Struct):
    """A look in a file, see `Character.facts`; further keys do not count. `character` has the numbers of the
    body and of the choices; choices that are left out are 0.
    """

    character: dict[str, Any]
    items: dict[str, int] = {}  # msgspec copies the default
    baked: str = ""
    hidden: tuple[str, ...] = ()


def look_file(path: str, kind: type[CharacterLook], context: ReadingContext) -> CharacterLook:
    """Read a look of a kind from a JSON file with the output of `info --json`, or with only its object
    `looks`.

    FormatError if the file is not such a look.
    """
    try:
        found = msgspec.json.decode(read_path(path, context, SHORT_TEXT_LIMIT)[1])
        if isinstance(found, dict):
            found = found.get("looks", found)
        stored = msgspec.convert(found, StoredLook)
        numbers = {key: value for key, value in stored.character.items() if key in (*kind.body, *kind.keys)}
        look = msgspec.convert(numbers, kind)
    except RecursionError as error:
        raise FormatError("is no look of a character: it is nested too deeply", file=path) from error
    except msgspec.MsgspecError as error:
        raise FormatError(f"is no look of a character: {error}", file=path) from error
    for slot, id in stored.items.items():
        if slot not in look.slots:
            raise FormatError(f"is no look of a character: the slot {slot!r} does not exist", file=path)
        look = look.wearing(slot, id)
    return replace(look, baked=stored.baked, hidden=stored.hidden)
