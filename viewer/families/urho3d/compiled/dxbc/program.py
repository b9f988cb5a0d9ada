"""Decode the token stream of a shader model 4 program into instructions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.binary import Array, Fixed, Record
from viewer.errors import FormatError
from viewer.families.urho3d.compiled.dxbc.declarations import declaration
from viewer.families.urho3d.compiled.dxbc.opcodes import CUSTOM_DATA, OPCODES, TESTED, DxbcOpcode
from viewer.families.urho3d.compiled.dxbc.operands import EXTENDED, operand
from viewer.families.urho3d.compiled.program_listing import Instruction, ProgramToken, Words, operand_pieces
from viewer.scene.shader import InstructionKind, Piece, PieceKind, RegisterUse

U32 = np.dtype("<u4")
HEAD = Record(
    "program",
    Fixed(
        "version",
        U32,
        note="bits 0 to 3: minor, 4 to 7: major, 16 to 31: stage (0 is pixel, 1 vertex, 2 geometry)",
    ),
    Fixed("length", U32, note="number of 4-byte tokens in the program, including these two"),
    note="The content of SHDR.",
)
INSTRUCTION = Record(
    "instruction",
    Fixed(
        "opcode",
        U32,
        note="bits 0 to 10: opcode, 24 to 30: length in tokens, 31: another opcode token follows",
    ),
    Array(
        "operands",
        U32,
        "length - 1",
        note="tokens of the operands: a register with components and indices, or literals",
    ),
    note="Repeated up to the program's length. Opcode 53 is custom data, whose length is in the next token.",
)
START = 2
"""Number of words before the first instruction: version and length."""
STAGES = ("ps", "vs", "gs", "hs", "ds", "cs")
MARKS = {InstructionKind.FLOW: PieceKind.FLOW, InstructionKind.DECLARATION: PieceKind.DECLARATION}
SATURATED = 1 << 13
NOT_ZERO = 1 << 18
CUSTOM = ("comment", "debug info", "opaque", "immediate constant buffer")
SAMPLE_CONTROLS = 1


def profile(version: int) -> str:
    """Return the name of a version token, such as `vs_4_0`."""
    stage = version >> 16
    return f"{STAGES[stage] if stage < len(STAGES) else '?'}_{version >> 4 & 0xF}_{version & 0xF}"


def decode(words: Words) -> Iterator[Instruction]:
    """Yield all instructions. FormatError, with its offset in words, for a truncated or empty instruction."""
    at = START
    while at < len(words):
        word = int(words[at])
        size = _length(words, at, word)
        if size < 1:
            raise FormatError("an instruction has the length 0", offset=at)
        if size > len(words) - at:
            raise FormatError(f"{size} tokens declared, {len(words) - at} left", offset=at)
        yield _instruction(words, at, size)
        at += size


def _length(words: Words, at: int, word: int) -> int:
    if word & 0x7FF == CUSTOM_DATA:
        return max(int(words[at + 1]), 2) if at + 1 < len(words) else 2
    return word >> 24 & 0x7F


def _instruction(words: Words, at: int, size: int) -> Instruction:
    word, own = int(words[at]), words[at : at + size]
    number = word & 0x7FF
    if number == CUSTOM_DATA:
        return _custom(at, size, word)
    opcode = OPCODES.get(number)
    if opcode is None:
        why = f"opcode {number} is unknown"
        return _made(
            at, size, DxbcOpcode(f"op_{number}", 0, InstructionKind.UNKNOWN), f"op_{number}", (), (), (), why
        )
    start, offsets = _extended(own)
    head = (
        ProgramToken("opcode", f"{opcode.name}, {size} tokens"),
        *(ProgramToken("opcode") for _ in range(1, start)),
    )
    name = (
        opcode.name
        + ("_sat" if word & SATURATED and opcode.kind is InstructionKind.ARITHMETIC else "")
        + offsets
    )
    if number in TESTED:
        name += "_nz" if word & NOT_ZERO else "_z"
    try:
        if opcode.kind is InstructionKind.DECLARATION:
            name, operands, tokens, uses = declaration(number, name, own, start)
        else:
            operands, tokens, uses = _operands(own, start, opcode)
    except FormatError as error:
        return _made(at, size, opcode, name, (), head, (), error.why)
    return _made(at, size, opcode, name, operands, (*head, *tokens), uses)


def _made(
    at: int,
    size: int,
    opcode: DxbcOpcode,
    name: str,
    operands: tuple[tuple[Piece, ...], ...],
    tokens: tuple[ProgramToken, ...],
    uses: tuple[RegisterUse, ...],
    warning: str = "",
) -> Instruction:
    pieces = ((name, MARKS.get(opcode.kind, PieceKind.OPCODE)), *operand_pieces(operands))
    return Instruction(
        at, size, opcode.kind, name, pieces, tokens, uses, opcode.before, opcode.after, warning=warning
    )


def _custom(at: int, size: int, word: int) -> Instruction:
    """Make an instruction of `size` words that holds custom data. The second word is the length of the
    instruction.
    """
    kind = word >> 11
    text = CUSTOM[kind] if kind < len(CUSTOM) else f"custom data {kind}"
    constants = kind == CUSTOM.index("immediate constant buffer")
    made = InstructionKind.DECLARATION if constants else InstructionKind.COMMENT
    name = "dcl_immediateConstantBuffer" if constants else "customdata"
    pieces = (
        (name, PieceKind.DECLARATION if constants else PieceKind.COMMENT),
        (f" {text}, {size - 2} words", PieceKind.COMMENT),
    )
    tokens = (
        ProgramToken("opcode", text),
        ProgramToken("length", f"{size} tokens"),
        ProgramToken("data", "", max(size - 2, 0)),
    )
    return Instruction(at, size, made, name, pieces, tokens)


def _extended(own: Words) -> tuple[int, str]:
    """The word at which operands begin, and the texel offsets of extended opcode tokens as a suffix, such as
    `_aoffimmi(1,0,0)`.
    """
    at, text = 1, ""
    token = int(own[0])
    while token & EXTENDED and at < len(own):
        token = int(own[at])
        at += 1
        if token & 0x3F == SAMPLE_CONTROLS:
            steps = [(token >> shift & 0xF ^ 8) - 8 for shift in (9, 13, 17)]
            text = f"_aoffimmi({','.join(map(str, steps))})"
    return at, text


def _operands(
    own: Words, at: int, opcode: DxbcOpcode
) -> tuple[tuple[tuple[Piece, ...], ...], tuple[ProgramToken, ...], tuple[RegisterUse, ...]]:
    """The operands up to the instruction's end, and their tokens and used registers."""
    operands: list[tuple[Piece, ...]] = []
    tokens: list[ProgramToken] = []
    uses: list[RegisterUse] = []
    while at < len(own):
        each = operand(own, at, opcode.whole)
        source = len(operands) - opcode.written
        name = f"source {source}" if source >= 0 else "destination"
        operands.append(each.pieces)
        tokens.append(ProgramToken(name, "".join(text for text, _ in each.pieces), each.size))
        uses += each.uses
        at += each.size
    return tuple(operands), tuple(tokens), tuple(uses)
