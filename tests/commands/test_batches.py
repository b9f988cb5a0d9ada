"""Where a batch is performed, and what it prints while it runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from viewer.commands.batches import Terminal, print_end, runner_of
from viewer.commands.options.parser import UsageError
from viewer.errors import FormatError, GraphicsError, ViewerError
from viewer.library.batch.batch import Batch, Ended
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, usable_processors
from viewer.library.workers.cluster import ClusterRunner


@pytest.mark.usefixtures("worker_processes")
def test_it_is_performed_on_all_processors_of_this_machine() -> None:
    assert runner_of({}) == LocalRunner(usable_processors())
    assert runner_of({}, 600, 1 << 32) == LocalRunner(usable_processors(), 600, 1 << 32)


@pytest.mark.usefixtures("worker_processes")
def test_the_options_are_taken_out() -> None:
    values = {"jobs": 3, "time_limit": 5.0, "lod": 1}
    assert runner_of(values) == LocalRunner(3, 5.0) and values == {"lod": 1}
    assert runner_of({"cluster": "tcp://a:1"}, 7) == ClusterRunner("tcp://a:1", 7)
    with pytest.raises(UsageError, match="exclude each other"):
        runner_of({"cluster": "tcp://a:1", "jobs": 2})


def test_failures_are_printed_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = [
        Outcome("a", 1),
        Outcome("b", error=ViewerError("why")),
        Outcome("c", error=FormatError("is broken", file="c")),
    ]
    with Terminal() as terminal, Batch(terminal, 3) as batch:
        list(batch.outcomes(iter(outcomes)))
    assert print_end(Ended("1 file written", batch.notices(), 1, "out")) == 1
    assert capsys.readouterr().err.splitlines() == ["b: why", "c: is broken", "rigscope: 2 of 3 files failed"]


def test_without_opengl_it_ends_at_the_first_file() -> None:
    outcomes = iter([Outcome("a", error=GraphicsError("no OpenGL")), Outcome("b", 1)])
    error = pytest.raises(GraphicsError, match="no OpenGL")
    with error, Terminal() as terminal, Batch(terminal, 3, 1) as batch:
        list(batch.outcomes(outcomes))


def test_ctrl_c_prints_one_line_and_ends_the_batch(capsys: pytest.CaptureFixture[str]) -> None:
    ended = []

    def outcomes() -> Iterator[Outcome]:
        try:
            yield Outcome("a", 1)
            raise KeyboardInterrupt
        finally:
            ended.append(True)

    with pytest.raises(KeyboardInterrupt), Terminal() as terminal, Batch(terminal, 9, 4) as batch:
        list(batch.outcomes(outcomes()))
    line = (
        "rigscope: interrupted: 5 of 9 files are done; the same command continues with the remaining files\n"
    )
    assert capsys.readouterr().err == line and ended


def test_an_error_of_the_consumer_ends_the_batch() -> None:
    ended = []

    def outcomes() -> Iterator[Outcome]:
        try:
            yield Outcome("a", 1)
        finally:
            ended.append(True)

    with pytest.raises(ZeroDivisionError), Terminal() as terminal, Batch(terminal, 1) as batch:
        for _ in batch.outcomes(outcomes()):
            raise ZeroDivisionError
    assert ended
