"""Searches a file for bytes, text or a number.

Each frame searches one slice, because a whole file would delay the frame.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from msgspec import Struct

from viewer.ui.kit.texts import parse_number

NdArray = np.ndarray[Any, Any]

INTEGERS = {f"{sign}{bits}": bits // 8 for bits in (8, 16, 32, 64) for sign in "ui"}
FLOATS = {"f16": "f2", "f32": "f4", "f64": "f8"}
KINDS = ("bytes", "text", "UTF-16", *INTEGERS, *FLOATS)
ORDERS = ("little", "big", "both")
KEPT_HITS = 1_000_000
"""The number of hits at which a search stops."""
COMMON = b"\x00\xff"
"""The bytes that are most frequent in files."""
_BYTE = re.compile(r"([0-9a-fA-F]{2}|\?\?)\s*")


class Pattern(Struct, frozen=True):
    """A byte pattern; where `mask` is 0, any byte matches. `slice` is the number of bytes per step."""

    values: bytes
    mask: bytes
    slice: int = 1 << 20

    @property
    def width(self) -> int:
        """The length of the pattern in bytes."""
        return len(self.values)

    def find(self, block: NdArray) -> NdArray:
        """Return the offsets of the matches in `block`.

        The rarest bytes are compared first, because this is fastest.
        """
        offsets = max(len(block) - self.width + 1, 0)
        known = [number for number, fixed in enumerate(self.mask) if fixed]
        known.sort(key=lambda number: self.values[number] in COMMON)
        if not known:
            return np.arange(offsets)
        first, *others = known
        found = np.flatnonzero(block[first : first + offsets] == self.values[first])
        for number in others:
            found = found[block[found + number] == self.values[number]]
        return found


class FloatPattern(Struct, frozen=True):
    """A pattern for the floating-point numbers within `distance` of `value`, at any alignment."""

    dtype: np.dtype[Any]
    value: float
    distance: float
    slice: int = 1 << 18

    @property
    def width(self) -> int:
        """The size of the number in bytes."""
        return self.dtype.itemsize

    def find(self, block: NdArray) -> NdArray:
        """Return the offsets of the matches in `block`. The block is compared once per alignment."""
        found = []
        for shift in range(min(self.width, max(len(block) - self.width + 1, 0))):
            count = (len(block) - shift) // self.width
            numbers = np.frombuffer(block.data, self.dtype, count, shift)
            near = np.abs(numbers.astype("f8") - self.value) <= self.distance
            found.append(np.flatnonzero(near) * self.width + shift)
        return np.sort(np.concatenate(found)) if found else np.zeros(0, np.int64)


Finder = Pattern | FloatPattern


def finders(text: str, kind: str, order: str) -> tuple[Finder, ...]:
    """Return the patterns for `text`. The text is read as one of `KINDS`, in one of the byte orders `ORDERS`.

    If the kind is `bytes` and the text is not hexadecimal, the text itself is searched. ValueError if the
    text is not valid for its kind.
    """
    if kind == "bytes":
        return (_bytes(text) if is_hex(text) else _exact(text.encode()),)
    if kind == "text":
        return (_exact(text.encode()),)
    orders = ("little", "big") if order == "both" else (order,)
    if kind == "UTF-16":
        return tuple(_exact(text.encode(f"utf-16-{each[0]}e")) for each in orders)
    if kind in INTEGERS:
        packed = dict.fromkeys(_integer(text, kind, each) for each in orders)
        return tuple(_exact(each) for each in packed)
    number = parse_number(text)
    if number is None:
        raise ValueError("a number, as in 0.25 or 1.5±0.01")
    return tuple(
        FloatPattern(np.dtype(("<" if each == "little" else ">") + FLOATS[kind]), *number) for each in orders
    )


def is_hex(text: str) -> bool:
    """Whether a text consists of pairs of hex digits; `??` stands for any byte."""
    pairs = "".join(found[1] for found in _BYTE.finditer(text))
    return bool(pairs) and pairs == "".join(text.split())


def _bytes(text: str) -> Pattern:
    pairs = [found[1] for found in _BYTE.finditer(text)]
    values = bytes(0 if pair == "??" else int(pair, 16) for pair in pairs)
    return Pattern(values, bytes(pair != "??" for pair in pairs))


def _exact(values: bytes) -> Pattern:
    if not values:
        raise ValueError("nothing to search for")
    return Pattern(values, b"\1" * len(values))


def _integer(text: str, kind: str, order: str) -> bytes:
    try:
        value = int(text, 16 if text.strip().lower().lstrip("+-").startswith("0x") else 10)
    except ValueError:
        raise ValueError("a whole number, as in 17 or 0x11") from None
    try:
        return value.to_bytes(INTEGERS[kind], "big" if order == "big" else "little", signed=kind[0] == "i")
    except OverflowError:
        raise ValueError(f"does not fit {kind}") from None


class Search:
    """A search of `data` from its start. Call `advance` once a frame until `done`."""

    def __init__(self, data: bytes, looking: tuple[Finder, ...]) -> None:
        self._data = np.frombuffer(data, np.uint8)
        self._looking = looking
        self._found: list[NdArray] = []
        self._count = 0
        self._at = 0
        self.width = looking[0].width

    @property
    def done(self) -> bool:
        """Whether the search has reached the end of the data or the largest number of hits."""
        return self._at >= len(self._data) or self.full

    @property
    def full(self) -> bool:
        """Whether the search stopped at the largest number of hits."""
        return self._count >= KEPT_HITS

    @property
    def progress(self) -> float:
        """The searched share of the data, 0..1."""
        return self._at / len(self._data) if len(self._data) else 1.0

    def advance(self) -> None:
        """Search the next slice."""
        if self.done:
            return
        step = min(finder.slice for finder in self._looking)
        block = self._data[self._at : self._at + step + self.width - 1]
        found = [finder.find(block) for finder in self._looking]
        offsets = found[0] if len(found) == 1 else np.unique(np.concatenate(found))
        if len(offsets):
            self._found.append(offsets[: KEPT_HITS - self._count] + self._at)
            self._count += len(self._found[-1])
        self._at += step

    @property
    def hits(self) -> NdArray:
        """The offsets found so far, ascending."""
        if len(self._found) != 1:
            self._found = [np.concatenate([np.zeros(0, np.int64), *self._found])]
        return self._found[0]

    def neighbour(self, offset: int, forward: bool) -> int | None:
        """Return the index of the first hit after `offset`, or of the last hit before it.

        The search wraps around at the end of the file. None if there are no hits.
        """
        hits = self.hits
        if not len(hits):
            return None
        if forward:
            return int(np.searchsorted(hits, offset, "right")) % len(hits)
        return (int(np.searchsorted(hits, offset, "left")) - 1) % len(hits)
