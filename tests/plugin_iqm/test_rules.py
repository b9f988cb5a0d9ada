"""The rules of the plugin, and what the rules of the program say about the figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigscope_iqm.write import Joint

from tests.plugin_iqm.samples import data, figure, opened
from viewer.check.checking import check
from viewer.check.rules import rule_named
from viewer.commands.cli import main
from viewer.scene.finding import Finding


def found(rule: str, tmp_path: Path, **changed: Any) -> list[Finding]:
    return check(opened(tmp_path, data(**changed)), [rule_named(rule)])


@pytest.mark.parametrize("rule", ["iqm/joint-order", "iqm/adjacency"])
def test_a_good_file_has_no_findings(rule: str, tmp_path: Path) -> None:
    assert found(rule, tmp_path) == []


@pytest.mark.parametrize("rule", ["iqm/joint-order", "iqm/adjacency"])
def test_other_formats_have_no_findings(rule: str, capsys: Any) -> None:
    beacon = Path(__file__).parents[2] / "assets/urho3d/Models/Beacon.mdl"
    assert main(["check", str(beacon), "--select", rule]) == 0
    assert "iqm/" not in capsys.readouterr().out


def test_joints_before_their_parents_are_told(tmp_path: Path) -> None:
    joints = [Joint("tip", 2), Joint("", 2), Joint("base")]
    (finding,) = found("iqm/joint-order", tmp_path, joints=joints, clips=(), frames=np.empty((0, 0, 10)))
    assert finding.text == "2 joints before the parent: tip, #1"
    assert [str(item) for item in finding.items] == ["bone 0", "bone 1"] and finding.severity.word == "error"


def test_neighbours_that_do_not_exist_are_told(tmp_path: Path) -> None:
    wrong = figure().adjacency.copy()
    wrong[4, 1] = 60
    finding, other = found("iqm/adjacency", tmp_path, adjacency=wrong)
    assert finding.text == "1 of 60 triangles have a neighbour that does not exist (first #4: 60)"
    assert finding.offset is not None and "in only one direction" in other.text


def test_neighbours_in_one_direction_are_told(tmp_path: Path) -> None:
    wrong = figure().adjacency.copy()
    wrong[4, 1] = 30
    (finding,) = found("iqm/adjacency", tmp_path, adjacency=wrong)
    assert finding.text.startswith("2 of 60 triangles have a neighbour in only one direction (first #")


def test_open_edges_are_no_fault(tmp_path: Path) -> None:
    none = np.full_like(figure().adjacency, 0xFFFFFFFF)
    assert found("iqm/adjacency", tmp_path, adjacency=none) == []


def test_the_rules_are_explained(capsys: Any) -> None:
    assert main(["check", "--explain", "iqm/joint-order"]) == 0
    assert "IQM: Engines compute the joints in file order." in capsys.readouterr().out.replace("\n", " ")


def test_the_command_has_their_findings(tmp_path: Path, capsys: Any) -> None:
    joints = [Joint("tip", 1), Joint("base")]
    (tmp_path / "x.iqm").write_bytes(data(joints=joints, clips=(), frames=np.empty((0, 0, 10)), bounds=()))
    assert main(["check", str(tmp_path / "x.iqm"), "--select", "iqm"]) == 1
    assert "error iqm/joint-order: 1 joint before the parent: tip" in capsys.readouterr().out


def test_the_other_rules_say_little_about_the_figure(tmp_path: Path) -> None:
    ids = {finding.rule for finding in check(opened(tmp_path))}
    assert ids <= {"weights/still-bone", "animation/unit-scale"}
