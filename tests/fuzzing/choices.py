"""The random choices of a mutation, which hypothesis makes simpler if they find something."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase

BITS = 16
"""The most bits of one choice: in hypothesis larger numbers are not equally likely."""
INTEGERS = [st.integers(0, (1 << bits) - 1) for bits in range(BITS + 1)]


class Choices(random.Random):
    """Random numbers from `draw`, a function that chooses a number of so many bits."""

    def __init__(self, draw: Callable[[int], int]) -> None:
        super().__init__(0)
        self._draw = draw

    def random(self) -> float:
        """A number from 0 to 1, 1 excluded."""
        return self._draw(BITS) / (1 << BITS)

    def getrandbits(self, bits: int, /) -> int:
        """A whole number of so many bits."""
        value = 0
        while bits > BITS:
            value, bits = value << BITS | self._draw(BITS), bits - BITS
        return value << bits | self._draw(bits)


class RecordedChoices(Choices):
    """The choices of a seed, always the same; `recorded` has the made ones, as hypothesis reads them."""

    def __init__(self, seed: str) -> None:
        self.recorded = bytearray()
        self._numbers = random.Random(seed).getrandbits
        super().__init__(self._record)

    def _record(self, bits: int) -> int:
        number = self._numbers(bits)
        self.recorded += number.to_bytes((bits + 7) // 8)
        return number


def simplify(recorded: bytes, fails: Callable[[Choices], bool]) -> None:
    """Call `fails` with fewer and simpler choices than the recorded ones, as long as it is True."""

    @settings(
        database=InMemoryExampleDatabase(),
        deadline=None,
        phases=(Phase.reuse, Phase.shrink),
        suppress_health_check=[*HealthCheck],
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )
    @given(st.data())
    def choose(data: st.DataObject) -> None:
        assert not fails(Choices(lambda bits: data.draw(INTEGERS[bits])))

    with suppress(AssertionError):
        choose.hypothesis.fuzz_one_input(recorded)  # type: ignore[attr-defined]
        return  # hypothesis reads other choices than were recorded
    with suppress(Exception):
        choose()
