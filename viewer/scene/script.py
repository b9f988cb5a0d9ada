"""A compiled script: its declarations, its texts and the entropy of its bytes."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from viewer.arrays import Array

COLUMNS = 512
"""The largest number of points of an entropy plot."""
SMALLEST = 64
"""The smallest block of the plot in bytes, because the entropy of fewer bytes means nothing."""


class ScriptLiteral(Struct, frozen=True):
    """A text recognised in the data: `size` bytes at file offset `offset`, including its length field."""

    offset: int
    size: int
    text: str


class ScriptDeclaration(Struct, frozen=True):
    """A class or interface that a script declares, with the engine's flags."""

    name: str
    namespace: str
    flags: int


class CompiledScript(Struct, frozen=True, eq=False):
    """A compiled script. `stripped`: it has no debug information. `enums` is the number of declared enums;
    `enums` and `classes` are None if they cannot be read reliably. `opaque` is the number of unexplained data
    bytes, including the `literals` among them.
    """

    stripped: bool | None = None
    enums: int | None = None
    classes: tuple[ScriptDeclaration, ...] | None = None
    literals: tuple[ScriptLiteral, ...] = ()
    opaque: int = 0


class Entropy(Struct, frozen=True):
    """`bits` [N]: the information per byte, 0 to 8 bits, in blocks of `block` bytes."""

    block: int
    bits: Array


def entropy(data: bytes) -> Entropy:
    """The Shannon entropy of at most COLUMNS blocks; the last block may be shorter."""
    block = max(-(-len(data) // COLUMNS), SMALLEST)
    bytes_ = np.frombuffer(data, np.uint8)
    found = [_bits(bytes_[at : at + block]) for at in range(0, len(bytes_), block)]
    return Entropy(block, np.array(found, np.float32))


def _bits(block: Array) -> float:
    counts = np.bincount(block, minlength=256)
    shares = counts[counts > 0] / len(block)
    return float(-(shares * np.log2(shares)).sum()) + 0.0
