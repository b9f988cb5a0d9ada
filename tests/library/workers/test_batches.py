"""Batches in processes of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.library.workers.tasks import obey
from viewer.library.workers import batches
from viewer.library.workers.batches import LocalRunner, run_batch, usable_processors


def test_each_path_has_an_outcome_and_the_quick_ones_come_first() -> None:
    calls = ["sleep:0.5", "a", ("b", 2)]
    found = list(run_batch(obey, calls, LocalRunner(2)))
    assert [each.path for each in found][-1] == "sleep:0.5"
    assert {each.path: each.value for each in found}["b"] == ("b", 2)


def test_files_are_listed_while_others_are_performed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "WAITING", 4)
    listed = 0

    def paths() -> Iterator[str]:
        nonlocal listed
        for number in range(100):
            listed += 1
            yield str(number)

    running = run_batch(obey, paths(), LocalRunner(1))
    next(running)
    assert listed < 20
    running.close()


def test_a_batch_that_is_left_ends_its_processes() -> None:
    running = run_batch(obey, ["pid", "sleep:60"], LocalRunner(1))
    pid = next(running).value
    running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_no_files_need_no_process() -> None:
    assert list(run_batch(obey, [], LocalRunner(1))) == []


def test_there_is_a_processor() -> None:
    assert 1 <= usable_processors() <= (os.cpu_count() or 1)
