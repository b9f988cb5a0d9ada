"""A workplace for executions."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest

from tests.fuzzing.executor import Executor


@pytest.fixture
def executor() -> Iterator[Executor]:
    hook, handler = sys.unraisablehook, signal.getsignal(signal.SIGPROF)
    made = Executor()
    yield made
    made.close()
    sys.unraisablehook = hook
    signal.signal(signal.SIGPROF, handler)
