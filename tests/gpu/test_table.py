"""Tables of numbers as textures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from viewer.arrays import Array
from viewer.gpu.table import TEXELS_PER_ROW, TexelTable


def stored(table: TexelTable) -> Array:
    width, height = table.texture.size
    return np.frombuffer(table.texture.read(), "f4").reshape(height * width, -1)


def test_rows_wrap(ctx: Any) -> None:
    table = TexelTable(ctx, TEXELS_PER_ROW + 2, 4)
    values = np.arange((TEXELS_PER_ROW + 2) * 4, dtype="f4").reshape(-1, 4)
    table.write(values)
    assert table.texture.size == (TEXELS_PER_ROW, 2)
    np.testing.assert_array_equal(stored(table)[: len(values)], values)
    table.release()


def test_what_does_not_fit_is_left_out(ctx: Any) -> None:
    table = TexelTable(ctx, 2, 1)
    table.write(np.array([[1.0], [2.0], [3.0]]))
    assert stored(table).ravel().tolist() == [1, 2]
    table.release()


@pytest.mark.usefixtures("any_numbers")
@pytest.mark.parametrize("number", [1e300, -1e300, np.inf, np.nan])
def test_numbers_past_a_texel_s_range_are_no_error(ctx: Any, number: float) -> None:
    table = TexelTable(ctx, 1, 1)
    table.write(np.array([[number]]))
    assert not np.isfinite(stored(table)[0, 0])
    table.release()
