"""Findings: what is wrong with an asset, where, what the engine does about it, and how to mend it."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from viewer.scene.items import Item

MOST_ITEMS = 1000
"""The items that a finding has at most, apart from the one that holds them: the window marks all of them."""


class Severity(IntEnum):
    """How much a finding matters; a larger number matters more."""

    NOTE = 0
    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        """The name in lower case, as the command line has it."""
        return self.name.lower()


class Finding(Struct, frozen=True):
    """What the rule with the id `rule` found, which `title` says in one line; `text` has its numbers.

    `file` is the path of the file with the bytes, `offset`, `size` in bytes and `path` (a field path) lead to
    them, where they are known. `items` are the parts of the document that it is about, the first
    `MOST_ITEMS` of many. `effect` says what the engine does with it, `remedy` how to mend it.
    """

    rule: str
    severity: Severity
    text: str
    file: str
    offset: int | None = None
    path: str = ""
    items: tuple[Item, ...] = ()
    effect: str = ""
    remedy: str = ""
    size: int | None = None
    title: str = ""
