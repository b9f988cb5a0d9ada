"""Triggers of an animation, from XML or JSON beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from viewer.errors import Report
from viewer.families.urho3d.animation import triggers_beside
from viewer.storage.source import FolderSource


def times(folder: Path, report: Report | None = None) -> list[tuple[float, str]]:
    found = triggers_beside(
        FolderSource(folder), folder / "Walk.ani", 2.0, report if report is not None else Report()
    )
    return [(event.time, event.name) for event in found]


def test_xml_times_and_normalised_times(tmp_path: Path) -> None:
    (tmp_path / "Walk.xml").write_text(
        '<animation><trigger normalizedtime="0.75" type="String" value="b"/>'
        '<trigger time="0.5" value="a"/></animation>'
    )
    assert times(tmp_path) == [(0.5, "a"), (1.5, "b")]


def test_json(tmp_path: Path) -> None:
    (tmp_path / "Walk.json").write_text(
        '{"triggers": [{"time": 0.5, "type": "String", "value": "a"}, {"normalizedTime": 0.5}]}'
    )
    assert times(tmp_path) == [(0.5, "a"), (1.0, "")]


def test_xml_comes_before_json(tmp_path: Path) -> None:
    (tmp_path / "Walk.xml").write_text('<animation><trigger time="1" value="xml"/></animation>')
    (tmp_path / "Walk.json").write_text('{"triggers": [{"time": 1, "value": "json"}]}')
    assert times(tmp_path) == [(1.0, "xml")]


def test_no_sidecar_no_triggers(tmp_path: Path) -> None:
    assert times(tmp_path) == []


@pytest.mark.parametrize("text", ["soon", "nan", "inf", ""])
def test_a_time_that_is_none_is_left_out_with_a_warning(tmp_path: Path, text: str) -> None:
    (tmp_path / "Walk.xml").write_text(f'<animation><trigger time="{text}"/><trigger time="1"/></animation>')
    report = Report()
    assert times(tmp_path, report) == [(1.0, "")]
    assert "is not valid" in report.warnings[0]


@pytest.mark.parametrize(
    ("name", "text"), [("Walk.xml", "<animation><trigger"), ("Walk.json", '{"triggers": [')]
)
def test_a_broken_sidecar_is_reported_with_its_place(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    report = Report()
    assert times(tmp_path, report) == []
    assert report.errors[0].file.endswith(name)
    assert report.errors[0].offset > 0


@pytest.mark.parametrize("text", ["[]", "3", '{"triggers": 5}', '{"triggers": [7, null]}'])
def test_json_of_another_shape_has_no_triggers_or_empty_ones(tmp_path: Path, text: str) -> None:
    (tmp_path / "Walk.json").write_text(text)
    assert {time for time, _ in times(tmp_path)} <= {0.0}
