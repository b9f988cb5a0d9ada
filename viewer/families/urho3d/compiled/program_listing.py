"""Disassembly of shader programs, from the instructions that the decoder of a format yields.

Decoders count in words of four bytes. An `InstructionListing` counts the instructions, and makes the lines of
the disassembly and the spans of the tree on demand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from viewer.binary import Span
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.scene.shader import (
    InstructionCounts,
    InstructionKind,
    ListingLine,
    Piece,
    PieceKind,
    RegisterUse,
    ShaderProgram,
)

Words = np.ndarray[Any, np.dtype[np.uint32]]
WORD_BYTES = 4
SHOWN = 6
"""Largest number of words of a token that its span shows."""


class ProgramToken(NamedTuple):
    """A token: `size` words of an instruction, with a name and a note (`text`)."""

    name: str
    text: str = ""
    size: int = 1


class Instruction(Struct, frozen=True):
    """An instruction of `size` words at word `start`. `before` is -1 if a block ends before the instruction;
    `after` is 1 if a block begins after it. `text` is made of `pieces`.
    """

    start: int
    size: int
    kind: InstructionKind
    opcode: str
    pieces: tuple[Piece, ...]
    tokens: tuple[ProgramToken, ...] = ()
    uses: tuple[RegisterUse, ...] = ()
    before: int = 0
    after: int = 0
    note: str = ""
    warning: str = ""

    @property
    def text(self) -> str:
        """The line as plain text."""
        return "".join(text for text, _ in self.pieces)


Decode = Callable[[Words], Iterator[Instruction]]
Names = Callable[[RegisterUse], str]


class InstructionListing:
    """The instructions of `words`, which are at file offset `base`; the first instruction is at word `start`.

    `names` is a function that returns the parameter names of a register. At most `most` instructions are
    decoded; `end` is the word after the last decoded instruction. `error` is the error that ended the program
    early, else None. `odd` are the numbers of instructions with a warning.
    """

    NAME = "instructions"
    """Name of the span of all instructions."""

    def __init__(
        self,
        decode: Decode,
        words: Words,
        base: int,
        start: int,
        names: Names,
        most: int = BUDGET.instructions,
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
                    raise FormatError(f"the program has more than {most} instructions", offset=each.start)
                if each.warning:
                    self.odd.append(self.count)
                self.count += 1
                self.end = each.start + each.size
                kinds[each.kind] += 1
                opcodes[each.opcode] += 1
                for use in each.uses:
                    (declared if use.declares else used)[use.file].add(use.number)
        except FormatError as error:
            error.path, error.offset = f"{self.NAME}[{self.count}]", self._base + WORD_BYTES * error.offset
            self.error = error
        return InstructionCounts(
            dict(kinds.most_common()), dict(opcodes.most_common()), _sorted(used), _sorted(declared)
        )

    @property
    def offset(self) -> int:
        """Offset of the first instruction in the file."""
        return self._base + WORD_BYTES * self.start

    @property
    def remarks(self) -> list[str]:
        """A warning if decoded instructions differ from the published format; empty if none differs."""
        if not self.odd:
            return []
        more = f", and {len(self.odd) - 1} more" if len(self.odd) > 1 else ""
        return [f"instruction {self.odd[0]} differs from the published format{more}"]

    def instructions(self) -> Iterator[tuple[int, Instruction]]:
        """Yield the decoded instructions, each with its depth in blocks."""
        depth, known = 0, self._decode(self._words)
        for _ in range(self.count):
            each = next(known)
            depth = max(depth + each.before, 0)
            yield depth, each
            depth += each.after

    def lines(self) -> list[ListingLine]:
        """Disassemble the instructions, a line each."""
        return [
            ListingLine(
                self._base + WORD_BYTES * each.start,
                WORD_BYTES * each.size,
                each.kind,
                depth,
                each.pieces,
                self._note(each),
            )
            for depth, each in self.instructions()
        ]

    def spans(self) -> list[Span]:
        """Return the span of all instructions, with children for instructions and tokens. Return no span if
        there are no instructions.
        """
        error = str(self.error.why) if self.error else ""
        node = Span(
            self.NAME,
            self.offset,
            WORD_BYTES * (self.end - self.start),
            f"instruction[{self.count}]",
            children=lambda: [
                self._node(number, each) for number, (_, each) in enumerate(self.instructions())
            ],
            error=error,
            layout=self,
        )
        return [node] if self.count else []

    def _node(self, number: int, each: Instruction) -> Span:
        at = self._base + WORD_BYTES * each.start
        return Span(
            f"[{number}]",
            at,
            WORD_BYTES * each.size,
            each.opcode,
            each.text,
            self._note(each),
            children=lambda: _tokens(each.tokens, self._words[each.start : each.start + each.size], at),
            warning=each.warning,
            index=number,
        )

    def _note(self, each: Instruction) -> str:
        named = (self._names(use) for use in each.uses)
        return ", ".join(dict.fromkeys(filter(None, (each.note, *named))))


def _tokens(tokens: Iterable[ProgramToken], words: Words, at: int) -> list[Span]:
    """The spans of an instruction's tokens; words without a token are data."""
    spans, word = [], 0
    for token in (*tokens, ProgramToken("data", size=len(words))):
        size = min(token.size, len(words) - word)
        if size > 0:
            shown = " ".join(f"0x{int(each):08X}" for each in words[word : word + min(size, SHOWN)])
            value = shown + (" …" if size > SHOWN else "")
            spans.append(
                Span(token.name, at + WORD_BYTES * word, WORD_BYTES * size, "token", value, token.text)
            )
        word += size
    return spans


def _sorted(numbers: dict[str, set[int]]) -> dict[str, tuple[int, ...]]:
    return {file: tuple(sorted(numbers[file])) for file in sorted(numbers)}


def real(word: int) -> str:
    """Return the shortest text of a 32-bit float: `1`, `0.1`, `-1.5e-06`."""
    return str(np.array(word, np.uint32).view(np.float32)[()]).removesuffix(".0")


def plain(*texts: str) -> tuple[Piece, ...]:
    """Return texts as pieces of plain text."""
    return tuple((text, PieceKind.PLAIN) for text in texts)


def operand_pieces(operands: Iterable[tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """Return the pieces of operands, with a space before the first and commas between them."""
    pieces: list[Piece] = []
    for number, operand in enumerate(operands):
        pieces += [(", " if number else " ", PieceKind.PLAIN), *operand]
    return tuple(pieces)


def swizzled(swizzle: str) -> tuple[Piece, ...]:
    """Return the text of a swizzle as pieces, such as `.xxy`. Repetitions of the last letter are left out.
    Empty if the swizzle changes nothing.
    """
    if swizzle == "xyzw" or not swizzle:
        return ()
    short = swizzle.rstrip(swizzle[-1]) + swizzle[-1] if len(swizzle) == 4 else swizzle
    return (("." + short, PieceKind.SWIZZLE),)


class ProgramTree(Struct):
    """A disassembled program. `children` makes its spans.

    `errors` are faults because of which a part of the program is missing; their field paths begin at the
    program's span.
    """

    program: ShaderProgram
    children: Callable[[], list[Span]]
    listing: InstructionListing | None
    errors: list[FormatError]
    warnings: list[str]

    @property
    def size(self) -> int:
        """Number of instructions, including comments and declarations."""
        return sum(self.program.statistics.kinds.values())


def words_of(data: bytes, start: int, end: int) -> Words:
    """Return the whole words of `data[start:end]`, without copying."""
    return np.frombuffer(data, np.dtype("<u4"), max(end - start, 0) // WORD_BYTES, start)
