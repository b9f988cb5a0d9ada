"""Cards for files without a picture."""

from __future__ import annotations

import numpy as np
import pytest

from tests.contrast import contrast
from viewer.library.thumbnails.cards import INK, SYMBOL, SYMBOLS, card

WORDS = "a reason of many words that takes several lines and more than the card has room for, " * 3


@pytest.mark.parametrize("size", [(256, 256), (64, 64), (400, 90), (20, 20)])
def test_everything_is_inside_the_card(size: tuple[int, int]) -> None:
    made = card("Urho3D animation", WORDS, size, "animation")
    assert made.shape == (size[1], size[0], 4)
    edge = np.concatenate((made[0], made[-1], made[:, 0], made[:, -1]))
    assert not edge[:, 3].any() or size == (20, 20)


def test_symbol_title_and_text_are_below_each_other() -> None:
    made = card("Title", "text", (200, 200), "package")
    symbol, title = (np.argwhere((made == color).all(axis=-1))[:, 0] for color in (SYMBOL, INK))
    assert len(symbol) > 100 and len(title) > 10
    assert symbol.max() < title.min()


def test_each_kind_has_its_symbol() -> None:
    drawn = {card("", "", (96, 96), kind).tobytes() for kind in ("", *SYMBOLS)}
    assert len(drawn) == len(SYMBOLS) + 1


@pytest.mark.parametrize("ground", [(40, 44, 50), (230, 232, 236)])
@pytest.mark.parametrize("ink", [INK, SYMBOL])
def test_a_card_can_be_read_on_the_tiles_of_both_themes(
    ink: tuple[int, ...], ground: tuple[int, ...]
) -> None:
    """3:1 is what large text and symbols need."""
    assert contrast(tuple(each / 255 for each in ink[:3]), tuple(each / 255 for each in ground)) >= 3
