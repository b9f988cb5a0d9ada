"""Decode parameter tokens of Direct3D 9 programs: registers, masks, swizzles, modifiers.

Source: Windows Driver Kit, "Destination Parameter Token", "Source Parameter Token".
"""

from __future__ import annotations

from typing import NamedTuple

from viewer.families.urho3d.compiled.program_listing import swizzled
from viewer.scene.shader import Piece, PieceKind, RegisterUse, bits, letters

NUMBER_MASK = 0x7FF
RELATIVE = 1 << 13
PARAMETER = 1 << 31
"""The bit that is set in each parameter token and clear in each instruction token."""

INPUT, CONST, ADDRESS, RASTOUT, ATTROUT, OUTPUT, DEPTHOUT, SAMPLER = 1, 2, 3, 4, 5, 6, 9, 10
LOOP, MISC = 15, 17
FILES = {
    0: "r",
    INPUT: "v",
    CONST: "c",
    ADDRESS: "a",
    ATTROUT: "oD",
    OUTPUT: "o",
    7: "i",
    8: "oC",
    DEPTHOUT: "oDepth",
    SAMPLER: "s",
    11: "c",
    12: "c",
    13: "c",
    14: "b",
    LOOP: "aL",
    16: "half",
    18: "l",
    19: "p",
}
"""Register files by D3DSHADER_PARAM_REGISTER_TYPE."""
MORE_CONSTANTS = {11: 2048, 12: 4096, 13: 6144}
"""Register files whose registers continue the numbers of the file `c`, and for each file the number of its
first register.
"""
RASTER_OUTPUTS, MISC_INPUTS = ("oPos", "oFog", "oPts"), ("vPos", "vFace")
SINGLE = frozenset({"aL", "oDepth"})
"""Register files of a single register, which has no number."""

SHIFTS = {1: "_x2", 2: "_x4", 3: "_x8", 13: "_d8", 14: "_d4", 15: "_d2"}
"""Scale modifiers of a result, in shader model 1."""
RESULTS = ((1, "_sat"), (2, "_pp"), (4, "_centroid"))
"""Texts of the result modifiers, by bit."""

SOURCE_MODIFIERS = {
    0: ("", ""),
    1: ("-", ""),
    2: ("", "_bias"),
    3: ("-", "_bias"),
    4: ("", "_bx2"),
    5: ("-", "_bx2"),
    6: ("1-", ""),
    7: ("", "_x2"),
    8: ("-", "_x2"),
    9: ("", "_dz"),
    10: ("", "_dw"),
    11: ("", "_abs"),
    12: ("-", "_abs"),
    13: ("!", ""),
}
"""Texts before and after a register, by source modifier."""


class RegisterName(NamedTuple):
    """A register: its register file, its number (0 if the register file has only one register), and its name
    (`text`).
    """

    file: str
    number: int
    text: str


class SourceOperand(NamedTuple):
    """A parameter of an instruction. `suffix` is appended to the opcode. `known` is False for an unknown
    register or modifier.
    """

    pieces: tuple[Piece, ...]
    use: RegisterUse
    suffix: str = ""
    known: bool = True


def register_name(token: int, pixel: bool, major: int) -> RegisterName | None:
    """Return the register of a parameter token; None for an unknown register file. `major` is the shader
    model.
    """
    kind, number = (token >> 28 & 7) | (token >> 8 & 0x18), token & NUMBER_MASK
    if kind == RASTOUT and number < len(RASTER_OUTPUTS):
        return RegisterName(RASTER_OUTPUTS[number], 0, RASTER_OUTPUTS[number])
    if kind == MISC and number < len(MISC_INPUTS):
        return RegisterName(MISC_INPUTS[number], 0, MISC_INPUTS[number])
    if kind not in FILES:
        return None
    file, number = FILES[kind], number + MORE_CONSTANTS.get(kind, 0)
    if kind == ADDRESS and pixel:
        file = "t"
    if kind == OUTPUT and major < 3:
        file = "oT"
    return RegisterName(file, number, file if file in SINGLE else f"{file}{number}")


def destination(token: int, pixel: bool, major: int, index: int | None = None) -> SourceOperand:
    """Return the operand that an instruction writes; `index` is the address token of a relative operand."""
    mask = token >> 16 & 0xF
    modifiers = token >> 20 & 0xF
    suffix = SHIFTS.get(token >> 24 & 0xF, "") + "".join(text for bit, text in RESULTS if modifiers & bit)
    swizzle = "" if mask == 0xF else letters(mask)
    return _operand(token, pixel, major, index, swizzle, mask, ("", ""), suffix)


def source(token: int, pixel: bool, major: int, index: int | None = None) -> SourceOperand:
    """Return the operand that an instruction reads; `index` is the address token of a relative operand."""
    swizzle = "".join("xyzw"[token >> shift & 3] for shift in (16, 18, 20, 22))
    signs = SOURCE_MODIFIERS.get(token >> 24 & 0xF)
    found = _operand(token, pixel, major, index, swizzle, bits(swizzle), signs or ("?", ""), "")
    return found if signs else found._replace(known=False)


def _operand(
    token: int,
    pixel: bool,
    major: int,
    index: int | None,
    swizzle: str,
    mask: int,
    signs: tuple[str, str],
    suffix: str,
) -> SourceOperand:
    found = register_name(token, pixel, major)
    if found is None:
        return SourceOperand(
            ((f"?{token:08x}", PieceKind.REGISTER),), RegisterUse("?", 0), suffix, known=False
        )
    relative = bool(token & RELATIVE)
    register = (f"{found.file}[" if relative else found.text, PieceKind.REGISTER)
    pieces: list[Piece] = [(signs[0], PieceKind.MODIFIER)] if signs[0] else []
    pieces += [register, *_relative(index, found.number, pixel, major)] if relative else [register]
    if signs[1]:
        pieces.append((signs[1], PieceKind.MODIFIER))
    plain = found.file in ("s", "l", "b", "i", "aL") and not relative
    pieces += () if plain else swizzled(swizzle)
    return SourceOperand(tuple(pieces), RegisterUse(found.file, found.number, mask, relative), suffix)


def _relative(index: int | None, number: int, pixel: bool, major: int) -> tuple[Piece, ...]:
    """The pieces of a relative address after its `[`, such as `a0.x + 20]`."""
    address = (
        source(index & ~RELATIVE, pixel, major).pieces
        if index is not None
        else (("a0.x", PieceKind.REGISTER),)
    )
    more = ((f" + {number}", PieceKind.NUMBER),) if number else ()
    return (*address, *more, ("]", PieceKind.REGISTER))
