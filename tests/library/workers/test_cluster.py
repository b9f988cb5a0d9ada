"""A batch on a Dask cluster has the results of one on this machine, also if a worker is lost."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.library.workers.tasks import obey
from viewer.errors import ResourceError, ViewerError
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, run_batch
from viewer.library.workers.cluster import ClusterRunner

pytest.importorskip("distributed")


class Cluster:
    """A scheduler and two workers, as processes."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._folder = folder
        self.scheduler, *self.workers = map(self._started, ([], ["one"], ["two"]))

    def _started(self, name: list[str]) -> subprocess.Popen[bytes]:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": str(self._folder)}
        command = [sys.executable, "-m", "tests.library.workers.dask_node", self.port, *name]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, cwd=self._folder, env=environment, stdout=quiet, stderr=quiet)

    def close(self) -> None:
        """End all processes."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("dask"))
    yield made
    made.close()


def shown(outcome: Outcome) -> tuple[object, ...]:
    """An outcome with its error as class and text."""
    return outcome.path, outcome.value, type(outcome.error).__name__, outcome.why


def test_results_are_the_same_and_a_lost_workers_files_are_done_again(cluster: Cluster) -> None:
    """One test: a cluster takes seconds to start."""
    hostile = ["wrong:x", "sleep:60", f"die:{signal.SIGKILL}", os.fsdecode(b"\xff"), "graphics"]
    paths = [f"sleep:0.0{number % 10}:" if number % 3 == 0 else f"{number}" for number in range(60)]
    paths = [f"{path}{number}" if path.startswith("sleep") else path for number, path in enumerate(paths)]
    calls = [(path, "more") for path in [*paths, *hostile]]
    local = sorted(map(shown, run_batch(obey, calls, LocalRunner(2, seconds=1.5))))
    found = []
    for outcome in run_batch(obey, calls, ClusterRunner(cluster.address, seconds=1.5)):
        found.append(outcome)
        if len(found) == 10:
            cluster.workers[0].kill()
    assert sorted(map(shown, found)) == local
    assert {each.path for each in found if each.error} == set(hostile) - {os.fsdecode(b"\xff")}


def test_the_context_is_that_of_the_program(cluster: Cluster) -> None:
    (outcome,) = run_batch(obey, ["context"], ClusterRunner(cluster.address))
    assert outcome.value == (os.getcwd(), None, ())


def test_a_batch_that_is_left_leaves_nothing(cluster: Cluster) -> None:
    running = run_batch(
        obey, ["pid", *(f"sleep:0.5:{number}" for number in range(20))], ClusterRunner(cluster.address)
    )
    pid = next(running).value
    running.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_nobody_at_the_address_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.library.workers.cluster.CONNECTING", 0.5)
    with pytest.raises(ResourceError, match=r"tcp://127.0.0.1:9 cannot be reached"):
        list(run_batch(obey, ["a"], ClusterRunner("tcp://127.0.0.1:9")))
    with pytest.raises(ResourceError, match=r"what is that\? cannot be reached"):
        list(run_batch(obey, ["a"], ClusterRunner("what is that?")))


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ResourceError, match=r"rigscope\[cluster\]"):
        list(run_batch(obey, ["a"], ClusterRunner("tcp://127.0.0.1:9")))


def test_another_version_of_the_program_is_refused(monkeypatch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    monkeypatch.setattr("viewer.library.workers.cluster.__version__", "0.0")
    with pytest.raises(ViewerError, match=r"a worker has rigscope .*, this program is 0\.0"):
        list(run_batch(obey, ["a"], ClusterRunner(cluster.address)))
