"""Worker processes perform a task on many files; one file costs no other."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.library.workers.tasks import Longer, Unknown, obey
from viewer.errors import GraphicsError, ViewerError
from viewer.library.outcome import Outcome
from viewer.library.workers.pool import RETRIES, WorkerPool
from viewer.library.workers.worker import ProcessContext

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a limit that Linux enforces")


def all_of(pool: WorkerPool, seconds: float = 120.0) -> list[Outcome]:
    """The outcomes of all that was submitted."""
    outcomes: list[Outcome] = []
    end = time.monotonic() + seconds
    while pool.pending and time.monotonic() < end:
        outcomes += pool.poll(1.0)
    return outcomes


def performed(pool: WorkerPool, *paths: str) -> dict[str, Any]:
    """Value, or error, by path."""
    for path in paths:
        pool.submit(path)
    return {each.path: each.why or each.value for each in all_of(pool)}


@pytest.fixture(scope="module")
def shared() -> Iterator[WorkerPool]:
    """Two processes for tests after which they are as before."""
    with closing(WorkerPool(obey, 2, memory=1 << 30)) as pool:
        yield pool


@pytest.fixture
def make() -> Iterator[Callable[..., WorkerPool]]:
    """Pools that are closed at the end."""
    pools: list[WorkerPool] = []

    def made(*words: Any, **more: Any) -> WorkerPool:
        pools.append(WorkerPool(*words, **more))
        return pools[-1]

    yield made
    for pool in pools:
        pool.close()


def test_every_file_has_its_outcome(shared: WorkerPool) -> None:
    paths = [f"file {number}" for number in range(100)]
    assert performed(shared, *paths) == {path: (path,) for path in paths}


def test_a_name_that_is_not_utf_8_arrives(shared: WorkerPool) -> None:
    path = os.fsdecode(b"\xff\xfe.mdl")
    assert performed(shared, path) == {path: (path,)}


def test_a_call_takes_more_than_the_path(shared: WorkerPool) -> None:
    shared.submit("a", 1, ("b",))
    assert all_of(shared) == [Outcome("a", ("a", 1, ("b",)))]


def test_an_error_of_the_program_stays_an_object(shared: WorkerPool) -> None:
    shared.submit("graphics")
    (outcome,) = all_of(shared)
    assert isinstance(outcome.error, GraphicsError) and outcome.why == "no OpenGL"


def test_an_error_of_the_system_names_the_file(shared: WorkerPool) -> None:
    assert performed(shared, "file:/no/such") == {"file:/no/such": "/no/such: No such file or directory"}


def test_another_error_tells_its_class(shared: WorkerPool) -> None:
    assert performed(shared, "wrong:x") == {"wrong:x": "KeyError: 'x'"}


def test_a_result_that_cannot_be_sent_is_an_error(shared: WorkerPool) -> None:
    assert "pickle" in performed(shared, "closure:")["closure:"]


def test_what_is_printed_does_not_disturb(shared: WorkerPool) -> None:
    assert performed(shared, "print", "read") == {"print": ("print",), "read": ""}


@posix
def test_ctrl_c_is_not_for_workers(shared: WorkerPool) -> None:
    assert performed(shared, "interrupt", "x") == {"interrupt": ("interrupt",), "x": ("x",)}


def test_a_process_performs_one_file_after_another(make: Callable[..., WorkerPool]) -> None:
    pool = make(obey, 1)
    first = performed(pool, "pid:1")["pid:1"]
    assert performed(pool, "pid:2") == {"pid:2": first} and first != os.getpid()


def test_poll_does_not_wait(make: Callable[..., WorkerPool]) -> None:
    pool = make(obey, 1)
    pool.submit("sleep:1")
    begin = time.monotonic()
    assert pool.poll() == [] and time.monotonic() - begin < 0.9
    assert [each.path for each in all_of(pool)] == ["sleep:1"]
    begin = time.monotonic()
    assert pool.poll(5) == []  # and nothing is pending
    assert time.monotonic() - begin < 4


def test_a_file_that_hangs_has_an_error_and_the_others_go_on(make: Callable[..., WorkerPool]) -> None:
    pool = make(obey, 1, seconds=3.0)
    found = performed(pool, "a", "b", "sleep:60", "c", "d")
    assert found.pop("sleep:60") == "takes longer than 3 s"
    assert found == {path: (path,) for path in "abcd"}


def test_a_file_that_takes_no_notice_is_ended(make: Callable[..., WorkerPool]) -> None:
    pool = make(obey, 1, seconds=4.0)
    assert performed(pool, "spin", "a") == {"spin": "takes longer than 4 s", "a": ("a",)}


@posix
def test_a_file_that_kills_has_an_error_and_the_others_go_on(make: Callable[..., WorkerPool]) -> None:
    pool = make(obey, 1)
    found = performed(pool, "a", "b", f"die:{signal.SIGSEGV}", "exit:3", "c")
    assert found.pop("exit:3") == "the worker process ended (status 3)"
    assert found.pop(f"die:{signal.SIGSEGV}") == f"the worker process ended (signal {int(signal.SIGSEGV)})"
    assert found == {path: (path,) for path in "abc"}


@posix
def test_a_file_is_not_blamed_for_those_before(make: Callable[..., WorkerPool]) -> None:
    assert performed(make(obey, 1), "a", "later") == {"a": ("a",), "later": "alive"}


@posix
def test_idle_processes_that_are_killed_are_replaced(make: Callable[..., WorkerPool]) -> None:
    pool = make(obey, 1)
    for number in range(2):
        os.kill(performed(pool, f"pid:{number}")[f"pid:{number}"], signal.SIGKILL)
        time.sleep(0.3)
        assert performed(pool, "a", "b") == {"a": ("a",), "b": ("b",)}


@linux
def test_a_file_that_grows_has_an_error(make: Callable[..., WorkerPool]) -> None:
    pool = make(obey, 1, memory=1 << 28)
    found = performed(pool, "a", f"grow:{1 << 30}", f"grow:{1 << 20}")
    assert found == {
        "a": ("a",),
        f"grow:{1 << 30}": "needs more than 256 MiB of memory",
        f"grow:{1 << 20}": 1 << 20,
    }


def test_closing_takes_no_time_and_cleans_up(make: Callable[..., WorkerPool], tmp_path: Path) -> None:
    pool, held = make(obey, 1), tmp_path / "held"
    pool.submit(f"hold:{held}")
    end = time.monotonic() + 60
    while not held.exists() and time.monotonic() < end:
        pool.poll(0.02)
    begin = time.monotonic()
    pool.close()
    assert time.monotonic() - begin < 20 and not held.exists()
    assert pool.pending == 0 and pool.poll() == []


def test_a_task_with_options(make: Callable[..., WorkerPool]) -> None:
    assert performed(make(Longer("!"), 1), "a") == {"a": "a!"}


def test_a_task_that_cannot_be_imported_ends_the_pool(make: Callable[..., WorkerPool]) -> None:
    with pytest.raises(ViewerError, match=r"no worker process starts: .*no_such_module"):
        performed(make(Unknown(), 1), "a")


def test_a_context_and_a_priority(make: Callable[..., WorkerPool], tmp_path: Path) -> None:
    pool = make(obey, 1, context=ProcessContext(str(tmp_path), plugins=False), nice=7)
    found = (os.path.realpath(tmp_path), False)
    assert performed(pool, "context", "nice") == {"context": found, "nice": os.nice(0) + 7}


@posix
def test_workers_end_with_their_program(tmp_path: Path) -> None:
    held = tmp_path / "held"
    code = (
        "from tests.library.workers.tasks import obey; from viewer.library.workers.pool import WorkerPool\n"
        f"pool = WorkerPool(obey, 1); pool.submit({f'hold:{held}'!r})\n"
        "while True: pool.poll(1)"
    )
    program = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    wait_until(held.exists)
    program.kill()
    program.wait()
    wait_until(lambda: not held.exists())


def wait_until(test: Callable[[], bool]) -> None:
    """Wait until a test holds."""
    end = time.monotonic() + 60
    while not test() and time.monotonic() < end:
        time.sleep(0.01)
    assert test()


class EndingPool:
    """A pool of pebble in memory whose processes have ended unless it `works`."""

    def __init__(self, works: bool) -> None:
        self.works = self.active = works

    def schedule(self, function: object, arguments: tuple[Any, ...], timeout: object) -> Future[bytes]:
        if not self.works:
            raise RuntimeError("all processes have ended")
        future: Future[bytes] = Future()
        future.set_result(pickle.dumps((0, arguments[0], None, [])))
        return future

    def stop(self) -> None:
        self.works = False

    def join(self) -> None:
        pass


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[EndingPool]]:
    """Replace the pools that are started by these, and return the started ones."""

    def replace(*works: bool) -> list[EndingPool]:
        waiting, started = [EndingPool(each) for each in works], list[EndingPool]()

        def start(jobs: int, setup: object) -> tuple[EndingPool, StringIO]:
            started.append(waiting.pop(0))
            return started[-1], StringIO()

        monkeypatch.setattr("viewer.library.workers.pool._started", start)
        return started

    return replace


def test_three_pools_without_an_outcome_are_an_error(
    ending: Callable[..., list[EndingPool]], make: Callable[..., WorkerPool]
) -> None:
    started = ending(*(False,) * RETRIES)
    with pytest.raises(ViewerError, match="no worker process starts: all processes have ended"):
        make(obey, 1).submit("a")
    assert len(started) == RETRIES == 3


def test_an_outcome_allows_all_restarts_again(
    ending: Callable[..., list[EndingPool]], make: Callable[..., WorkerPool]
) -> None:
    started, pool = ending(False, False, True, False, True), make(obey, 1)
    assert performed(pool, "a") == {"a": ("a",)} and len(started) == 3
    started[-1].stop()
    assert performed(pool, "b") == {"b": ("b",)} and len(started) == 5
