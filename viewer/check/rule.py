"""A rule: a pure function of a checked document, with the texts that explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from viewer.binary.span import Span
from viewer.check.check_context import CheckContext
from viewer.errors import FormatError
from viewer.scene.finding import MOST_ITEMS as MOST_ITEMS
from viewer.scene.finding import Severity
from viewer.scene.items import Item

SHOWN = 4
"""The names that a text lists."""


class Found(NamedTuple):
    """What a rule found: its text with numbers, and the parts of the document that it is about.

    `error` has the position in the bytes, if the reader met it; `file` is the path of another file than the
    checked one. `span` are the bytes in that file that it is about, or `offset` is where they begin; without
    both those of the first item that has bytes.
    """

    text: str
    items: tuple[Item, ...] = ()
    error: FormatError | None = None
    file: str = ""
    span: Span | None = None
    offset: int | None = None


def met(error: FormatError) -> Found:
    """What an error says and where."""
    return Found(error.why, error=error)


class Rule(NamedTuple):
    """A rule. `id` is `group/name`, and never changes.

    `find` yields what it finds in a document. `title` is one line of what is wrong. `effects` say what the
    engine of a family (`Urho3D`, `OGRE`, `WoW`; empty: any other) does with it, `remedy` says how to mend it,
    and `example` shows a finding.
    """

    id: str
    severity: Severity
    title: str
    find: Callable[[CheckContext], Iterator[Found]]
    effects: Mapping[str, str]
    remedy: str
    example: str

    def effect(self, family: str) -> str:
        """What the engine of this family does with a finding; empty if that is not known."""
        return self.effects.get(family, self.effects.get("", ""))

    @property
    def page(self) -> str:
        """The explanation of the rule, several lines without a line end."""
        engines = [f"{family or 'Effect'}: {text}" for family, text in self.effects.items()]
        lines = [f"{self.id} ({self.severity.word})", "", f"{self.title}.", "", *engines]
        return "\n".join([*lines, f"Remedy: {self.remedy}", "", f"Example: {self.example}"])


def listed(names: Sequence[str]) -> str:
    """The first names of a list, and how many more there are: `Head, Neck and 3 more`."""
    if len(names) <= SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"


def number(value: float) -> str:
    """A number with at most four digits that count."""
    return f"{value:.4g}"
