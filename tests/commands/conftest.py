"""One renderer for the commands of a module, and batches without worker processes."""

from __future__ import annotations

import pytest

from tests import program
from viewer.commands import batches, cli
from viewer.library.workers.batches import SameProcess
from viewer.render.standalone import keep_renderer

if program.OTHER:
    cli.main = program.other_main  # before a test module imports it


@pytest.fixture
def monkeypatch(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """What a test changes; see `tests.program`."""
    return program.changes(monkeypatch)


@pytest.fixture(autouse=True, scope="module")
def kept_renderer(no_kept_renderer: None) -> None:
    """Commands draw with one renderer, as those of a worker process do; to set one up takes 0.1 s."""
    keep_renderer()


@pytest.fixture
def worker_processes() -> None:
    """The batches of a test run in worker processes, as a user's do."""


@pytest.fixture(autouse=True)
def batches_in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches run in this process unless a test asks for `worker_processes`, whose start takes 0.6 s."""
    if not program.OTHER and "worker_processes" not in request.fixturenames:
        monkeypatch.setattr(batches, "LocalRunner", lambda *limits: SameProcess())


@pytest.fixture(autouse=True)
def no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log has no lines of progress, however long a busy machine takes."""
    if not program.OTHER:
        monkeypatch.setattr("viewer.commands.output.CALM", 1000.0)
