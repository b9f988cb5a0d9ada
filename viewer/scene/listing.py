"""Disassembly in neutral terms: lines made of marked pieces, what they use, and how often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from viewer.dataclass import dataclass


class PieceKind(Enum):
    """What a piece of a line is, for its colour."""

    OPCODE = "opcode"
    FLOW = "flow"
    DECLARATION = "declaration"
    REGISTER = "register"
    SWIZZLE = "swizzle"
    MODIFIER = "modifier"
    NUMBER = "number"
    COMMENT = "comment"
    PLAIN = "plain"


class InstructionKind(Enum):
    """What an instruction is for."""

    ARITHMETIC = "arithmetic"
    TEXTURE = "texture"
    FLOW = "flow control"
    DECLARATION = "declaration"
    COMMENT = "comment"
    END = "end"
    UNKNOWN = "unknown"


Piece = tuple[str, PieceKind]


class RegisterUse(NamedTuple):
    """A register that an instruction names: of the file `c` the number 20, in the components of `mask`, a bit
    each, x lowest. `relative`: an address register is added to the number. `declares`: the instruction
    declares or defines it, and does not read or write it."""

    file: str
    number: int
    mask: int = 0xF
    relative: bool = False
    declares: bool = False


@dataclass(frozen=True, slots=True)
class ListingLine:
    """One instruction, `size` bytes at `offset` of the file, `depth` blocks deep. `note`: what it uses."""

    offset: int
    size: int
    kind: InstructionKind
    depth: int
    pieces: tuple[Piece, ...]
    note: str = ""

    @property
    def text(self) -> str:
        """The line without its colours."""
        return "".join(text for text, _ in self.pieces)


@dataclass(frozen=True, slots=True)
class InstructionCounts:
    """How many instructions there are of each kind and opcode, most frequent first; the numbers of the
    registers that are used, by register file; and those that are declared or defined in the program."""

    kinds: dict[InstructionKind, int] = field(default_factory=dict)
    opcodes: dict[str, int] = field(default_factory=dict)
    registers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    declared: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def instructions(self) -> int:
        """Those that do something: no declarations, no comments, not the end."""
        return sum(count for kind, count in self.kinds.items() if kind not in PASSIVE)


PASSIVE = frozenset({InstructionKind.DECLARATION, InstructionKind.COMMENT, InstructionKind.END})


@dataclass(frozen=True, slots=True)
class SignatureElement:
    """One row of a signature: `semantic` and `index` as in TEXCOORD1, its register, the type of a component
    and the components that it has; `used` are those that the program reads (of an input) or writes."""

    semantic: str
    index: int
    register: int
    type: str
    components: str
    used: str


@dataclass(eq=False)
class ShaderProgram:
    """A program for a graphics processor. `name` tells it from others of the same file, `profile` is as in
    `vs_3_0`; `checksum` says whether the stored one is right, None where none was looked at. `make_lines` is
    called when somebody looks."""

    name: str
    profile: str
    statistics: InstructionCounts
    make_lines: Callable[[], Sequence[ListingLine]] = tuple
    inputs: tuple[SignatureElement, ...] = ()
    outputs: tuple[SignatureElement, ...] = ()
    checksum: bool | None = None

    @cached_property
    def lines(self) -> Sequence[ListingLine]:
        """The disassembly, in the order of the file."""
        return self.make_lines()


def bits(components: str) -> int:
    """`xz` as bits, x lowest."""
    return sum(1 << "xyzw".index(letter) for letter in set(components))


def letters(mask: int) -> str:
    """Bits as `xz`."""
    return "".join(letter for place, letter in enumerate("xyzw") if mask >> place & 1)


def ranges(numbers: Sequence[int]) -> str:
    """`0–3 8`: runs of numbers that follow each other."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return " ".join("–".join(map(str, run)) for run in runs)
