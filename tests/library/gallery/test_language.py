"""What the page knows of the query language is what the program knows."""

from __future__ import annotations

import json

from viewer.library.gallery.page_data import language
from viewer.library.index.query_terms import READERS, TEXTS


def test_every_field_is_there() -> None:
    known = language()
    assert set(known["numbers"]) == set(READERS)
    assert tuple(known["texts"]) == TEXTS


def test_every_unit_is_read_by_the_program_too() -> None:
    for field, values in language()["numbers"].items():
        for unit, factor in values["units"].items():
            value = READERS[field][0](field, f"2{unit}")
            assert value.low == 2 * factor


def test_it_is_plain_data() -> None:
    assert json.loads(json.dumps(language()))
