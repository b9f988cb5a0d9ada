"""Mutations: from a sample and random choices to a damaged file, always the same.

They know the tree of the sample: most damage is to counts, offsets, floats and names.
"""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from tests.fuzzing.samples import Sample
from viewer.binary import Rows, Span

NUMBERS = (0, 1, 2, 3, 7, 8, 16, 63, 64, 127, 128, 255, 256, 257, 1023, 4095, 32767, 32768, 65534, 65535)
HUGE = (65536, 1 << 20, (1 << 24) - 1, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF)
"""Numbers that counts, sizes and offsets break at."""
VALUES = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-6, -1e-6, 1e6, -1e6, 1e18, -1e18, 1e20, 1e30, 3e38, -3e38)
BITS = (0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0x00000001, 0x80000001, 0x00800000, 0x7F7FFFFF)
FLOATS = (*struct.unpack(f"<{len(VALUES)}I", struct.pack(f"<{len(VALUES)}f", *VALUES)), *BITS)
"""Ordinary, huge, infinite, undefined and denormal floats, as bits."""
HALVES = (0x0000, 0x3C00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00, 0x0001)
ODD_NAMES = (
    b"\x1b[2J", b"\n", b"\r", b"\t", b"\0", b"\x7f", b"\x9b", b"\xff\xfe", b"..", b"/", b"\\", b"%s", b"{}",
    "\u202e".encode(), "ü\u0301".encode(), "\U0001f600".encode(), b"::", b"#1", b" ", b"\xed\xa0\x80",
)  # fmt: skip
LARGE = 1 << 18
"""The size in bytes of a block that comes thousands of times."""
MOST = 1 << 20
"""The size in bytes that no mutation grows a file beyond, unless the sample is larger."""


MOST_SPANS, ROWS = 20_000, 6
"""The spans of a sample, and the rows of each long table, that are looked at."""
NUMBER = re.compile("[uif](8|16|32|64)")
COUNT = re.compile("count|size|offset")


class Places(Struct, frozen=True):
    """Offsets and sizes: `numbers` are whole numbers, `counts` those that say how much follows or where it
    lies, `floats` single floats, `names` texts, `blocks` all spans that have parts or are a table.
    """

    numbers: tuple[tuple[int, int], ...] = ()
    counts: tuple[tuple[int, int], ...] = ()
    floats: tuple[tuple[int, int], ...] = ()
    names: tuple[tuple[int, int], ...] = ()
    blocks: tuple[tuple[int, int], ...] = ()


def places_of(root: Span) -> Places:
    """The places of a file with this tree."""
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in Places.__struct_fields__}
    for span in islice(_spans(root), MOST_SPANS):
        digits = NUMBER.match(span.type)
        width = int(digits[1]) // 8 if digits else 4 if span.size % 4 == 0 else 1
        items = [(span.offset + at, width) for at in range(0, min(span.size, 64), width)]
        if len(span.children):
            found["blocks"].append((span.offset, span.size))
        elif span.type.startswith(("f16", "f32", "f64")):
            found["floats"] += items
        elif isinstance(span.value, str) and span.type in ("text", "line", "bytes"):
            found["names"].append((span.offset, span.size))
        elif span.type.startswith("reference"):
            found["counts"] += items
        elif span.type.startswith(("u", "i", "flags", "token", "encoded", "magic")):
            found["numbers"] += items
            if span.is_count or COUNT.search(span.name):
                found["counts"] += items
        elif span.size:
            found["blocks"].append((span.offset, span.size))
    return Places(**{kind: tuple(each) for kind, each in found.items()})


def _spans(span: Span) -> Iterator[Span]:
    """All spans, of long tables some rows."""
    yield span
    children = span.children
    if isinstance(children, Rows) and len(children) > ROWS:
        step = max(len(children) // ROWS, 1)
        children = [*children[0:1], *(children[at] for at in range(step, len(children), step)), children[-1]]
    for child in children:
        yield from _spans(child)


class Seed(Struct, frozen=True):
    """A sample with the places that are known of it, and the samples that blocks are taken from."""

    sample: Sample
    places: Places
    others: Sequence[bytes] = ()


def mutate(seed: Seed, numbers: random.Random) -> bytes:
    """The file of these random choices."""
    draft = Draft(bytearray(seed.sample.data), seed, numbers)
    for _ in range(numbers.choice((1, 1, 1, 2, 2, 3, 4, 6))):
        if seed.sample.text and numbers.random() < 0.8:
            draft.data = mutate_text(draft.data, numbers)
        else:
            numbers.choices([*WEIGHTED], [*WEIGHTED.values()])[0](draft)
    kept = magic_size(seed.sample)
    if numbers.random() > 0.02:
        draft.data[:kept] = seed.sample.data[:kept]
    return bytes(draft.data[: max(MOST, len(seed.sample.data))])


def magic_size(sample: Sample) -> int:
    """The bytes at the beginning that tell the format: most files keep them."""
    if sample.format in ("mesh", "ogre-next", "skeleton"):
        return sample.data.find(b"\n") + 1
    return 0 if sample.text or sample.name == "old.mdl" or sample.format == "anim" else 4


class Draft(Struct):
    """A file in the making."""

    data: bytearray
    seed: Seed
    random: random.Random

    def at(self, size: int = 1, align: int = 1) -> int:
        """A random offset with `size` bytes behind it."""
        most = max(len(self.data) - size, 0) // align
        if self.random.random() < 0.3:
            most = min(most, 64 // align)
        return self.random.randint(0, most) * align

    def span(self, longest: int) -> tuple[int, int]:
        """Start and end of a block: one of the tree, or any bytes."""
        blocks = self.seed.places.blocks
        if blocks and self.random.random() < 0.5:
            start, size = self.random.choice(blocks)
            if size <= longest:
                return start, start + size
        size = min(1 << self.random.randint(0, 10), longest)
        start = self.at(size)
        return start, start + size

    def get(self, at: int, size: int) -> int:
        """The whole number at an offset."""
        return int.from_bytes(self.data[at : at + size], "little")

    def put(self, at: int, value: int, size: int) -> None:
        """Write a whole number, now and then in the other order."""
        if at + size <= len(self.data):
            order = "big" if self.random.random() < 0.1 else "little"
            self.data[at : at + size] = (value & ((1 << 8 * size) - 1)).to_bytes(size, order)  # type: ignore[arg-type]

    def number(self, at: int, size: int) -> int:
        """A number worth a try at a place."""
        choice, now, known = self.random.choice, self.get(at, size), self.seed.places.numbers
        match self.random.randrange(10):
            case 0 | 1:
                return choice(NUMBERS)
            case 2 | 3:
                return now + choice((-2, -1, 1, 2))
            case 4:
                return choice(HUGE)
            case 5:
                return len(self.data) + choice((-8, -4, -1, 0, 1, 4))
            case 6:
                return choice((now * 2, now // 2, now << 8, now ^ (1 << 8 * size - 1), -now))
            case 7 if known:
                return self.get(*choice(known))
            case 8 if size == 4:
                return choice(FLOATS)
        return self.random.getrandbits(8 * size)


def any_number(draft: Draft) -> None:
    """A number of the tree, most often a count, an offset or a length, or one anywhere becomes another."""
    places, numbers = draft.seed.places, draft.random
    (kind,) = numbers.choices((places.counts or places.numbers, places.numbers, ()), (24, 16, 13))
    if kind:
        at, size = numbers.choice(kind)
    else:
        size = numbers.choice((1, 2, 4, 4, 4, 8))
        at = draft.at(size, size)
    draft.put(at, draft.number(at, size), size)


def known_float(draft: Draft) -> None:
    """Floats of the tree become infinite, undefined, huge or tiny; sometimes many at once."""
    floats, numbers = draft.seed.places.floats, draft.random
    value = numbers.choice(FLOATS)
    for _ in range(numbers.choice((1, 1, 2, 4, 40)) if floats else 0):
        at, size = numbers.choice(floats)
        draft.put(at, value if size == 4 else numbers.choice(HALVES), size)


def odd_name(draft: Draft) -> None:
    """A name with characters that control something, or one that does not end."""
    if not draft.seed.places.names:
        return
    at, size = draft.random.choice(draft.seed.places.names)
    kind, letters = draft.random.randrange(4), draft.random.choice(ODD_NAMES)
    if kind == 0:
        draft.data[at + max(size - 1, 0) : at + size] = b""
    elif kind == 1:
        draft.data[at:at] = letters * draft.random.choice((1, 1, 3, 300))
    else:
        middle = at + draft.random.randrange(max(size, 1))
        draft.data[middle : middle + len(letters)] = letters


def any_byte(draft: Draft) -> None:
    """One bit, or a few bytes."""
    if draft.data and draft.random.random() < 0.6:
        draft.data[draft.at()] ^= 1 << draft.random.randrange(8)
    elif draft.data:
        for _ in range(draft.random.choice((1, 1, 2, 8))):
            draft.data[draft.at()] = draft.random.getrandbits(8)


def repetition(draft: Draft) -> None:
    """A block comes again, a small one at times thousands of times, and the count before it may say so."""
    start, end = draft.span(1024)
    times = draft.random.choice((1, 1, 1, 1, 1, 2, 2, 3, 4, 16, 30, 200))
    if draft.random.random() < 0.07 and start < end <= start + 256:
        times = min(draft.random.choice((1000, 5000, 20_000)), LARGE // (end - start))
    counts = [each for each in draft.seed.places.counts if each[0] < start]
    draft.data[end:end] = draft.data[start:end] * times
    if counts and draft.random.random() < 0.5:
        at, width = max(counts) if draft.random.random() < 0.7 else draft.random.choice(counts)
        draft.put(at, times + 1, width)


def any_block(draft: Draft) -> None:
    """A block is missing, changes its place or becomes other bytes; or the file ends earlier or later."""
    data, numbers = draft.data, draft.random
    start, end = draft.span(1024)
    match numbers.choices(range(6), (4, 2, 4, 4, 3, 1))[0]:
        case 0:
            del data[start:end]
        case 1:
            (first, between), (second, _) = sorted(((start, end), draft.span(256)))
            size = min(between - first, second - first)
            one, other = data[first : first + size], data[second : second + size]
            data[second : second + size], data[first : first + size] = one, other
        case 2:
            copied = draft.at(end - start)
            kinds = (bytes(end - start), b"\xff" * (end - start), data[copied : copied + end - start])
            data[start:end] = numbers.choice(kinds)
        case 3 if draft.seed.others:
            other = numbers.choice(draft.seed.others)
            size = min(1 << numbers.randint(2, 10), len(other))
            at, place = numbers.randint(0, len(other) - size), draft.at()
            data[place : place + size * numbers.randint(0, 1)] = other[at : at + size]
        case 4:
            del data[draft.at() :]
        case 5:
            data += numbers.randbytes(numbers.choice((1, 4, 64)))


WEIGHTED: dict[Callable[[Draft], None], float] = {
    any_number: 53,
    known_float: 12,
    odd_name: 5,
    any_byte: 10,
    any_block: 18,
    repetition: 4.3,
}
"""How often each of them is chosen."""

WORD = re.compile(rb"[\w.$-]+")
ODD_WORDS = (
    b"0", b"-1", b"1e39", b"-1e400", b"nan", b"inf", b"1e-400", b"99999999999999999999", b"0x10", b"-", b".",
    b"{", b"}", b'"', b"'", b"//", b"/*", b"<", b"</", b"&#0;", b"&lt;", b"<!--", b"]]>", b"$", b"$x", b":",
    b"*", b"set", b"pass", b"technique", b"texture_unit", b"material", b"import", b"from", b"none", b"on",
    b"\0", b"\xff", b"\xe2\x80\xae", b"\r", b"x" * 5000, b"{" * 300, b"0 " * 3000, b"\\",
)  # fmt: skip


def mutate_text(data: bytearray, numbers: random.Random) -> bytearray:
    """The text with one word, line or bracket changed."""
    kind = numbers.choice(("word", "odd", "more", "line", "lines", "order"))
    if kind in ("word", "odd", "more"):
        found = [*WORD.finditer(data)]
        start, end = numbers.choice(found).span() if found else (len(data), len(data))
        new = numbers.choice(found)[0] if found and kind == "word" else numbers.choice(ODD_WORDS)
        return data[: end if kind == "more" else start] + new + data[end:]
    lines = data.split(b"\n")
    at = numbers.randrange(len(lines))
    if kind == "line":
        del lines[at]
    elif kind == "lines":
        lines[at:at] = lines[at : at + numbers.choice((1, 1, 5))] * numbers.choice((1, 1, 2, 500))
    else:
        other = numbers.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    return bytearray(b"\n").join(lines)
