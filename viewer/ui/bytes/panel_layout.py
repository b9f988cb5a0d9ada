"""The layout of tree, bytes and data inspector in a panel of any shape: a pure function of its size."""

from __future__ import annotations

from msgspec import Struct

TWO_COLUMNS = 66.0
"""Width from which tree and bytes are side by side instead of stacked. All values are in letter heights."""
THREE_COLUMNS = 100.0
"""Width from which the inspector has a column of its own."""
TALL = 34.0
"""Height from which the inspector fits below the bytes."""
BYTES, COLUMN, BELOW = 39.5, 25.0, 12.0
"""The width of the bytes; the width of the inspector beside them, and its height below them."""
LEAST_TREE, LEAST_BYTES = 12.0, 14.0
TREE_ABOVE = 0.42
"""The tree's share of the height if the bytes are below it."""


class PanelParts(Struct, frozen=True):
    """The sizes of the parts.

    `tree` and `most` are the initial and the largest width (`side_by_side`) or height of the tree; `column`
    and `below` are the inspector's width beside the bytes or its height below them, 0 without an inspector.
    """

    side_by_side: bool
    tree: float
    least: float
    most: float
    column: float
    below: float


def share(width: float, height: float, em: float, gap: float, inspector: bool | None = None) -> PanelParts:
    """The parts of a panel of that size; `em` is the letter height, `gap` the distance between columns.

    The inspector shows if there is room, or if the user opened it.
    """
    tall = height > TALL * em
    shown = inspector if inspector is not None else tall or width > THREE_COLUMNS * em
    aside = width > THREE_COLUMNS * em or (width > TWO_COLUMNS * em and not tall)
    column = COLUMN * em if shown and aside else 0.0
    below = BELOW * em if shown and not aside else 0.0
    if width > TWO_COLUMNS * em:
        least = LEAST_TREE * em
        most = max(width - BYTES * em - gap - (column + gap if column else 0.0), least)
        return PanelParts(True, most, least, most, column, below)
    least = 6 * em
    most = max(height - LEAST_BYTES * em - below, least)
    return PanelParts(False, min(height * TREE_ABOVE, most), least, most, column, below)
