"""The instructions of Direct3D 9 programs as data.

Source: Windows SDK, `d3d9types.h`, D3DSHADER_INSTRUCTION_OPCODE_TYPE.
"""

from __future__ import annotations

from typing import NamedTuple

from viewer.scene.listing import Kind

DEF, DEFI, DEFB, DCL = 81, 48, 47, 31
TEXLD = 66
IFC, BREAKC, SETP = 41, 45, 94
COMMENT, END = 0xFFFE, 0xFFFF


class Opcode(NamedTuple):
    """`operands` has a letter for each parameter: `d` a destination, `s` a source, `S` one that is not there
    in model 3, `u` what a declaration is for, `f` `i` `b` a number. A block ends before the instruction
    (`before` -1) or begins behind it (`after` 1)."""

    name: str
    operands: str
    kind: Kind = Kind.ARITHMETIC
    before: int = 0
    after: int = 0


_A, _T, _F, _D = Kind.ARITHMETIC, Kind.TEXTURE, Kind.FLOW, Kind.DECLARATION

OPCODES: dict[int, Opcode] = {
    0: Opcode("nop", ""),
    1: Opcode("mov", "ds"),
    2: Opcode("add", "dss"),
    3: Opcode("sub", "dss"),
    4: Opcode("mad", "dsss"),
    5: Opcode("mul", "dss"),
    6: Opcode("rcp", "ds"),
    7: Opcode("rsq", "ds"),
    8: Opcode("dp3", "dss"),
    9: Opcode("dp4", "dss"),
    10: Opcode("min", "dss"),
    11: Opcode("max", "dss"),
    12: Opcode("slt", "dss"),
    13: Opcode("sge", "dss"),
    14: Opcode("exp", "ds"),
    15: Opcode("log", "ds"),
    16: Opcode("lit", "ds"),
    17: Opcode("dst", "dss"),
    18: Opcode("lrp", "dsss"),
    19: Opcode("frc", "ds"),
    20: Opcode("m4x4", "dss"),
    21: Opcode("m4x3", "dss"),
    22: Opcode("m3x4", "dss"),
    23: Opcode("m3x3", "dss"),
    24: Opcode("m3x2", "dss"),
    25: Opcode("call", "s", _F),
    26: Opcode("callnz", "ss", _F),
    27: Opcode("loop", "ss", _F, 0, 1),
    28: Opcode("ret", "", _F),
    29: Opcode("endloop", "", _F, -1),
    30: Opcode("label", "s", _F),
    DCL: Opcode("dcl", "ud", _D),
    32: Opcode("pow", "dss"),
    33: Opcode("crs", "dss"),
    34: Opcode("sgn", "dsSS"),
    35: Opcode("abs", "ds"),
    36: Opcode("nrm", "ds"),
    37: Opcode("sincos", "dsSS"),
    38: Opcode("rep", "s", _F, 0, 1),
    39: Opcode("endrep", "", _F, -1),
    40: Opcode("if", "s", _F, 0, 1),
    IFC: Opcode("if", "ss", _F, 0, 1),
    42: Opcode("else", "", _F, -1, 1),
    43: Opcode("endif", "", _F, -1),
    44: Opcode("break", "", _F),
    BREAKC: Opcode("break", "ss", _F),
    46: Opcode("mova", "ds"),
    DEFB: Opcode("defb", "db", _D),
    DEFI: Opcode("defi", "diiii", _D),
    64: Opcode("texcrd", "ds", _T),
    65: Opcode("texkill", "d", _T),
    TEXLD: Opcode("texld", "dss", _T),
    67: Opcode("texbem", "ds", _T),
    68: Opcode("texbeml", "ds", _T),
    69: Opcode("texreg2ar", "ds", _T),
    70: Opcode("texreg2gb", "ds", _T),
    71: Opcode("texm3x2pad", "ds", _T),
    72: Opcode("texm3x2tex", "ds", _T),
    73: Opcode("texm3x3pad", "ds", _T),
    74: Opcode("texm3x3tex", "ds", _T),
    76: Opcode("texm3x3spec", "dss", _T),
    77: Opcode("texm3x3vspec", "ds", _T),
    78: Opcode("expp", "ds"),
    79: Opcode("logp", "ds"),
    80: Opcode("cnd", "dsss"),
    DEF: Opcode("def", "dffff", _D),
    82: Opcode("texreg2rgb", "ds", _T),
    83: Opcode("texdp3tex", "ds", _T),
    84: Opcode("texm3x2depth", "ds", _T),
    85: Opcode("texdp3", "ds", _T),
    86: Opcode("texm3x3", "ds", _T),
    87: Opcode("texdepth", "d", _T),
    88: Opcode("cmp", "dsss"),
    89: Opcode("bem", "dss"),
    90: Opcode("dp2add", "dsss"),
    91: Opcode("dsx", "ds"),
    92: Opcode("dsy", "ds"),
    93: Opcode("texldd", "dssss", _T),
    SETP: Opcode("setp", "dss"),
    95: Opcode("texldl", "dss", _T),
    96: Opcode("breakp", "s", _F),
    0xFFFD: Opcode("phase", "", _F),
    COMMENT: Opcode("comment", "", Kind.COMMENT),
    END: Opcode("end", "", Kind.END),
}

COMPARISONS = {1: "gt", 2: "eq", 3: "ge", 4: "lt", 5: "ne", 6: "le"}
"""Of `if`, `break` and `setp`, in the bits 16 to 18."""

TEXLD_CONTROLS = {0: "texld", 1: "texldp", 2: "texldb"}
"""Projected, biased."""

USAGES = (
    "position",
    "blendweight",
    "blendindices",
    "normal",
    "psize",
    "texcoord",
    "tangent",
    "binormal",
    "tessfactor",
    "positiont",
    "color",
    "fog",
    "depth",
    "sample",
)
"""D3DDECLUSAGE: what a vertex element or an output is."""

TEXTURES = {2: "2d", 3: "cube", 4: "volume"}
"""D3DSAMPLER_TEXTURE_TYPE."""
