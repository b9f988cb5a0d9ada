"""The files that an execution mutates: always the same, most with their magic."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzzing.cases import case_of, format_of
from tests.fuzzing.executor import Executor
from tests.fuzzing.samples import FORMATS, samples_of


def files(format: str, seed: int, count: int, executor: Executor) -> list[bytes]:
    cases = (case_of(format, seed, number) for number in range(count))
    return [case.data(executor.places(case.sample)) for case in cases]


@pytest.mark.parametrize("format", FORMATS)
def test_every_sample_is_read_without_a_complaint(format: str, executor: Executor) -> None:
    for sample in samples_of(format):
        progress, finding = executor.run(sample, sample.data, frozenset(), "0")
        assert finding is None and not progress.refused, sample.name


@pytest.mark.parametrize("format", ["mdl", "m2", "material"])
def test_a_seed_makes_the_same_files_and_another_seed_makes_others(format: str, executor: Executor) -> None:
    made = files(format, 1, 20, executor)
    assert files(format, 1, 20, executor) == made
    assert files(format, 2, 20, executor) != made
    assert len(set(made)) > 15


def test_the_formats_take_turns_by_their_shares() -> None:
    whole = sum(row.share for row in FORMATS.values())
    counts = Counter(format_of([*FORMATS], 1, number) for number in range(50 * whole))
    assert all(abs(counts[name] / 50 - row.share) < 1 + row.share / 4 for name, row in FORMATS.items())
    assert set(counts) == set(FORMATS)


def test_the_tree_tells_where_counts_offsets_and_names_lie(executor: Executor) -> None:
    sample = next(each for each in samples_of("mdl") if each.name == "UMD2.mdl")
    places = executor.places(sample)
    assert (4, 4) in places.counts  # the number of vertex buffers
    at = sample.data.index(b"taller")
    assert (at, 7) in places.names
    assert places.floats and places.blocks
