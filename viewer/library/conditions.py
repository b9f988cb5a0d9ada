"""The conditions that a query is made of, as a tree."""

from __future__ import annotations

from typing import NamedTuple

from viewer.dataclass import dataclass
from viewer.errors import ViewerError


class QueryError(ViewerError):
    """A text is no query: `why` says what is wrong with the character number `at`, from 0."""

    def __init__(self, why: str, at: int) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


@dataclass(frozen=True, slots=True)
class Text:
    """A text that the field of a file contains, without regard to case; `*` and `?` stand for any characters
    and for one, and the pattern is then the whole text. `whole`: the text is the whole field, or one whole
    name of it.
    """

    field: str
    text: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`; without `closed` the ends do not belong to it. None: no end."""

    field: str
    low: float | None = None
    high: float | None = None
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Not:
    """The files that a condition does not hold for."""

    part: Condition


@dataclass(frozen=True, slots=True)
class All:
    """The files that every part holds for; without parts all files."""

    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Any:
    """The files that one of the parts holds for."""

    parts: tuple[Condition, ...]


Condition = Text | Range | Not | All | Any


class Token(NamedTuple):
    """A bracket, a word or a field with its value. `at` is its position, `value_at` that of its value."""

    at: int
    text: str
    field: str = ""
    operator: str = ""
    value: str = ""
    value_at: int = 0
    quoted: bool = False

    @property
    def keyword(self) -> str:
        """`and`, `or`, `not`, a bracket, or an empty text."""
        word = self.text.lower()
        return word if word in {"and", "or", "not", "(", ")"} else ""
