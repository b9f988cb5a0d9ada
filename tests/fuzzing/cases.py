"""Which file the execution of a number mutates, and what is done with it: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from tests.fuzzing.choices import RecordedChoices
from tests.fuzzing.mutations import Places, Seed, mutate
from tests.fuzzing.samples import FORMATS, Sample, corpus_samples, large_sample, samples_of

LARGE_SHARE = 1 / 400
"""The share of the executions that mutate a large sample."""
STAGES: dict[str, float] = {
    "pose": 0.2,
    "textures": 0.15,
    "draw": 0.19,
    "bake": 0.04,
    "export": 0.08,
    "check": 0.1,
    "diff": 0.06,
    "edit": 0.3,
}
"""The share of the files with something to pose, decode, draw, bake, export, check or compare that are."""


class Case(Struct, frozen=True):
    """Execution `number` of a format."""

    format: str
    seed: int
    number: int
    sample: Sample
    corpus: str = ""

    @property
    def key(self) -> str:
        """What all random choices of the case come from."""
        return f"{self.seed}:{self.format}:{self.number}"

    def mutation(self, places: Places) -> Callable[[random.Random], bytes]:
        """The function that makes the mutated file of random choices; `places` are those of the sample."""
        others = tuple(each.data for each in samples_of(self.format) if each is not self.sample)
        return partial(mutate, Seed(self.sample, places, others))

    def data(self, places: Places) -> bytes:
        """The mutated file."""
        return self.mutation(places)(RecordedChoices(self.key))

    def stages(self) -> frozenset[str]:
        """What is done with the document, besides tree and info."""
        numbers = random.Random(f"{self.key}:stages")
        return frozenset(name for name, share in STAGES.items() if numbers.random() < share)


def case_of(format: str, seed: int, number: int, corpus: str = "") -> Case:
    """The case of this number. With a corpus, half of the samples are from it."""
    numbers = random.Random(f"{seed}:{format}:{number}:sample")
    given = corpus_samples(corpus, format) if corpus else ()
    large, small = large_sample(format), samples_of(format)
    if given and numbers.random() < 0.5:
        # The square makes small files more frequent.
        return Case(format, seed, number, given[int(len(given) * numbers.random() ** 2)], corpus)
    if large is not None and numbers.random() < LARGE_SHARE:
        return Case(format, seed, number, large, corpus)
    # Small files are opened more often in the same time.
    weights = [1 / (300 + len(each.data)) for each in small]
    return Case(format, seed, number, numbers.choices(small, weights)[0], corpus)


def format_of(formats: Sequence[str], seed: int, number: int) -> str:
    """The format of an execution of the whole run."""
    shares = [FORMATS[each].share for each in formats]
    return random.Random(f"{seed}:{number}:format").choices(formats, shares)[0]
