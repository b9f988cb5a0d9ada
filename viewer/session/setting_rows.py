"""The rows of the settings window, made from the table of settings."""

from __future__ import annotations

from enum import Enum, EnumType
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Struct

from viewer.session.preferences import SETTINGS, Group, Preferences, Shown, meta_of, shown_as

Control = Literal["switch", "number", "choice", "size", "text", "list", "keys"]
"""The kinds of controls. A `size` is a number of bytes; `keys` are the keys of all actions."""
CONTROLS: dict[Any, Control] = {
    bool: "switch",
    float: "number",
    int: "size",
    str: "text",
    list: "list",
    dict: "keys",
}
"""The control for each type of a setting without choices."""


class SettingRow(Struct, frozen=True):
    """A setting in the window.

    `choices` are the values and their labels, `least` and `most` the limits of a number. The other fields are
    those of `Shown`.
    """

    name: str
    title: str
    group: Group
    note: str
    control: Control
    choices: tuple[tuple[Any, str], ...]
    least: float
    most: float
    unit: str
    empty: int
    applies: str
    words: str
    hint: str

    @property
    def text(self) -> str:
        """The text in which the search looks for words."""
        labels = " ".join(label for _, label in self.choices)
        parts = (self.group.value, self.title, self.note, labels, self.applies, self.words, self.name)
        return " ".join(parts)

    def is_changed(self, preferences: Preferences) -> bool:
        """Whether the setting differs from its default."""
        return bool(getattr(preferences, self.name) != self.default)

    @property
    def default(self) -> Any:
        """The default value, a new object each time."""
        return getattr(Preferences(), self.name)


@cache
def setting_rows() -> tuple[SettingRow, ...]:
    """The rows in the order of the groups. Within a group, they are in the order of the settings file."""
    groups = list(Group)
    shown = (_row(name) for name in SETTINGS if shown_as(name).group is not None)
    return tuple(sorted(shown, key=lambda row: groups.index(row.group)))


@cache
def rows_by_name() -> dict[str, SettingRow]:
    """The rows by the names of their settings."""
    return {row.name: row for row in setting_rows()}


def _row(name: str) -> SettingRow:
    meta, shown = meta_of(name), shown_as(name)
    assert shown.group is not None
    choices = _choices(name, shown)
    return SettingRow(
        name,
        shown.title,
        shown.group,
        (shown.note or meta.description or "").replace("`", ""),
        _control(name, choices),
        choices,
        meta.ge or 0.0,
        meta.le or 0.0,
        shown.unit,
        shown.empty,
        shown.applies,
        shown.words,
        shown.hint,
    )


@cache
def _types() -> dict[str, Any]:
    """The type of each setting without its note."""
    return get_type_hints(Preferences)


def _choices(name: str, shown: Shown) -> tuple[tuple[Any, str], ...]:
    """The values of a setting with few values, and their labels."""
    kind = _types()[name]
    values = kind if isinstance(kind, EnumType) else get_args(kind) if get_origin(kind) is Literal else ()
    words = [(each, each.value if isinstance(each, Enum) else each) for each in values or shown.labels]
    return tuple((value, shown.labels.get(word, word.capitalize())) for value, word in words)


def _control(name: str, choices: tuple[tuple[Any, str], ...]) -> Control:
    """The control for the type of a setting."""
    if choices:
        return "choice"
    kind = get_origin(_types()[name]) or _types()[name]
    return CONTROLS.get(kind, "size")  # the only other type is `int | None`, a size
