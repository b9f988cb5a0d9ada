"""A run from the command line, and a fixed one that finds nothing."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.fuzzing.__main__ import corpus_line
from tests.fuzzing.cases import STAGES
from tests.fuzzing.dying import dies_at_five
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Findings
from tests.fuzzing.run import REFUSED_MOST, Plan, Run, execute, summed
from tests.fuzzing.samples import FORMATS, ROOT, samples_of

EXECUTIONS = 1600


def test_workers_share_a_run(tmp_path: Path) -> None:
    words = ["ani", "pak", "--executions", "60", "--jobs", "2", "--seed", "3", "--findings", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "seed 3"
    assert [line.split()[0] for line in lines if line.split()[0] in FORMATS] == ["ani", "pak"]
    assert lines[-1].startswith("60 executions in")


@pytest.mark.parametrize("job", range(4))
def test_a_fixed_run_finds_nothing(job: int, executor: Executor) -> None:
    """About one second each on a machine that does nothing else."""
    plan = Plan(tuple(FORMATS), 2026, "", EXECUTIONS, None)
    results = [execute(executor, plan.case(number)) for number in range(job, EXECUTIONS, 4)]
    executor.drawing.close()
    assert [found.text for _, found in results if found is not None] == []
    whole = sum((counts for counts, _ in results), Counter[str]())
    assert whole["executions"] == EXECUTIONS // 4
    assert whole["refused"] <= REFUSED_MOST * whole["executions"]
    assert min(whole[name] for name in STAGES) > 0


def test_the_case_that_ends_its_process_is_a_finding_and_the_others_go_on(tmp_path: Path) -> None:
    printed: list[str] = []
    plan = Plan(("ani",), 3, "", 12, None, 1)
    done = Run(plan, Findings(tmp_path, printed.append), dies_at_five)
    done.run()
    assert summed(done.tally)["executions"] == 12
    assert [path.name for path in done.findings.written.values()] == [plan.case(5).sample.name]
    assert any("the worker process ended (status 7)" in line for line in printed)


def test_files_of_a_corpus_that_cannot_be_opened_are_counted(tmp_path: Path) -> None:
    sample = samples_of("ani")[0]
    (tmp_path / "good.ani").write_bytes(sample.data)
    (tmp_path / "other.ani").write_bytes(b"[Animation of another program]")
    assert corpus_line(str(tmp_path), ["ani", "pak"]) == "corpus: 1 file mutated, 1 cannot be opened"
