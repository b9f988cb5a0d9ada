"""Applies `--display`, `--character` and `--item`: what a model of a game wears."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from viewer.commands.options.parser import UsageError
from viewer.errors import ResourceError
from viewer.scene.characters import Character, CharacterLook
from viewer.scene.document import Document
from viewer.storage.documents import wearing
from viewer.storage.look_files import look_file

RANDOM, FILE = "random", ".json"
FIRST_NUMBERS = 8
"""The largest number of valid numbers that a message lists."""
LOOK_OPTIONS = ("display", "character", "item", "seed")
"""The names of the options, in the order of the parameters of `dressed`."""
Numbers = str | Mapping[str, int]
"""The value of `--character`: `random`, the path of a JSON file, or numbers by key."""


def dressed(
    document: Document,
    display: str | None = None,
    character: Numbers | None = None,
    items: Iterable[tuple[str, int]] | None = None,
    seed: int | None = None,
) -> Document:
    """Return the document in the chosen display and look.

    ResourceError if the model has no such display, or is no character with such a look; UsageError for an
    unknown slot; FormatError if a look's file is invalid.
    """
    if display is not None:
        document = wearing(document, display)
    worn = dict(items or ())
    if character is None and not worn:
        return document
    if document.character is None:
        raise ResourceError("the model is not a character: no race in the game's tables uses it")
    look = document.character.look
    if character is not None:
        look = _look(document, document.character, character, seed or 0)
    for slot, id in worn.items():
        if slot not in look.slots:
            raise UsageError(f"{slot} is no slot of items; the slots are {', '.join(look.slots)}")
        look = look.wearing(slot, id)
    return wearing(document, look)


def _look(document: Document, character: Character, given: Numbers, seed: int) -> CharacterLook:
    start = character.look.bare()
    if given == RANDOM:
        return character.choices.random(start, seed)
    if isinstance(given, str):
        return look_file(given, type(start), document.context)
    numbers = {key.replace("-", "_"): value for key, value in given.items()}
    look = character.choices.fitted(start, numbers)
    for key in look.keys:
        known = character.choices.of(key, look)
        if key in numbers and numbers[key] not in (known or (0,)):
            more = ", …" if len(known) > FIRST_NUMBERS else ""
            listed = ", ".join(map(str, known[:FIRST_NUMBERS])) + more
            choice = f"{key.replace('_', ' ')} {numbers[key]}"
            raise ResourceError(f"the character has no {choice}; its numbers are {listed or 'none'}")
    return look
