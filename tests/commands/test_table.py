"""`info`, `list`, `tree`, `check` and `export` of a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.table_files import displays, table_bytes
from viewer.commands.cli import main

pytestmark = pytest.mark.usefixtures("wow")


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "CreatureDisplayInfo.dbc"
    file.write_bytes(displays())
    return str(file)


def test_info_names_the_client_and_the_columns(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", path]) == 0
    text = capsys.readouterr().out
    assert "table CreatureDisplayInfo of 1.12.1: 4 rows" in text
    assert "CreatureModelData" in next(line for line in text.splitlines() if line.split()[:1] == ["model"])


def test_info_as_json_has_the_columns(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json", path]) == 0
    found = json.loads(capsys.readouterr().out)["table"]
    assert (found["rows"], found["clients"], len(found["columns"])) == (4, ["1.12.1"], 12)
    assert found["columns"][1] == {
        "name": "model",
        "type": "number",
        "offset": 4,
        "reference": "CreatureModelData",
    }


def test_list_as_json_has_rows_by_column_names(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json", path]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 4
    assert [rows[1][key] for key in ("id", "model", "scale", "texture_2")] == [707, 7, 1.0, "BearEyes"]


def test_list_aligns_the_columns(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", path]) == 0
    head, first, *_ = capsys.readouterr().out.splitlines()
    assert head.split()[:2] == ["id", "model"] and first.split()[:2] == ["706", "7"]
    assert head.index("texture_1") == first.index("BearSkinBlack")


def test_export_writes_all_rows_as_csv(path: str, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    assert main(["export", path, "-o", str(output)]) == 0
    with output.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == ["706", "707", "12", "99"] and rows[0]["scale"] == "1.5"


def test_export_writes_what_list_prints_as_json(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", path, "-o", str(tmp_path / "out.json")]) == 0
    main(["list", "--json", path])
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == capsys.readouterr().out


def test_numbers_that_are_not_finite_are_null_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "SpellVisualEffectName.dbc"
    file.write_bytes(table_bytes([(1, "a", "b", 0, float("nan"))]))
    main(["list", "--json", str(file)])
    assert json.loads(capsys.readouterr().out)["rows"][0]["area"] is None


def test_a_table_is_no_model(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", path, "-o", str(tmp_path / "out.glb")]) == 2
    assert "is a table: give -o OUT.csv or OUT.json" in capsys.readouterr().err


def test_a_model_is_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.synthetic import write_pair

    assert main(["export", str(write_pair(tmp_path)), "-o", str(tmp_path / "out.csv")]) == 2
    assert "is no table: .csv and .json are for tables" in capsys.readouterr().err


def test_a_sound_table_has_no_findings(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", path]) == 0
    assert "error" not in capsys.readouterr().out


def test_a_changed_cell_is_a_difference(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "b.dbc"
    data = bytearray(displays())
    data[20 + 16] ^= 1
    other.write_bytes(data)
    assert main(["diff", path, str(other)]) == 1
