"""Columns of text: aligned, cut to a width, on one line each."""

from __future__ import annotations

from viewer.commands.info.columns import CELL_LETTERS, INDENTED_LEVELS, LAST_CELL_LETTERS, indented, section


def lines(*rows: tuple[str, ...]) -> list[str]:
    return list(section("things", ("name", "size", "file"), rows, lambda _, row: row))


def test_columns_align_and_empty_ones_are_left_out() -> None:
    assert lines(("a", "", "x"), ("long", "", "y")) == ["things 2", "  name  file", "  a     x", "  long  y"]


def test_one_long_cell_is_cut_and_widens_the_rows_to_the_limit_only() -> None:
    found = lines(("n" * 200_000, "1", "f" * 200_000), ("b", "2", "c"))
    assert "…" in found[2] and max(map(len, found)) <= CELL_LETTERS + LAST_CELL_LETTERS + 20
    assert len(found[3]) <= CELL_LETTERS + 20


def test_no_cell_leaves_its_line() -> None:
    found = lines(("a\nb", "\x1b[2J", "\u202etxt"))
    assert found[2] == r"  a\nb  \x1b[2J  \u202etxt"


def test_deep_elements_state_their_depth() -> None:
    assert indented(2, "x") == "    x"
    assert indented(19_000, "x").endswith("(depth 19000) x")
    assert len(indented(19_000, "x")) < 2 * INDENTED_LEVELS + 20
