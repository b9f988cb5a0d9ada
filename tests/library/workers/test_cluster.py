"""A batch on a Dask cluster has the results of one on this machine, also if a worker is lost."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.library.workers.tasks import obey
from viewer.errors import ResourceError, ViewerError
from viewer.family.registry import uses_plugins
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import LocalRunner, run_batch
from viewer.library.workers.cluster import GROWTH, ClusterRunner, ClusterWorkers
from viewer.library.workers.worker import Call

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
    assert outcome.value == (os.getcwd(), uses_plugins())


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


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "what is that?"])
def test_a_client_that_finds_nobody_is_gone(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    from distributed import Client

    monkeypatch.setattr("viewer.library.workers.cluster.CONNECTING", 0.5)
    with pytest.raises(ResourceError):
        list(run_batch(obey, ["a"], ClusterRunner(address)))
    assert not [each for each in gc.get_objects() if type(each) is Client and each._loop_runner._started]


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ResourceError, match=r"rigscope\[cluster\]"):
        list(run_batch(obey, ["a"], ClusterRunner("tcp://127.0.0.1:9")))


def test_another_version_of_the_program_is_refused(monkeypatch: pytest.MonkeyPatch, cluster: Cluster) -> None:
    monkeypatch.setattr("viewer.library.workers.cluster.__version__", "0.0")
    with pytest.raises(ViewerError, match=r"a worker has rigscope .*, this program is 0\.0"):
        list(run_batch(obey, ["a"], ClusterRunner(cluster.address)))


class KilledWorker(Exception):  # noqa: N818  Dask's name
    """Dask's exception has this name."""


class Answer:
    """A Dask task that ended before its sender asked."""

    def __init__(self, status: str, value: bytes = b"") -> None:
        self.status, self.value = status, value

    def add_done_callback(self, call: Callable[[Answer], None]) -> None:
        """See `distributed.Future`."""
        call(self)

    def exception(self) -> Exception:
        """See `distributed.Future`."""
        return KilledWorker()


class OwnClient:
    """A client of a cluster with two threads. A call takes `seconds`; `sizes` are the numbers of calls in
    each task. A task with the path `killing` loses its worker.
    """

    status = "running"

    def __init__(self, seconds: float, killing: str = "") -> None:
        self.seconds, self.killing = seconds, killing
        self.sizes: list[int] = []

    def nthreads(self) -> dict[str, int]:
        """See `distributed.Client`."""
        return {"worker": 2}

    def submit(self, function: object, batch: object, calls: Sequence[Call], pure: bool) -> Answer:
        """See `distributed.Client`."""
        self.sizes.append(len(calls))
        if any(path == self.killing for path, *_ in calls):
            return Answer("error")
        outcomes = [Outcome(path, path) for path, *_ in calls]
        return Answer("finished", pickle.dumps((self.seconds * len(calls), outcomes)))

    def gather(self, answers: list[Answer]) -> list[bytes]:
        """See `distributed.Client`."""
        return [each.value for each in answers]

    def cancel(self, *_: object, **__: object) -> None:
        """See `distributed.Client`."""

    run = close = cancel


def sent(client: Any, count: int) -> list[Outcome]:
    """The outcomes of calls that the client performs. All calls wait before the first outcome is read."""
    batch: Any = None
    workers, found = ClusterWorkers(client, batch), list[Outcome]()
    for number in range(count):
        workers.submit(str(number))
    while workers.pending:
        found += workers.poll()
    return found


def test_short_calls_share_a_task_and_the_last_tasks_are_small() -> None:
    client = OwnClient(seconds=0.001)
    found = sent(client, 1000)
    assert sorted(int(each.path) for each in found) == [*range(1000)]
    sizes = client.sizes
    assert sizes[:4] == [1] * 4 and sum(sizes) == 1000 and len(sizes) < 200
    assert all(size <= GROWTH * max(sizes[:number], default=1) for number, size in enumerate(sizes[1:], 1))
    assert max(sizes) > 8 and sizes[-1] == 1


def test_each_long_call_is_a_task() -> None:
    client = OwnClient(seconds=0.5)
    sent(client, 40)
    assert client.sizes == [1] * 40


def test_only_the_file_that_loses_its_workers_fails() -> None:
    client = OwnClient(seconds=0.001, killing="300")
    found = sent(client, 600)
    assert [each.path for each in found if each.error] == ["300"] and len(found) == 600
    assert "were lost" in next(each.why for each in found if each.error)
