"""A run from the command line, and a fixed one that finds nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzzing.cases import SHARES, STAGES
from tests.fuzzing.executor import Executor
from tests.fuzzing.samples import ROOT
from tests.fuzzing.tally import REFUSED_MOST, Tally, summed
from tests.fuzzing.worker import Plan, execute

EXECUTIONS = 3200


def test_workers_share_a_run(tmp_path: Path) -> None:
    words = ["ani", "pak", "--executions", "60", "--jobs", "2", "--seed", "3", "--findings", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "seed 3"
    assert [line.split()[0] for line in lines if line.split()[0] in SHARES] == ["ani", "pak"]
    assert lines[-1].startswith("60 executions in")


@pytest.mark.parametrize("job", range(4))
def test_a_fixed_run_finds_nothing(job: int, executor: Executor) -> None:
    """About five seconds each on a machine that does nothing else."""
    plan = Plan(tuple(SHARES), 2026, "", EXECUTIONS, None, 4, job)
    tally: Tally = {}
    found = [execute(executor, plan.case(number), tally) for number in range(job, EXECUTIONS, 4)]
    executor.drawing.close()
    assert [each.text for each in found if each is not None] == []
    whole = summed(tally)
    assert whole["executions"] == EXECUTIONS // 4
    assert whole["refused"] <= REFUSED_MOST * whole["executions"]
    assert min(whole[name] for name in STAGES) > 0
