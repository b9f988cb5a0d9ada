"""Decode declarations of shader model 4: inputs, outputs and resources of a program."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from viewer.families.urho3d.compiled.dxbc import opcodes
from viewer.families.urho3d.compiled.dxbc.operands import operand
from viewer.families.urho3d.compiled.program_listing import ProgramToken, Words
from viewer.scene.shader import Piece, PieceKind, RegisterUse

RESOURCE, CONSTANT_BUFFER, SAMPLER, INDEX_RANGE, TOPOLOGY, PRIMITIVE, MAXOUT = range(88, 95)
INTERPOLATED = frozenset({98, 99, 100})
"""Opcodes with an interpolation mode: `dcl_input_ps`, `dcl_input_ps_sgv`, `dcl_input_ps_siv`."""
SYSTEM = frozenset({96, 97, 99, 100, 102, 103})
"""Opcodes with a system value after the register."""
TEMPS, INDEXABLE, FLAGS = 104, 105, 106
REFACTORING = 1


class RegisterDeclaration(NamedTuple):
    """The parts of a declaration; see `Instruction`."""

    name: str
    operands: tuple[tuple[Piece, ...], ...]
    tokens: tuple[ProgramToken, ...] = ()
    uses: tuple[RegisterUse, ...] = ()


def declaration(number: int, name: str, own: Words, at: int) -> RegisterDeclaration:
    """Decode a declaration with opcode `number`. `own` are its words; the operands begin at word `at`.

    FormatError if an operand is truncated.
    """
    control = int(own[0]) >> 11 & 0x1FFF
    if number == FLAGS:
        return RegisterDeclaration(
            name, (_word("refactoringAllowed" if control & REFACTORING else f"0x{control:X}"),)
        )
    if number in (TOPOLOGY, PRIMITIVE):
        return RegisterDeclaration(name, (_word(str(control & 0x3F)),))
    if number in (TEMPS, INDEXABLE, MAXOUT):
        numbers = [str(int(word)) for word in own[at:]]
        return RegisterDeclaration(
            name, tuple(map(_word, numbers)), tuple(ProgramToken("number", each) for each in numbers)
        )
    found = operand(own, at)
    pieces = found.pieces
    if number == CONSTANT_BUFFER and pieces[-1][1] is PieceKind.SWIZZLE:
        pieces = pieces[:-1]
    behind = [int(word) for word in own[at + found.size :]]
    meanings = _meanings(number, control, behind)
    text = "".join(text for text, _ in pieces)
    tokens = [
        ProgramToken("register", text, found.size),
        *(ProgramToken("meaning", " ".join(meanings)) for _ in behind),
    ]
    uses = tuple(replace(use, declares=True) for use in found.uses)
    return RegisterDeclaration(
        _full(number, name, control), (pieces, *map(_word, meanings)), tuple(tokens), uses
    )


def _full(number: int, name: str, control: int) -> str:
    """The opcode's name, with the dimension or the interpolation mode from the opcode token."""
    if number == RESOURCE:
        return f"{name}_{opcodes.RESOURCES.get(control & 0x1F, '?')}"
    if number in INTERPOLATED and control & 0xF:
        return f"{name} {opcodes.INTERPOLATIONS.get(control & 0xF, '?')}"
    return name


def _meanings(number: int, control: int, behind: list[int]) -> list[str]:
    """The properties of the register, from the opcode token or from the words after the register."""
    if number == RESOURCE:
        returns = [opcodes.RETURNS.get(each >> part & 0xF, "?") for each in behind for part in (0, 4, 8, 12)]
        return [f"({','.join(returns)})"]
    if number == CONSTANT_BUFFER:
        return ["dynamicIndexed" if control & 1 else "immediateIndexed"]
    if number == SAMPLER:
        return [opcodes.SAMPLERS.get(control & 0xF, "?")]
    values = opcodes.SYSTEM_VALUES if number in SYSTEM else ()
    return [values[each] if each < len(values) else str(each) for each in behind]


def _word(text: str) -> tuple[Piece, ...]:
    return ((text, PieceKind.NUMBER if text.isdecimal() else PieceKind.PLAIN),)
