"""Token streams of shader programs: what every disassembler here gives, and what is made of it.

A decoder yields `Instruction`s, which count words of four bytes. An `InstructionListing` makes the
statistics of them and, on demand, the lines of the disassembly and the nodes of the tree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from viewer.binary import Span
from viewer.dataclass import dataclass
from viewer.errors import FormatError
from viewer.scene.listing import (
    InstructionCounts,
    InstructionKind,
    ListingLine,
    Piece,
    PieceKind,
    RegisterUse,
    ShaderProgram,
)

Words = np.ndarray[Any, np.dtype[np.uint32]]
WORD = 4
SHOWN = 6
"""Words of a token that its node shows."""
MOST = 1 << 16
"""Instructions of one program, more than any of these shader models allows."""


class Token(NamedTuple):
    """`size` words of an instruction, and what they are."""

    name: str
    text: str = ""
    size: int = 1


@dataclass(frozen=True, slots=True)
class Instruction:
    """`size` words at `start`. A block ends before it (`before` -1) or begins behind it (`after` 1)."""

    start: int
    size: int
    kind: InstructionKind
    opcode: str
    pieces: tuple[Piece, ...]
    tokens: tuple[Token, ...] = ()
    uses: tuple[RegisterUse, ...] = ()
    before: int = 0
    after: int = 0
    note: str = ""
    warning: str = ""

    @property
    def text(self) -> str:
        """The line without its colours."""
        return "".join(text for text, _ in self.pieces)


Decode = Callable[[Words], Iterator[Instruction]]
Names = Callable[[RegisterUse], str]


class InstructionListing:
    """The instructions of `words`, which lie at the offset `base` of the file; the first is that at `start`.

    `names` says how parameters are called that a register holds. `error` is what ended the program early, its
    path being that of the instruction; `end` is the word behind the last that was understood, `odd` are the
    numbers of instructions with a warning.
    """

    NAME = "instructions"
    """The name of their node."""

    def __init__(
        self, decode: Decode, words: Words, base: int, start: int, names: Names, most: int = MOST
    ) -> None:
        self._decode, self._words, self._base, self._names = decode, words, base, names
        self.error: FormatError | None = None
        self.odd: list[int] = []
        self.count = 0
        self.start = self.end = start
        self.statistics = self._examine(most)

    def _examine(self, most: int) -> InstructionCounts:
        kinds: Counter[InstructionKind] = Counter()
        opcodes: Counter[str] = Counter()
        used: defaultdict[str, set[int]] = defaultdict(set)
        declared: defaultdict[str, set[int]] = defaultdict(set)
        try:
            for each in self._decode(self._words):
                if self.count >= most:
                    raise FormatError(f"more than {most} instructions", offset=each.start)
                if each.warning:
                    self.odd.append(self.count)
                self.count += 1
                self.end = each.start + each.size
                kinds[each.kind] += 1
                opcodes[each.opcode] += 1
                for use in each.uses:
                    (declared if use.declares else used)[use.file].add(use.number)
        except FormatError as error:
            error.path, error.offset = f"{self.NAME}[{self.count}]", self._base + WORD * error.offset
            self.error = error
        return InstructionCounts(
            dict(kinds.most_common()), dict(opcodes.most_common()), _sorted(used), _sorted(declared)
        )

    @property
    def remarks(self) -> list[str]:
        """What is odd but readable."""
        if not self.odd:
            return []
        more = f", and so {len(self.odd) - 1} more" if len(self.odd) > 1 else ""
        return [f"instruction {self.odd[0]} is not as published{more}"]

    def instructions(self) -> Iterator[tuple[int, Instruction]]:
        """How deep each instruction lies in blocks, and the instruction; as far as they were understood."""
        depth, known = 0, self._decode(self._words)
        for _ in range(self.count):
            each = next(known)
            depth = max(depth + each.before, 0)
            yield depth, each
            depth += each.after

    def lines(self) -> list[ListingLine]:
        """The disassembly."""
        return [
            ListingLine(
                self._base + WORD * each.start,
                WORD * each.size,
                each.kind,
                depth,
                each.pieces,
                self._note(each),
            )
            for depth, each in self.instructions()
        ]

    def spans(self) -> list[Span]:
        """The node of all instructions, each with a node for every token; nothing where there are none."""
        error = str(self.error.why) if self.error else ""
        node = Span(
            self.NAME,
            self._base + WORD * self.start,
            WORD * (self.end - self.start),
            f"instruction[{self.count}]",
            children=lambda: [
                self._node(number, each) for number, (_, each) in enumerate(self.instructions())
            ],
            error=error,
        )
        return [node] if self.count else []

    def _node(self, number: int, each: Instruction) -> Span:
        at = self._base + WORD * each.start
        return Span(
            f"[{number}]",
            at,
            WORD * each.size,
            each.opcode,
            each.text,
            self._note(each),
            children=lambda: _tokens(each.tokens, self._words[each.start : each.start + each.size], at),
            warning=each.warning,
        )

    def _note(self, each: Instruction) -> str:
        named = (self._names(use) for use in each.uses)
        return ", ".join(dict.fromkeys(filter(None, (each.note, *named))))


def _tokens(tokens: Iterable[Token], words: Words, at: int) -> list[Span]:
    """A node for each token; what no token claims is data."""
    spans, word = [], 0
    for token in (*tokens, Token("data", size=len(words))):
        size = min(token.size, len(words) - word)
        if size > 0:
            shown = " ".join(f"0x{int(each):08X}" for each in words[word : word + min(size, SHOWN)])
            value = shown + (" …" if size > SHOWN else "")
            spans.append(Span(token.name, at + WORD * word, WORD * size, "token", value, token.text))
        word += size
    return spans


def _sorted(numbers: dict[str, set[int]]) -> dict[str, tuple[int, ...]]:
    return {file: tuple(sorted(numbers[file])) for file in sorted(numbers)}


def real(word: int) -> str:
    """The shortest text of a 32-bit float: `1`, `0.1`, `-1.5e-06`."""
    return str(np.array(word, np.uint32).view(np.float32)[()]).removesuffix(".0")


def plain(*texts: str) -> tuple[Piece, ...]:
    """Pieces without a meaning of their own."""
    return tuple((text, PieceKind.PLAIN) for text in texts)


def joined(operands: Iterable[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Operands behind an opcode: a space before the first, commas between."""
    pieces: list[Piece] = []
    for number, operand in enumerate(operands):
        pieces += [(", " if number else " ", PieceKind.PLAIN), *operand]
    return tuple(pieces)


def swizzled(swizzle: str) -> tuple[Piece, ...]:
    """`.xxy`, without what repeats the last letter; nothing where it changes nothing."""
    if swizzle == "xyzw" or not swizzle:
        return ()
    short = swizzle.rstrip(swizzle[-1]) + swizzle[-1] if len(swizzle) == 4 else swizzle
    return (("." + short, PieceKind.SWIZZLE),)


@dataclass(slots=True)
class ProgramTree:
    """A program and its nodes. `way` are the names of the nodes down to that of the instructions; `errors`
    are those that cost a part of it, their paths counted from the program's node."""

    program: ShaderProgram
    children: Callable[[], list[Span]]
    way: tuple[str, ...]
    errors: list[FormatError]
    warnings: list[str]

    @property
    def size(self) -> int:
        """How many instructions there are, those included that do nothing."""
        return sum(self.program.statistics.kinds.values())


def words_of(data: bytes, start: int, end: int) -> Words:
    """The whole words of a file from `start` to before `end`, as a view."""
    return np.frombuffer(data, np.dtype("<u4"), max(end - start, 0) // WORD, start)
