"""Disassembly of any shader format: lines of typed pieces, their registers, and instruction counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field


class PieceKind(Enum):
    """The kind of a piece of a line; it decides the colour."""

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
    """The purpose of an instruction."""

    ARITHMETIC = "arithmetic"
    TEXTURE = "texture"
    FLOW = "flow control"
    DECLARATION = "declaration"
    COMMENT = "comment"
    END = "end"
    UNKNOWN = "unknown"


Piece = tuple[str, PieceKind]


class RegisterUse(NamedTuple):
    """A register that an instruction names: register `number` of register file `file` (`c`).

    `mask` has a bit per component, x lowest. `relative`: an address register is added to the number.
    `declares`: the instruction declares or defines the register without reading or writing it.
    """

    file: str
    number: int
    mask: int = 0xF
    relative: bool = False
    declares: bool = False


class ListingLine(Struct, frozen=True):
    """One instruction of `size` bytes at file offset `offset`, inside `depth` blocks. `note` names its
    parameters.
    """

    offset: int
    size: int
    kind: InstructionKind
    depth: int
    pieces: tuple[Piece, ...]
    note: str = ""

    @property
    def text(self) -> str:
        """The line as plain text."""
        return "".join(text for text, _ in self.pieces)


class InstructionCounts(Struct, frozen=True):
    """The number of instructions of each kind and opcode, most frequent first; the numbers of the used
    registers by register file; and the registers that the program declares or defines.
    """

    kinds: dict[InstructionKind, int] = field(default_factory=dict)
    opcodes: dict[str, int] = field(default_factory=dict)
    registers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    declared: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def instructions(self) -> int:
        """The number of executed instructions: no declarations, no comments, not the end."""
        return sum(count for kind, count in self.kinds.items() if kind not in PASSIVE)


PASSIVE = frozenset({InstructionKind.DECLARATION, InstructionKind.COMMENT, InstructionKind.END})


class SignatureElement(Struct, frozen=True):
    """One row of a signature: `semantic` and `index` (TEXCOORD1), register, component type and components;
    `used` are the components that the program reads (input) or writes (output).
    """

    semantic: str
    index: int
    register: int
    type: str
    components: str
    used: str


class ShaderProgram(Struct, eq=False, dict=True):
    """A shader program, by its `name` in the file and its `profile` such as `vs_3_0`.

    `checksum`: the stored checksum is right (None: not checked). `make_lines` disassembles when first shown.
    """

    name: str
    profile: str
    statistics: InstructionCounts
    make_lines: Callable[[], Sequence[ListingLine]] = tuple
    inputs: tuple[SignatureElement, ...] = ()
    outputs: tuple[SignatureElement, ...] = ()
    checksum: bool | None = None

    @cached_property
    def lines(self) -> Sequence[ListingLine]:
        """The disassembly in file order."""
        return self.make_lines()


def bits(components: str) -> int:
    """The bits of a component string such as `xz`, x lowest."""
    return sum(1 << "xyzw".index(letter) for letter in set(components))


def letters(mask: int) -> str:
    """The component string of bits, such as `xz`."""
    return "".join(letter for number, letter in enumerate("xyzw") if mask >> number & 1)


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as text, runs of consecutive numbers joined: `0–3 8`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return " ".join("–".join(map(str, run)) for run in runs)
