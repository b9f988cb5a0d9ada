"""The benchmarks run outside the tests, so that a name that is gone would not be noticed."""

from __future__ import annotations

from tests.benchmarks.__main__ import GROUPS


def test_every_benchmark_can_be_imported() -> None:
    assert {"parse", "check", "batches"} <= GROUPS.keys()
