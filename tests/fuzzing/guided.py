"""`python3 dev.py fuzz FORMAT --guided`: mutations that reach new code are mutated further, by atheris.

The same mutators work on the files that libFuzzer keeps, beside its own. The first byte of an input says
which sample it was, and with it which files lie beside it.
"""

from __future__ import annotations

import random
import sys
import tempfile
from functools import partial
from pathlib import Path

import atheris
from msgspec.structs import replace

from tests.fuzzing import INSTRUMENTED

with atheris.instrument_imports(include=[*INSTRUMENTED]):
    from tests.fuzzing.cases import case_of
    from tests.fuzzing.executor import Executor
    from tests.fuzzing.findings import Findings
    from tests.fuzzing.mutations import Seed, mutate
    from tests.fuzzing.run import prepare
    from tests.fuzzing.samples import Sample, samples_of

LONGEST = 1 << 16
OWN = 0.7
"""The share of the mutations that are ours."""


class Guided:
    """The state of a run. `folder` is where findings are written."""

    def __init__(self, format: str, seed: int, folder: Path) -> None:
        self.format, self.seed = format, seed
        self.findings = Findings(folder, partial(print, flush=True))
        self.samples = samples_of(format)
        self.executor = Executor()
        self._count = 0

    def run(self, data: bytes) -> None:
        """Execute one input."""
        if not data:
            return
        self._count += 1
        sample = self.samples[data[0] % len(self.samples)]
        stages = frozenset({"pose", "textures"}) if self._count % 8 == 0 else frozenset[str]()
        _, finding = self.executor.run(sample, data[1:], stages, "0")
        if finding is not None:
            self.findings.add(finding, self._words(sample))

    def mutated(self, data: bytes, longest: int, seed: int) -> bytes:
        """Another input, from one that reached something new."""
        if not data or random.Random(seed).random() > OWN:
            return bytes(atheris.Mutate(data, longest))
        sample = self.samples[data[0] % len(self.samples)]
        others = tuple(each.data for each in self.samples)
        now = Seed(replace(sample, data=data[1:]), self.executor.places(sample), others)
        return (data[:1] + mutate(now, random.Random(seed)))[:longest]

    def _words(self, sample: Sample) -> str:
        """The options of a case of this sample."""
        numbers = (n for n in range(10_000) if case_of(self.format, self.seed, n).sample is sample)
        return f"--seed {self.seed} --case {next(numbers, 0)}"


def main(words: list[str]) -> None:
    """Run: FORMAT, seed, seconds, and the folder of the findings."""
    format, seed, seconds, folder = words
    prepare()
    guided = Guided(format, int(seed), Path(folder))
    with tempfile.TemporaryDirectory() as corpus:
        for number, sample in enumerate(guided.samples):
            (Path(corpus) / sample.name.replace("/", "_")).write_bytes(bytes([number]) + sample.data)
        options = [
            f"-seed={int(seed) % (1 << 31)}",
            f"-max_total_time={float(seconds):.0f}",
            f"-max_len={LONGEST}",
        ]
        atheris.Setup(["fuzz", *options, corpus], guided.run, custom_mutator=guided.mutated)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
