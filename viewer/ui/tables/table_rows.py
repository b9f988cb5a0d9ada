"""Which rows of a table a filter finds, in which order, and the texts of their cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from viewer.arrays import Array, ranks
from viewer.scene.table import Table, TableColumn, shown
from viewer.scene.text_filter import TextFilter
from viewer.ui.kit.texts import number_text, parse_number


class TableSearch:
    """Finds and sorts the rows of one table. The texts of the table are folded once.

    A word occurs in a part of a text, or as a whole number. A word `model:7` occurs only in columns named
    `model` or `model_1`, and in references to the table `model`.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    def rows(self, wanted: TextFilter) -> Array:
        """Return the indices [R] of the rows in which each word of the filter occurs, in file order."""
        fits = np.ones(len(self.table), bool)
        for word in wanted.words:
            fits &= self._fits(word)
        return np.flatnonzero(fits)

    def marks(self, row: int, column: TableColumn, text: str, wanted: TextFilter) -> list[tuple[int, int]]:
        """The ranges (first, end) of letters in the drawn `text` of a cell in which words occur."""
        words = [word for columns, word in map(self._searched, wanted.words) if column in columns]
        if column.type == "text":
            return TextFilter(" ".join(words)).marks(text)
        stored = float(self.table.records[column.name][row])
        numbers = [number for number in map(parse_number, words) if number is not None]
        return [(0, len(text))] if any(abs(stored - value) <= near for value, near in numbers) else []

    def _fits(self, word: str) -> Array:
        """[rows] bool: whether each row has a word."""
        records, fits = self.table.records, np.zeros(len(self.table), bool)
        columns, word = self._searched(word)
        texts = np.array([at for at, text in self._texts.items() if word in text], np.int64)
        number = parse_number(word)
        for column in columns:
            stored = records[column.name]
            if column.type == "text":
                fits |= np.isin(stored, texts)
            elif number is not None:
                wanted, tolerance = number
                fits |= np.abs(stored.astype(np.float64) - wanted) <= tolerance
        return fits

    def _searched(self, word: str) -> tuple[Sequence[TableColumn], str]:
        """The columns in which a word is searched, and the word without their name."""
        name, _, value = word.partition(":")
        columns = [each for each in self.table.columns if value and name in _names(each)]
        return (columns, value) if columns else (self.table.columns, word)

    def keys(self, column: TableColumn) -> Array:
        """The sort keys [rows] of a column; texts are sorted ignoring case."""
        stored = self.table.records[column.name]
        if column.type != "text":
            return stored
        offsets, where = np.unique(stored, return_inverse=True)
        return ranks([self._texts[offset] for offset in offsets.tolist()])[where]

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
