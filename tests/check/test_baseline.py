"""Known findings are left out as often as they are known, and those that are gone are found."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from viewer.check.baseline import KnownFinding, read_baseline, write_baseline
from viewer.errors import ResourceError
from viewer.scene.finding import Finding, Severity


def finding(text: str, file: str = "a.mdl", path: str = "bones[0]") -> Finding:
    return Finding("mesh/zero-normal", Severity.WARNING, text, file, 64, path)


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A baseline of three findings, two of which are alike."""
    monkeypatch.chdir(tmp_path)
    found = [finding("2 normals"), finding("other", "deep/b.mdl"), finding("1 normals")]
    assert write_baseline("known.json", found) == 3
    return "known.json"


def test_a_baseline_is_sorted_and_without_what_changes(known: str) -> None:
    data = json.loads(Path(known).read_text())
    assert data["version"] == 1
    files = [(each["file"], each["text"]) for each in data["findings"]]
    assert files == [("a.mdl", "N normals"), ("a.mdl", "N normals"), ("deep/b.mdl", "other")]
    assert len(Path(known).read_text().splitlines()) == 3 + 2


def test_findings_are_known_in_any_order_and_with_other_numbers(known: str) -> None:
    baseline = read_baseline(known)
    assert baseline.takes(finding("other", os.path.abspath("deep/b.mdl")))
    assert baseline.takes(finding("71 normals")) and baseline.takes(finding("5 normals"))
    assert baseline.gone == []


def test_one_more_than_known_is_new(known: str) -> None:
    baseline = read_baseline(known)
    assert [baseline.takes(finding("3 normals")) for _ in range(3)] == [True, True, False]
    assert not baseline.takes(finding("3 normals", path="bones[1]"))
    assert not baseline.takes(finding("3 normals", file="c.mdl"))


def test_what_is_not_found_is_gone(known: str) -> None:
    baseline = read_baseline(known)
    baseline.takes(finding("3 normals"))
    assert baseline.gone == [
        KnownFinding("mesh/zero-normal", "a.mdl", "bones[0]", "N normals"),
        KnownFinding("mesh/zero-normal", "deep/b.mdl", "bones[0]", "other"),
    ]


def test_names_are_relative_to_the_baseline(known: str, tmp_path: Path) -> None:
    os.mkdir("inner")
    os.rename(known, "inner/known.json")
    baseline = read_baseline("inner/known.json")
    assert not baseline.takes(finding("3 normals"))
    assert baseline.takes(finding("3 normals", "inner/a.mdl"))
    assert baseline.name("x.mdl") == "../x.mdl"
    assert os.path.normpath(baseline.path_of("../x.mdl")) == str(tmp_path / "x.mdl")


NO_BASELINES = [
    "{",
    "[]",
    "{}",
    '{"version": 2, "findings": []}',
    '{"version": 1}',
    '{"version": 1, "findings": [1]}',
    '{"version": 1, "findings": [{"rule": 1, "file": "", "path": "", "text": ""}]}',
    "[" * 100_000,
]


@pytest.mark.parametrize("text", NO_BASELINES, ids=lambda text: text[:40])
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "known.json").write_text(text)
    with pytest.raises(ResourceError, match=r"known\.json"):
        read_baseline(str(tmp_path / "known.json"))


def test_a_missing_baseline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read"):
        read_baseline(str(tmp_path / "known.json"))


def test_a_checked_file_is_not_replaced(tmp_path: Path) -> None:
    model = tmp_path / "a.mdl"
    model.write_bytes(b"UMDL")
    with pytest.raises(OSError, match="it is one of the files being read"):
        write_baseline(str(model), [], [str(model)])
