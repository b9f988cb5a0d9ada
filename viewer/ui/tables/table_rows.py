"""The rows of a table as the page shows them: filtered and sorted."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from viewer.arrays import Array
from viewer.scene.table import Table, TableColumn, shown
from viewer.ui.kit.texts import number_text, parse_number


class TableRows:
    """The rows of one table. The texts of the table are cached for sorting and filtering.

    `version` increases whenever the rows change.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.version = 0
        self._key: object = ("", None, False)
        self._rows: Array = np.arange(len(table))

    def rows(self, wanted: str, column: int | None, descending: bool) -> Array:
        """Return the indices [N] of the rows in which each word of `wanted` occurs, ignoring case.

        A word occurs in a part of a text, or as a whole number. A word `model:7` occurs only in columns named
        `model` or `model_1`, and in references to the table `model`. The rows are sorted by `column`; if
        `column` is None, they are in the order of the file.
        """
        key = wanted.casefold(), column, descending
        if key != self._key:
            self._key, self._rows = key, self._find(*key)
            self.version += 1
        return self._rows

    def _find(self, wanted: str, column: int | None, descending: bool) -> Array:
        fits = np.ones(len(self.table), bool)
        for word in wanted.split():
            fits &= self._fits(word)
        rows = np.flatnonzero(fits)
        if column is None:
            return rows
        values = self._keys(column)[rows]
        order = np.argsort(-values if descending else values, kind="stable")
        return np.asarray(rows[order])

    def _fits(self, word: str) -> Array:
        """[rows] bool: whether each row has a word."""
        records, fits = self.table.records, np.zeros(len(self.table), bool)
        name, _, value = word.partition(":")
        columns = [each for each in self.table.columns if value and name in _names(each)]
        word = value if columns else word
        texts = np.array([at for at, text in self._texts.items() if word in text], np.int64)
        number = parse_number(word)
        for column in columns or self.table.columns:
            stored = records[column.name]
            if column.type == "text":
                fits |= np.isin(stored, texts)
            elif number is not None:
                wanted, tolerance = number
                fits |= np.abs(stored.astype(np.float64) - wanted) <= tolerance
        return fits

    def _keys(self, column: int) -> Array:
        """The sort keys [rows] of a column; texts are sorted ignoring case."""
        each = self.table.columns[column]
        stored = self.table.records[each.name]
        if each.type != "text":
            return stored.astype(np.float64)
        offsets, where = np.unique(stored, return_inverse=True)
        texts = [self._texts[offset] for offset in offsets.tolist()]
        ranks = np.empty(len(texts), np.int64)
        ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
        return ranks[where]

    @cached_property
    def _texts(self) -> dict[int, str]:
        """The case-folded texts of all text columns, by their offsets."""
        columns = (self.table.records[each.name] for each in self.table.columns if each.type == "text")
        offsets = {offset for stored in columns for offset in np.unique(stored).tolist()}
        return {offset: self.table.text(offset).casefold() for offset in offsets}


def _names(column: TableColumn) -> tuple[str, ...]:
    """The case-folded names that a filter may give for a column."""
    name = column.name.casefold()
    return (name, name.rstrip("0123456789").rstrip("_"), column.reference.casefold())


def cell(table: Table, row: int, column: int) -> str:
    """The text of a cell."""
    value = table.value(row, column)
    return number_text(value) if isinstance(value, float) else shown(value, table.columns[column].type)


def referenced(table: Table, row: int, column: int) -> int | None:
    """The number of the row of another table to which a cell refers; None if the cell refers to none."""
    each = table.columns[column]
    number = int(table.records[each.name][row]) if each.reference else 0
    return number if number > 0 else None
