"""Disassemble the token stream of a Direct3D 9 program."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from viewer.binary import Array, Fixed, Record, Span, tile
from viewer.errors import FormatError
from viewer.families.urho3d.compiled.d3d9 import opcodes
from viewer.families.urho3d.compiled.d3d9.constant_table import described
from viewer.families.urho3d.compiled.d3d9.opcodes import OPCODES, D3D9Opcode
from viewer.families.urho3d.compiled.d3d9.operands import (
    MISC,
    PARAMETER,
    RELATIVE,
    SAMPLER,
    SourceOperand,
    destination,
    source,
)
from viewer.families.urho3d.compiled.program_listing import (
    WORD_BYTES,
    Instruction,
    InstructionListing,
    Names,
    ProgramToken,
    ProgramTree,
    Words,
    operand_pieces,
    real,
    words_of,
)
from viewer.scene.shader import InstructionKind, Piece, PieceKind, RegisterUse, ShaderProgram

U32 = np.dtype("<u4")
HEAD = Record(
    "program",
    Fixed(
        "version",
        U32,
        note="bits 0 to 7: minor, 8 to 15: major, 16 to 31: stage (0xFFFE is vertex, 0xFFFF pixel)",
    ),
)
INSTRUCTION = Record(
    "instruction",
    Fixed("opcode", U32, note="bits 0 to 15: opcode, 16 to 23: control, 24 to 27: length, 28: predicated"),
    Array(
        "parameters", U32, "length", note="destination, predicate and sources; in a definition, also literals"
    ),
    note="Repeated up to opcode 0xFFFF, the end. Opcode 0xFFFE is a comment; bits 16 to 30 are its length.",
)
VERTEX, PIXEL = 0xFFFE, 0xFFFF
STAGES = {VERTEX: "vs", PIXEL: "ps"}
PREDICATED, COISSUED = 1 << 28, 1 << 30
MARKS = {
    InstructionKind.FLOW: PieceKind.FLOW,
    InstructionKind.END: PieceKind.FLOW,
    InstructionKind.DECLARATION: PieceKind.DECLARATION,
    InstructionKind.COMMENT: PieceKind.COMMENT,
}


def compiled(data: bytes, start: int, end: int, names: Names, most: int, name: str = "") -> ProgramTree:
    """Disassemble the token stream `data[start:end]` of a file. The stream has at least one word. See
    `InstructionListing` for `names` and `most`. `name` distinguishes the program from the file's other
    programs.
    """
    words = words_of(data, start, end)
    listing = InstructionListing(decode, words, start, 1, names, most)
    version = int(words[0])
    left = end - start - listing.end * WORD_BYTES
    warnings = [f"{left} bytes after the end of the program"] if left and not listing.error else []

    def children() -> list[Span]:
        head = Span("version", start, WORD_BYTES, "token", f"0x{version:08X}", profile(version))
        return tile([head, *listing.spans()], start, end - start, data)

    program = ShaderProgram(name, profile(version), listing.statistics, listing.lines)
    errors = [listing.error] if listing.error else []
    return ProgramTree(program, children, listing, errors, [*warnings, *listing.remarks])


def is_program(version: int) -> bool:
    """Return whether a first token starts a vertex or pixel program of shader model 2 or 3."""
    return version >> 16 in STAGES and version >> 8 & 0xFF in (2, 3)


def profile(version: int) -> str:
    """Return the name of a version token, such as `vs_3_0`."""
    return f"{STAGES.get(version >> 16, '?')}_{version >> 8 & 0xFF}_{version & 0xFF}"


def decode(words: Words) -> Iterator[Instruction]:
    """Yield the instructions after the version token, up to and including `end`.

    FormatError, with its offset in words, if the stream ends inside an instruction or has no end token.
    """
    pixel, major = int(words[0]) >> 16 == PIXEL, int(words[0]) >> 8 & 0xFF
    at = 1
    while at < len(words):
        word = int(words[at])
        size = 1 + _length(word)
        if word & PARAMETER:
            raise FormatError(f"0x{word:08X} is a parameter where an instruction must begin", offset=at)
        if size > len(words) - at:
            raise FormatError(f"{size} tokens declared, {len(words) - at} left", offset=at)
        tokens = words[at : at + size]
        yield _Reader(at, tokens, pixel, major).instruction()
        at += size
        if word & 0xFFFF == opcodes.END:
            return
    raise FormatError("the program has no end token", offset=at)


def _length(word: int) -> int:
    """Number of tokens after the instruction token."""
    if word & 0xFFFF == opcodes.COMMENT:
        return word >> 16 & 0x7FFF
    return 0 if word & 0xFFFF == opcodes.END else word >> 24 & 0xF


class _Reader(Struct):
    """Decodes one instruction, parameter by parameter."""

    at: int
    words: Words
    pixel: bool
    major: int
    used: int = 1
    operands: list[tuple[Piece, ...]] = field(default_factory=list)
    uses: list[RegisterUse] = field(default_factory=list)
    tokens: list[ProgramToken] = field(default_factory=list)
    suffix: str = ""
    predicate: tuple[Piece, ...] = ()
    usage: str = ""
    warning: str = ""

    def instruction(self) -> Instruction:
        """Return the decoded instruction; the parameters of an unknown opcode are not decoded."""
        word = int(self.words[0])
        opcode = OPCODES.get(word & 0xFFFF)
        if opcode is None:
            name, why = f"op_{word & 0xFFFF}", f"opcode {word & 0xFFFF} is unknown"
            return self._made(D3D9Opcode(name, "", InstructionKind.UNKNOWN), name, why)
        if opcode.kind is InstructionKind.COMMENT:
            return self._comment(opcode)
        for letter in opcode.operands:
            if self.used < len(self.words):
                self._parameter(letter, word)
            elif letter != "S":
                self.warning = "parameters are missing"
        name = self._name(word, opcode)
        self.tokens.insert(0, ProgramToken("opcode", f"{name}, {len(self.words) - 1} more tokens"))
        if self.used < len(self.words):
            self.warning = f"{len(self.words) - self.used} tokens follow the parameters of {name}"
        return self._made(opcode, name, self.warning)

    def _made(self, opcode: D3D9Opcode, name: str, warning: str) -> Instruction:
        pieces = (
            *self.predicate,
            (name, MARKS.get(opcode.kind, PieceKind.OPCODE)),
            *operand_pieces(self.operands),
        )
        return Instruction(
            self.at,
            len(self.words),
            opcode.kind,
            name,
            pieces,
            tuple(self.tokens),
            tuple(self.uses),
            opcode.before,
            opcode.after,
            warning=warning,
        )

    def _comment(self, opcode: D3D9Opcode) -> Instruction:
        text, note = described(self.words[1:].tobytes())
        pieces = ((f"// {text}", PieceKind.COMMENT),)
        tokens = (
            ProgramToken("opcode", f"comment, {len(self.words) - 1} more tokens"),
            ProgramToken("text", "", len(self.words)),
        )
        return Instruction(self.at, len(self.words), opcode.kind, "comment", pieces, tokens, note=note)

    def _name(self, word: int, opcode: D3D9Opcode) -> str:
        number, control = word & 0xFFFF, word >> 16 & 0xFF
        name = opcode.name
        if number in (opcodes.IFC, opcodes.BREAKC, opcodes.SETP):
            name += "_" + opcodes.COMPARISONS.get(control & 7, "?")
        elif number == opcodes.TEXLD:
            name = opcodes.TEXLD_CONTROLS.get(control & 3, "texld?")
        elif self.usage:
            name += f"_{self.usage}"
        return ("+" if word & COISSUED else "") + name + self.suffix

    def _parameter(self, letter: str, word: int) -> None:
        if letter == "d":
            self._register(destination, "destination")
            if word & PREDICATED and self.used < len(self.words):
                self._register(source, "predicate")
                self.predicate = (("(", PieceKind.MODIFIER), *self.operands.pop(), (") ", PieceKind.MODIFIER))
        elif letter in "sS":
            self._register(source, f"source {self._sources()}")
        elif letter == "u":
            self._usage()
        else:
            self._number(letter)

    def _register(self, read: Callable[[int, bool, int, int | None], SourceOperand], name: str) -> None:
        token = self._next()
        index = self._next() if token & RELATIVE and self.major >= 2 and self.used < len(self.words) else None
        operand = read(token, self.pixel, self.major, index)
        if not operand.known:
            self.warning = f"0x{token:08X} names an unknown register"
        self.suffix += operand.suffix
        self.operands.append(operand.pieces)
        declares = bool(self.usage) or int(self.words[0]) & 0xFFFF in (
            opcodes.DEF,
            opcodes.DEFI,
            opcodes.DEFB,
        )
        self.uses.append(replace(operand.use, declares=declares))
        self.tokens.append(ProgramToken(name, "".join(text for text, _ in operand.pieces)))
        if index is not None:
            self.tokens.append(
                ProgramToken("address", "register whose value is added to the register number")
            )

    def _sources(self) -> int:
        return sum(token.name.startswith("source") for token in self.tokens)

    def _usage(self) -> None:
        """Read the usage token of a declaration, which precedes the register token."""
        token = self._next()
        register = int(self.words[self.used]) if self.used < len(self.words) else 0
        kind = (register >> 28 & 7) | (register >> 8 & 0x18)
        if kind == SAMPLER:
            self.usage = opcodes.TEXTURES.get(token >> 27 & 0xF, "?")
        elif kind != MISC and not (self.pixel and self.major < 3):
            usage, index = token & 0x1F, token >> 16 & 0xF
            known = opcodes.USAGES[usage] if usage < len(opcodes.USAGES) else f"usage{usage}"
            self.usage = known + (str(index) if index else "")
        self.tokens.append(ProgramToken("usage", self.usage or "none"))

    def _number(self, letter: str) -> None:
        word = self._next()
        text = (
            real(word)
            if letter == "f"
            else str(word - (word >> 31 << 32))
            if letter == "i"
            else str(bool(word))
        )
        self.operands.append(((text.lower(), PieceKind.NUMBER),))
        self.tokens.append(ProgramToken("number", text.lower()))

    def _next(self) -> int:
        self.used += 1
        return int(self.words[self.used - 1])
