"""Findings: told apart, made small, written once, and repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzzing import __main__ as command
from tests.fuzzing import checks
from tests.fuzzing.cases import Case
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Findings, finding_of
from tests.fuzzing.run import Plan, damage, simplified
from tests.fuzzing.samples import samples_of
from viewer.errors import FormatError
from viewer.storage.reading import read_file

SAMPLE = samples_of("ani")[0]


def raised(data: bytes) -> BaseException:
    try:
        read_file(f"/nowhere/{data!r}")
    except FormatError as error:
        return error
    raise AssertionError


def test_one_place_has_one_signature() -> None:
    first, second = (finding_of(SAMPLE, data, "open", raised(data)) for data in (b"", b"abc"))
    assert first.signature == second.signature
    assert first.frames[-1].startswith("storage/reading.py:")
    assert finding_of(SAMPLE, b"", "open", ValueError()).signature != first.signature


def test_of_many_changes_only_what_matters_is_left(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def differs(data: bytes) -> bool:
        return len(data) == len(SAMPLE.data) and data[13] != SAMPLE.data[13]

    def broken(path: str) -> None:
        if differs(Path(path).read_bytes()):
            raise IndexError("out of range")

    monkeypatch.setattr(checks, "open_document", broken)
    cases = (Case("ani", 1, number, SAMPLE) for number in range(10_000))
    made = ((case, case.data(executor.places(SAMPLE))) for case in cases)
    case, data = next(each for each in made if differs(each[1]) and damage(each[1], SAMPLE.data) > 9)
    _, finding = executor.run(SAMPLE, data, frozenset(), case.key)
    assert finding is not None
    small = simplified(executor, case, finding)
    assert small.signature == finding.signature
    assert damage(small.data, SAMPLE.data) <= 4


def test_each_finding_is_written_once_with_its_command(tmp_path: Path) -> None:
    told: list[str] = []
    findings, plan = Findings(tmp_path, told.append), Plan(("ani",), 7, "", 1, None)
    finding = finding_of(SAMPLE, b"UANI", "open", raised(b""))
    findings.add(finding, plan.words(Case("ani", 7, 3, SAMPLE)))
    findings.add(finding, plan.words(Case("ani", 7, 4, SAMPLE)))
    (path,) = tmp_path.glob("*/UANI.ani")
    assert path.read_bytes() == b"UANI"
    assert len(told) == 1
    assert f"dev.py fuzz ani --seed 7 --case 3 --repeat {path}" in told[0]


def test_a_finding_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(path: str) -> None:
        if b"bad" in Path(path).read_bytes():
            raise IndexError("out of range")

    monkeypatch.setattr(checks, "open_document", broken)
    monkeypatch.setattr(command, "prepare", lambda: None)
    (tmp_path / "UANI.ani").write_bytes(b"bad")
    words = ["ani", "--seed", "1", "--case", "0", "--repeat", str(tmp_path / "UANI.ani")]
    assert command.main(words) == 1
    assert "out of range" in capsys.readouterr().out
