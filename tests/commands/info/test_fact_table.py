"""Facts as JSON in pieces: the same as in one, without holding them."""

from __future__ import annotations

import json

import numpy as np

from viewer.commands.info.fact_table import SHORT, FactTable, fact_table, finite, json_pieces, json_text


def square(number: int) -> dict[str, object]:
    return {"number": number, "square": np.float32(number) ** 2}


def test_the_pieces_are_what_json_makes_of_the_whole() -> None:
    many = fact_table(range(SHORT + 1), square)
    assert isinstance(many, FactTable)
    facts = {"file": "a\nb", "none": None, "few": fact_table(range(2), square), "many": many}
    whole = {**facts, "many": list(many)}
    assert "".join(json_pieces(facts)) == json.dumps(whole)


def test_a_table_is_read_by_number() -> None:
    many = FactTable(range(10), square)
    assert many[-1] == {"number": 9, "square": 81}
    assert [each["number"] for each in many[2:4]] == [2, 3]


def test_json_keeps_names_as_they_are_and_escapes_what_controls_a_terminal() -> None:
    name = "ä\x1b[2J\x9b2J\u202egnp\n"
    text = json_text(name)
    assert json.loads(text) == name and "ä" in text
    assert not {"\x1b", "\x9b", "\u202e", "\n"} & set(text)


def test_bytes_are_hexadecimal_at_any_depth() -> None:
    assert finite([(b"\1\2", {"a": np.bytes_(b"\xff")})]) == [["01 02", {"a": "ff"}]]
