"""What counts as a finding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.fuzzing import checks
from tests.fuzzing import executor as executors
from tests.fuzzing.cases import STAGES
from tests.fuzzing.executor import Executor
from tests.fuzzing.findings import Finding
from tests.fuzzing.samples import Sample, samples_of
from viewer.binary import Span
from viewer.errors import FormatError

SAMPLE = samples_of("ani")[0]
Find = Callable[..., Finding | None]


@pytest.fixture
def find(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> Find:
    """Runs an execution whose file is opened by another function."""

    def run(opener: Callable[[str], Any], sample: Sample = SAMPLE) -> Finding | None:
        monkeypatch.setattr(checks, "open_document", opener)
        return executor.run(sample, sample.data, frozenset(), "0")[1]

    return run


def opened(path: str) -> Any:
    from viewer.storage.documents import open_document

    return open_document(path)


def test_an_exception_is_a_finding(find: Find) -> None:
    def broken(path: str) -> Any:
        raise IndexError("out of range")

    found = find(broken)
    assert found is not None
    assert (found.kind, found.stage, found.name) == ("IndexError", "open", SAMPLE.name)


def test_a_format_error_is_none_if_it_names_the_file(find: Find) -> None:
    def refused(path: str) -> Any:
        raise FormatError("is something else", file=path)

    def nameless(path: str) -> Any:
        raise FormatError("is something else")

    assert find(refused) is None
    assert find(nameless) is not None


def test_a_warning_of_numpy_is_a_finding(find: Find) -> None:
    def careless(path: str) -> Any:
        np.float32(3e38) * np.float32(10)
        return opened(path)

    found = find(careless)
    assert found is not None and "overflow" in found.text


def test_spans_that_do_not_tile_are_a_finding(find: Find) -> None:
    def gap(path: str) -> Any:
        document = opened(path)
        size = len(document.data)
        document.root = Span("x.ani", 0, size, children=(Span("late", 1, size - 1),))
        return document

    found = find(gap)
    assert found is not None and found.stage == "tree"


def test_memory_beyond_the_promise_is_a_finding(find: Find) -> None:
    def greedy(path: str) -> Any:
        np.ones(80 << 20, np.uint8)
        return opened(path)

    found = find(greedy)
    assert found is not None and found.kind == "MemoryLimit"


def test_memory_within_the_promise_is_none(find: Find) -> None:
    def modest(path: str) -> Any:
        np.ones(40 << 20, np.uint8)
        return opened(path)

    assert find(modest) is None


def test_a_file_that_takes_too_long_is_a_finding(find: Find, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "SECONDS", 0.1)

    def endless(path: str) -> Any:
        while True:
            pass

    found = find(endless)
    assert found is not None and found.kind == "TimeLimit"


def test_every_stage_is_counted_and_leaves_no_gl_object(executor: Executor) -> None:
    sample = next(each for each in samples_of("m2") if each.name == "m264.m2")
    progress, finding = executor.run(sample, sample.data, frozenset(STAGES), "0")
    assert finding is None, finding.text
    assert progress.done == set(STAGES)
    executor.drawing.close()


def test_a_gl_object_that_nobody_releases_is_a_finding(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = executor.drawing.ctx
    draw = executor.drawing._draw

    def leaking(*given: Any) -> None:
        draw(*given)
        ctx.buffer(reserve=16)

    monkeypatch.setattr(executor.drawing, "_draw", leaking)
    sample = samples_of("mdl")[0]
    _, finding = executor.run(sample, sample.data, frozenset({"draw"}), "0")
    assert finding is not None and "Buffer" in finding.text
    executor.drawing.close()
