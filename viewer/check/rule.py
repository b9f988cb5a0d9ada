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
"""The largest number of names that the text of a finding lists."""


class Found(NamedTuple):
    """A finding of a rule: its text, and the affected items of the document.

    `error` is the reader's error with its offset. `file` is the affected file; empty for the checked file.
    `span` are the affected bytes; `offset` is the offset of the first affected byte. If both are missing, the
    finding is about the bytes of the first item.
    """

    text: str
    items: tuple[Item, ...] = ()
    error: FormatError | None = None
    file: str = ""
    span: Span | None = None
    offset: int | None = None


def error_found(error: FormatError) -> Found:
    """Make the finding for a reader's error."""
    return Found(error.why, error=error)


class Rule(NamedTuple):
    """A rule. `id` is `group/name` and never changes.

    `find` yields its findings in a document. `title` says what is wrong, and `remedy` how to fix it.
    `effects` say what the engines do, by family (`Urho3D`, `OGRE`, `OGRE-Next`, `WoW`; empty for any other
    family).
    `example` is the text of a finding.
    """

    id: str
    severity: Severity
    title: str
    find: Callable[[CheckContext], Iterator[Found]]
    effects: Mapping[str, str]
    remedy: str
    example: str

    def effect(self, family: str) -> str:
        """The effect in the engine of this family; empty if unknown."""
        return self.effects.get(family, self.effects.get("", ""))

    @property
    def page(self) -> str:
        """The text that explains the rule, in several lines."""
        engines = [f"{family or 'Effect'}: {text}" for family, text in self.effects.items()]
        lines = [f"{self.id} ({self.severity.word})", "", f"{self.title}.", "", *engines]
        return "\n".join([*lines, f"Remedy: {self.remedy}", "", f"Example: {self.example}"])


def listed(names: Sequence[str]) -> str:
    """Join the first names and the number of further names: `Head, Neck and 3 more`."""
    if len(names) <= SHOWN:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN])} and {len(names) - SHOWN} more"


def rounded(value: float) -> str:
    """Format a number with four significant digits."""
    return f"{value:.4g}"
