"""Which file the execution of a number mutates, and what is done with it: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, partial

from msgspec import Struct

from tests.fuzzing.choices import RecordedChoices
from tests.fuzzing.mutations import Places, Seed, mutate
from tests.fuzzing.samples import MAKERS, Sample, corpus_samples, large_sample, samples_of

LARGE_SHARE = 1 / 400
"""The share of the executions that mutate a large sample."""
SHARES: dict[str, int] = {
    "mdl": 8,
    "ani": 13,
    "pak": 9,
    "mpq": 2,
    "axp": 1,
    "shader": 9,
    "script": 10,
    "mesh": 4,
    "ogre-next": 2,
    "skeleton": 8,
    "m2": 4,
    "skin": 3,
    "anim": 2,
    "skel": 2,
    "blp": 6,
    "dbc": 3,
    "iqm": 4,
    "material": 4,
    "texture": 6,
}
"""Of 100 executions so many are of each format: all formats take about the same time."""
STAGES: dict[str, float] = {
    "pose": 0.2,
    "textures": 0.15,
    "draw": 0.19,
    "bake": 0.04,
    "export": 0.08,
    "check": 0.1,
    "diff": 0.06,
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
    large = large_sample(format)
    small = samples_of(format)
    if given and numbers.random() < 0.5:
        # The square makes small files more frequent.
        return Case(format, seed, number, given[int(len(given) * numbers.random() ** 2)], corpus)
    if large is not None and numbers.random() < LARGE_SHARE:
        return Case(format, seed, number, large, corpus)
    # Small files are opened more often in the same time.
    weights = [1 / (300 + len(each.data)) for each in small]
    return Case(format, seed, number, numbers.choices(small, weights)[0], corpus)


@cache
def cycle(formats: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The formats in the order of their executions, each with the number of its earlier places."""
    places = [format for format in formats for _ in range(SHARES[format])]
    random.Random(0).shuffle(places)
    return tuple((format, places[:at].count(format)) for at, format in enumerate(places))


def place_of(formats: Sequence[str], number: int) -> tuple[str, int]:
    """The format of an execution of the whole run, and its number among those of the format."""
    row = cycle(tuple(formats))
    turn, place = divmod(number, len(row))
    format, earlier = row[(place + turn) % len(row)]  # else a format with one place would keep to one worker
    return format, turn * SHARES[format] + earlier


assert set(SHARES) == set(MAKERS)
