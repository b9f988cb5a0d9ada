"""Texts with names from files, as they are drawn: their marks are written out, and icons stay."""

from __future__ import annotations

import re

from viewer.errors import printable

ICON = re.compile("([\ue000-\uf8ff])")
"""The private letters of the icon font."""
ID = re.compile("#(?=#)")


def visible(text: str) -> str:
    """A text as one line: marks are escaped as by `printable`, icons stay."""
    if text.isprintable():
        return text
    return "".join(part if ICON.match(part) else printable(part) for part in ICON.split(text))


def visible_lines(text: str) -> str:
    """A text of several lines, with `visible` lines."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def label_text(name: str) -> str:
    """A name for the label of a widget: `##` in it begins no id."""
    return ID.sub("# ", visible(name))
