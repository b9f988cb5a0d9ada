"""Mutations: from a sample and a generator of random numbers to a damaged file, always the same."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

from tests.fuzzing.draft import Draft, Seed
from tests.fuzzing.samples import Sample
from tests.fuzzing.words import mutate_text

VALUES = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-6, -1e-6, 1e6, -1e6, 1e18, -1e18, 1e20, 1e30, 3e38, -3e38)
BITS = (0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0x00000001, 0x80000001, 0x00800000, 0x7F7FFFFF)
FLOATS = (*struct.unpack(f"<{len(VALUES)}I", struct.pack(f"<{len(VALUES)}f", *VALUES)), *BITS)
"""Ordinary, huge, infinite, undefined and denormal floats, as bits."""
HALVES = (0x0000, 0x3C00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x0001)
LETTERS = (
    b"\x1b[2J",
    b"\n",
    b"\r",
    b"\t",
    b"\0",
    b"\x7f",
    b"\x9b",
    b"\xff\xfe",
    b"..",
    b"/",
    b"\\",
    b"%s",
    b"{}",
)
ODD = (
    *LETTERS,
    "\u202e".encode(),
    "ü\u0301".encode(),
    "\U0001f600".encode(),
    b"::",
    b"#1",
    b" ",
    b"\xed\xa0\x80",
)
LARGE = 1 << 18
"""The size in bytes of a block that comes thousands of times."""
MOST = 1 << 20
"""The size in bytes that no mutation grows a file beyond, unless the sample is larger."""


def mutate(seed: Seed, number: str) -> bytes:
    """The file of this number: the same for the same seed and number."""
    draft = Draft(bytearray(seed.sample.data), seed, random.Random(number))
    for _ in range(draft.random.choice((1, 1, 1, 2, 2, 3, 4, 6))):
        if seed.sample.text and draft.random.random() < 0.8:
            draft.data = mutate_text(draft.data, draft.random)
        else:
            draft.random.choices(MUTATORS, WEIGHTS)[0](draft)
    kept = magic_size(seed.sample)
    if draft.random.random() > 0.02:
        draft.data[:kept] = seed.sample.data[:kept]
    return bytes(draft.data[: max(MOST, len(seed.sample.data))])


def magic_size(sample: Sample) -> int:
    """The bytes at the beginning that tell the format: most files keep them."""
    if sample.format in ("mesh", "ogre-next", "skeleton"):
        return sample.data.find(b"\n") + 1
    return 0 if sample.text or sample.name == "old.mdl" or sample.format == "anim" else 4


def known_number(draft: Draft) -> None:
    """A number of the tree: most often a count, an offset or a length."""
    places = draft.seed.places
    kind = places.counts if places.counts and draft.random.random() < 0.6 else places.numbers
    if kind:
        at, size = draft.random.choice(kind)
        now = int.from_bytes(draft.data[at : at + size], "little")
        draft.put(at, draft.number(size, now), size)


def copied_number(draft: Draft) -> None:
    """A number of the tree becomes another one."""
    numbers = draft.seed.places.numbers + draft.seed.places.counts
    if numbers:
        at, size = draft.random.choice(numbers)
        other, width = draft.random.choice(numbers)
        draft.put(at, int.from_bytes(draft.data[other : other + width], "little"), size)


def known_float(draft: Draft) -> None:
    """Floats of the tree become infinite, undefined, huge or tiny; sometimes many at once."""
    floats = draft.seed.places.floats
    if not floats:
        return
    value = draft.random.choice(FLOATS)
    for at, size in draft.random.choices(floats, k=draft.random.choice((1, 1, 2, 4, 40))):
        if size == 4:
            draft.put(at, value, 4)
        elif size == 2:
            draft.put(at, draft.random.choice(HALVES), 2)


def odd_name(draft: Draft) -> None:
    """A name with characters that control something, or one that does not end."""
    names = draft.seed.places.names
    if not names:
        return
    at, size = draft.random.choice(names)
    kind = draft.random.randrange(4)
    letters = draft.random.choice(ODD)
    if kind == 0:
        draft.data[at + max(size - 1, 0) : at + size] = b""
    elif kind == 1:
        draft.data[at:at] = letters * draft.random.choice((1, 1, 3, 300))
    else:
        middle = at + draft.random.randrange(max(size, 1))
        draft.data[middle : middle + len(letters)] = letters


def bit_flip(draft: Draft) -> None:
    """One bit."""
    if draft.data:
        draft.data[draft.at()] ^= 1 << draft.random.randrange(8)


def any_byte(draft: Draft) -> None:
    """A few bytes."""
    for _ in range(draft.random.choice((1, 1, 2, 8))):
        if draft.data:
            draft.data[draft.at()] = draft.random.getrandbits(8)


def aligned_number(draft: Draft) -> None:
    """A number at any place that is a multiple of its size."""
    size = draft.random.choice((1, 2, 4, 4, 4, 8))
    at = draft.at(size, size)
    draft.put(at, draft.number(size, int.from_bytes(draft.data[at : at + size], "little")), size)


def aligned_float(draft: Draft) -> None:
    """A float at any place that is a multiple of four."""
    draft.put(draft.at(4, 4), draft.random.choice(FLOATS), 4)


def deletion(draft: Draft) -> None:
    """A block is missing."""
    start, end = draft.span()
    del draft.data[start:end]


def repetition(draft: Draft) -> None:
    """A block comes again, once or often."""
    start, end = draft.span(1024)
    times = draft.random.choice((1, 1, 1, 1, 1, 2, 2, 3, 4, 16, 30, 200))
    draft.data[end:end] = draft.data[start:end] * times


def inflation(draft: Draft) -> None:
    """A small block comes thousands of times, and the count before it says so."""
    blocks = [each for each in draft.seed.places.blocks if each[1] <= 256]
    if not blocks:
        return
    start, size = draft.random.choice(blocks)
    times = min(draft.random.choice((1000, 5000, 20_000)), LARGE // max(size, 1))
    counts = [each for each in draft.seed.places.counts if each[0] < start]
    draft.data[start:start] = draft.data[start : start + size] * times
    if counts and draft.random.random() < 0.8:
        at, width = max(counts) if draft.random.random() < 0.7 else draft.random.choice(counts)
        draft.put(at, times + 1, width)


def exchange(draft: Draft) -> None:
    """Two blocks change places."""
    (first, end), (second, _) = sorted((draft.span(256), draft.span(256)))
    size = min(end - first, second - first)
    if size > 0:
        one, other = draft.data[first : first + size], draft.data[second : second + size]
        draft.data[second : second + size] = one
        draft.data[first : first + size] = other


def splice(draft: Draft) -> None:
    """A block of another sample, over ours or between."""
    if not draft.seed.others:
        return
    other = draft.random.choice(draft.seed.others)
    size = min(1 << draft.random.randint(2, 10), len(other))
    start = draft.random.randint(0, len(other) - size)
    at = draft.at()
    end = at + size if draft.random.random() < 0.5 else at
    draft.data[at:end] = other[start : start + size]


def overwriting(draft: Draft) -> None:
    """A block becomes all zeros, all ones, or a copy of another place."""
    start, end = draft.span(256)
    kind = draft.random.randrange(3)
    if kind == 2:
        at = draft.at(end - start)
        draft.data[start:end] = draft.data[at : at + end - start]
    else:
        draft.data[start:end] = (b"\0", b"\xff")[kind] * (end - start)


def truncation(draft: Draft) -> None:
    """The file ends early."""
    del draft.data[draft.at() :]


def appendix(draft: Draft) -> None:
    """More bytes behind the end."""
    draft.data += draft.random.randbytes(draft.random.choice((1, 4, 64)))


WEIGHTED: tuple[tuple[Callable[[Draft], None], float], ...] = (
    (known_number, 34),
    (copied_number, 6),
    (known_float, 12),
    (odd_name, 5),
    (bit_flip, 6),
    (any_byte, 4),
    (aligned_number, 9),
    (aligned_float, 4),
    (deletion, 4),
    (repetition, 4),
    (inflation, 0.3),
    (exchange, 2),
    (splice, 4),
    (overwriting, 4),
    (truncation, 3),
    (appendix, 1),
)
MUTATORS = [mutator for mutator, _ in WEIGHTED]
WEIGHTS = [weight for _, weight in WEIGHTED]
"""How often each of them is chosen."""
