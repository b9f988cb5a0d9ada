"""References that lead out of a block."""

from __future__ import annotations

from pathlib import PurePath

from tests import m2_files
from tests.opened import opened_file
from viewer.families.wow.m2.load import load_model


def test_the_tables_behind_the_end_of_a_cut_file_are_one_error() -> None:
    data = m2_files.model(m2_files.CLASSIC)
    whole = load_model(opened_file(PurePath("Made.m2"), data))
    assert whole.report.errors == []
    cut = load_model(opened_file(PurePath("Made.m2"), data[: len(data) // 3])).report.errors
    (together,) = (each for each in cut if "tables begin after the end of the file: " in each.why)
    assert together is cut[0] and "vertices" in together.why
    assert not any("vertices" in each.path for each in cut[1:])


def test_a_single_table_behind_the_end_has_its_own_error() -> None:
    data = m2_files.model(m2_files.CLASSIC)
    errors = load_model(opened_file(PurePath("Made.m2"), data[:-8])).report.errors
    assert not any("tables begin" in each.why for each in errors)
