"""Findings: what is wrong with an asset, where the fault is, its effect in the engine, and the remedy."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from viewer.scene.items import Item

MOST_ITEMS = 1000
"""The largest number of items that a finding lists. The owner of these items is listed too, but not counted.
The limit exists because the window marks every item.
"""


class Severity(IntEnum):
    """The importance of a finding; a larger number matters more."""

    NOTE = 0
    WARNING = 1
    ERROR = 2

    @property
    def word(self) -> str:
        """The name in lower case, as on the command line."""
        return self.name.lower()


class Finding(Struct, frozen=True):
    """A fault found by the rule with the id `rule`. `title` names it in one line; `text` adds its numbers.

    `file` is the file that has the fault. `offset`, `size` in bytes and `path` (a field path) locate the
    fault in the file if they are known. `items` are the affected parts of the document, at most `MOST_ITEMS`.
    `effect` says what the engine does with the fault, `remedy` how to correct the file. `need` has the kind
    and the name of the need that the finding is about; None for other findings.
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
    need: tuple[str, str] | None = None
