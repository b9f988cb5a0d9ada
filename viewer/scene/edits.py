"""Edits of a file as plain data."""

from __future__ import annotations

from msgspec import Struct


class Edit(Struct, frozen=True):
    """A value for the node at `path` of a tree, as a user types it."""

    path: str
    value: str


class ChangedValue(Struct, frozen=True):
    """What an edit changed: the value `before` and `after`, as the tree shows them."""

    path: str
    before: str
    after: str
