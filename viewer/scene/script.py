"""A compiled script in neutral terms: what can be told of it, its texts, how even its bytes are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from viewer.arrays import Array
from viewer.dataclass import dataclass

COLUMNS = 512
"""Points of an entropy plot, at most."""
SMALLEST = 64
"""Bytes of a block of it, at least: fewer say nothing."""


class ScriptLiteral(NamedTuple):
    """A text that was recognised among the data: `size` bytes at `offset` of the file, with its length."""

    offset: int
    size: int
    text: str


class ScriptDeclaration(NamedTuple):
    """A class or interface that a script declares, its flags as the engine has them."""

    name: str
    namespace: str
    flags: int


@dataclass(frozen=True, slots=True, eq=False)
class CompiledScript:
    """`stripped`: debug information was left out; `enums`: how many are declared; None where that, or the
    `classes`, cannot be told for certain. `opaque` is how many bytes are data that nothing explains, the
    `literals` among them included."""

    stripped: bool | None = None
    enums: int | None = None
    classes: tuple[ScriptDeclaration, ...] | None = None
    literals: tuple[ScriptLiteral, ...] = ()
    opaque: int = 0


class Entropy(NamedTuple):
    """`bits` [N]: how many bits of information a byte has, 0 to 8, in blocks of `block` bytes."""

    block: int
    bits: Array


def entropy(data: bytes) -> Entropy:
    """The Shannon entropy of at most COLUMNS blocks; the last may be shorter."""
    block = max(-(-len(data) // COLUMNS), SMALLEST)
    bytes_ = np.frombuffer(data, np.uint8)
    found = [_bits(bytes_[at : at + block]) for at in range(0, len(bytes_), block)]
    return Entropy(block, np.array(found, np.float32))


def _bits(block: Array) -> float:
    counts = np.bincount(block, minlength=256)
    shares = counts[counts > 0] / len(block)
    return float(-(shares * np.log2(shares)).sum()) + 0.0
