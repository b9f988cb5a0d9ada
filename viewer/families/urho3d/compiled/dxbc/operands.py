"""Decode operand tokens of shader model 4: registers with up to three indices, numbers, modifiers.

Source: Windows Driver Kit, `d3d10tokenizedprogramformat.hpp`.
"""

from __future__ import annotations

from typing import NamedTuple

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.families.urho3d.compiled.program_listing import Words, real
from viewer.scene.shader import Piece, PieceKind, RegisterUse, bits, letters

TEMP, INDEXABLE, IMMEDIATE32, IMMEDIATE64, CONSTANT_BUFFER = 0, 3, 4, 5, 8
FILES = {
    TEMP: "r",
    1: "v",
    2: "o",
    INDEXABLE: "x",
    6: "s",
    7: "t",
    CONSTANT_BUFFER: "cb",
    9: "icb",
    10: "label",
    11: "vPrim",
    12: "oDepth",
    13: "null",
    14: "rasterizer",
    15: "oMask",
}
"""Register files by D3D10_SB_OPERAND_TYPE."""
MODIFIERS = {0: ("", ""), 1: ("-", ""), 2: ("|", "|"), 3: ("-|", "|")}
EXTENDED = 1 << 31


class RegisterIndex(NamedTuple):
    """An index of a register: a number, and the register that is added to it (None if there is none)."""

    number: int
    added: DxbcOperand | None = None


class DxbcOperand(NamedTuple):
    """An operand of `size` words. `uses` are the register itself, then the registers in its indices."""

    size: int
    pieces: tuple[Piece, ...]
    uses: tuple[RegisterUse, ...] = ()


def operand(words: Words, at: int, whole: bool = False, deep: int = 0) -> DxbcOperand:
    """Decode the operand at word `at`. `whole`: immediate numbers are integers. FormatError if the operand is
    truncated.
    """
    token, start = _word(words, at), at
    signs, at = _extended(words, at, token)
    kind = token >> 12 & 0xFF
    if kind in (IMMEDIATE32, IMMEDIATE64):
        return _immediate(words, start, at, token, whole)
    indices = []
    for number in range(token >> 20 & 3):
        index, at = _index(words, at, token >> (22 + 3 * number) & 7, deep)
        indices.append(index)
    file = FILES.get(kind, f"?{kind}_")
    pieces = [(signs[0], PieceKind.MODIFIER)] if signs[0] else []
    pieces += _register(file, indices)
    components = _components(token)
    if components:
        pieces.append((f".{components}", PieceKind.SWIZZLE))
    if signs[1]:
        pieces.append((signs[1], PieceKind.MODIFIER))
    own = _use(file, indices, bits(components or "xyzw"))
    added = [use for index in indices if index.added for use in index.added.uses]
    return DxbcOperand(at - start, tuple(pieces), (own, *added))


def _word(words: Words, at: int) -> int:
    if at >= len(words):
        raise FormatError("an operand is longer than its instruction", offset=at)
    return int(words[at])


def _extended(words: Words, at: int, token: int) -> tuple[tuple[str, str], int]:
    """The texts of the sign modifiers in extended tokens, and the word after these tokens."""
    signs = MODIFIERS[0]
    while token & EXTENDED:
        at += 1
        token = _word(words, at)
        if token & 0x3F == 1:
            signs = MODIFIERS.get(token >> 6 & 0xFF, ("?", ""))
    return signs, at + 1


def _immediate(words: Words, start: int, at: int, token: int, whole: bool) -> DxbcOperand:
    wide = token >> 12 & 0xFF == IMMEDIATE64
    count = 1 if token & 3 == 1 else 4
    size = count * (2 if wide else 1)
    _word(words, at + size - 1)
    numbers = [int(word) for word in words[at : at + size]]
    texts = (
        [f"0x{number:08x}" for number in numbers] if wide else [_number(number, whole) for number in numbers]
    )
    inner = [(", " if number else "", text) for number, text in enumerate(texts)]
    pieces = [
        piece
        for comma, text in inner
        for piece in ((comma, PieceKind.PLAIN), (text, PieceKind.NUMBER))
        if piece[0]
    ]
    return DxbcOperand(
        at + size - start, (("d(" if wide else "l(", PieceKind.PLAIN), *pieces, (")", PieceKind.PLAIN))
    )


def _number(word: int, whole: bool) -> str:
    """The text of a number: an integer if `whole` or if it is implausible as a float, else a float."""
    exponent = word >> 23 & 0xFF
    if whole or (word & 0x7FFFFFFF and exponent in (0, 255)):
        return str(word - (word >> 31 << 32))
    return real(word)


def _index(words: Words, at: int, form: int, deep: int) -> tuple[RegisterIndex, int]:
    """Decode the index at word `at`; return the index and the word after it.

    The number `form` is the form of the index. In forms 0 and 1 the index is a number, of one word (0) or two
    words (1). In form 2 it is a register. In forms 3 and 4 it is a register plus a number, of one word (3) or
    two words (4).
    """
    number, added = 0, None
    if form > 4 or deep >= BUDGET.operand_nesting:
        raise FormatError(
            f"the index form {form} is unknown" if form > 4 else "indices are nested too deeply", offset=at
        )
    if form in (1, 4):
        number, at = _word(words, at) << 32 | _word(words, at + 1), at + 2
    elif form != 2:
        number, at = _word(words, at), at + 1
    if form >= 2:
        added = operand(words, at, deep=deep + 1)
        at += added.size
    return RegisterIndex(number, added), at


def _components(token: int) -> str:
    """The mask, the swizzle or the single component as letters; empty for a register without components."""
    if token & 3 != 2:
        return ""
    mode = token >> 2 & 3
    if mode == 0:
        return letters(token >> 4 & 0xF)
    if mode == 1:
        return "".join("xyzw"[token >> shift & 3] for shift in (4, 6, 8, 10))
    return "xyzw"[token >> 4 & 3]


def _register(file: str, indices: list[RegisterIndex]) -> list[Piece]:
    """The pieces of a register: `r0`, `cb5[2]`, `x0[r1.x + 3]`."""
    if not indices:
        return [(file, PieceKind.REGISTER)]
    first, *rest = indices
    bare = first.added is None
    pieces: list[Piece] = [(f"{file}{first.number}" if bare else file, PieceKind.REGISTER)]
    for index in rest if bare else indices:
        pieces.append(("[", PieceKind.REGISTER))
        if index.added:
            pieces += [*index.added.pieces, (f" + {index.number}", PieceKind.NUMBER)]
        else:
            pieces.append((str(index.number), PieceKind.NUMBER))
        pieces.append(("]", PieceKind.REGISTER))
    return pieces


def _use(file: str, indices: list[RegisterIndex], mask: int) -> RegisterUse:
    """The used register. Each constant buffer, and each array `x`, counts as a separate register file."""
    if not indices:
        return RegisterUse(file, 0, mask)
    last = indices[-1]
    named = f"{file}{indices[0].number}" if len(indices) > 1 and file in ("cb", "x") else file
    return RegisterUse(named, last.number, mask, last.added is not None)
