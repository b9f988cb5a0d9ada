"""Tables of the instructions in Direct3D 9 programs.

Source: Windows SDK, `d3d9types.h`, D3DSHADER_INSTRUCTION_OPCODE_TYPE.
"""

from __future__ import annotations

from typing import NamedTuple

from viewer.scene.shader import InstructionKind

DEF, DEFI, DEFB, DCL = 81, 48, 47, 31
TEXLD = 66
IFC, BREAKC, SETP = 41, 45, 94
COMMENT, END = 0xFFFE, 0xFFFF


class D3D9Opcode(NamedTuple):
    """An opcode. `operands` has a letter for each parameter: `d` a destination, `s` a source, `S` a source
    that model 3 lacks, `u` the usage of a declaration, `f` `i` `b` a number. `before` is -1 if a block ends
    before the instruction; `after` is 1 if a block begins after it.
    """

    name: str
    operands: str
    kind: InstructionKind = InstructionKind.ARITHMETIC
    before: int = 0
    after: int = 0


_A, _T, _F, _D = (
    InstructionKind.ARITHMETIC,
    InstructionKind.TEXTURE,
    InstructionKind.FLOW,
    InstructionKind.DECLARATION,
)

OPCODES: dict[int, D3D9Opcode] = {
    0: D3D9Opcode("nop", ""),
    1: D3D9Opcode("mov", "ds"),
    2: D3D9Opcode("add", "dss"),
    3: D3D9Opcode("sub", "dss"),
    4: D3D9Opcode("mad", "dsss"),
    5: D3D9Opcode("mul", "dss"),
    6: D3D9Opcode("rcp", "ds"),
    7: D3D9Opcode("rsq", "ds"),
    8: D3D9Opcode("dp3", "dss"),
    9: D3D9Opcode("dp4", "dss"),
    10: D3D9Opcode("min", "dss"),
    11: D3D9Opcode("max", "dss"),
    12: D3D9Opcode("slt", "dss"),
    13: D3D9Opcode("sge", "dss"),
    14: D3D9Opcode("exp", "ds"),
    15: D3D9Opcode("log", "ds"),
    16: D3D9Opcode("lit", "ds"),
    17: D3D9Opcode("dst", "dss"),
    18: D3D9Opcode("lrp", "dsss"),
    19: D3D9Opcode("frc", "ds"),
    20: D3D9Opcode("m4x4", "dss"),
    21: D3D9Opcode("m4x3", "dss"),
    22: D3D9Opcode("m3x4", "dss"),
    23: D3D9Opcode("m3x3", "dss"),
    24: D3D9Opcode("m3x2", "dss"),
    25: D3D9Opcode("call", "s", _F),
    26: D3D9Opcode("callnz", "ss", _F),
    27: D3D9Opcode("loop", "ss", _F, 0, 1),
    28: D3D9Opcode("ret", "", _F),
    29: D3D9Opcode("endloop", "", _F, -1),
    30: D3D9Opcode("label", "s", _F),
    DCL: D3D9Opcode("dcl", "ud", _D),
    32: D3D9Opcode("pow", "dss"),
    33: D3D9Opcode("crs", "dss"),
    34: D3D9Opcode("sgn", "dsSS"),
    35: D3D9Opcode("abs", "ds"),
    36: D3D9Opcode("nrm", "ds"),
    37: D3D9Opcode("sincos", "dsSS"),
    38: D3D9Opcode("rep", "s", _F, 0, 1),
    39: D3D9Opcode("endrep", "", _F, -1),
    40: D3D9Opcode("if", "s", _F, 0, 1),
    IFC: D3D9Opcode("if", "ss", _F, 0, 1),
    42: D3D9Opcode("else", "", _F, -1, 1),
    43: D3D9Opcode("endif", "", _F, -1),
    44: D3D9Opcode("break", "", _F),
    BREAKC: D3D9Opcode("break", "ss", _F),
    46: D3D9Opcode("mova", "ds"),
    DEFB: D3D9Opcode("defb", "db", _D),
    DEFI: D3D9Opcode("defi", "diiii", _D),
    64: D3D9Opcode("texcrd", "ds", _T),
    65: D3D9Opcode("texkill", "d", _T),
    TEXLD: D3D9Opcode("texld", "dss", _T),
    67: D3D9Opcode("texbem", "ds", _T),
    68: D3D9Opcode("texbeml", "ds", _T),
    69: D3D9Opcode("texreg2ar", "ds", _T),
    70: D3D9Opcode("texreg2gb", "ds", _T),
    71: D3D9Opcode("texm3x2pad", "ds", _T),
    72: D3D9Opcode("texm3x2tex", "ds", _T),
    73: D3D9Opcode("texm3x3pad", "ds", _T),
    74: D3D9Opcode("texm3x3tex", "ds", _T),
    76: D3D9Opcode("texm3x3spec", "dss", _T),
    77: D3D9Opcode("texm3x3vspec", "ds", _T),
    78: D3D9Opcode("expp", "ds"),
    79: D3D9Opcode("logp", "ds"),
    80: D3D9Opcode("cnd", "dsss"),
    DEF: D3D9Opcode("def", "dffff", _D),
    82: D3D9Opcode("texreg2rgb", "ds", _T),
    83: D3D9Opcode("texdp3tex", "ds", _T),
    84: D3D9Opcode("texm3x2depth", "ds", _T),
    85: D3D9Opcode("texdp3", "ds", _T),
    86: D3D9Opcode("texm3x3", "ds", _T),
    87: D3D9Opcode("texdepth", "d", _T),
    88: D3D9Opcode("cmp", "dsss"),
    89: D3D9Opcode("bem", "dss"),
    90: D3D9Opcode("dp2add", "dsss"),
    91: D3D9Opcode("dsx", "ds"),
    92: D3D9Opcode("dsy", "ds"),
    93: D3D9Opcode("texldd", "dssss", _T),
    SETP: D3D9Opcode("setp", "dss"),
    95: D3D9Opcode("texldl", "dss", _T),
    96: D3D9Opcode("breakp", "s", _F),
    0xFFFD: D3D9Opcode("phase", "", _F),
    COMMENT: D3D9Opcode("comment", "", InstructionKind.COMMENT),
    END: D3D9Opcode("end", "", InstructionKind.END),
}

COMPARISONS = {1: "gt", 2: "eq", 3: "ge", 4: "lt", 5: "ne", 6: "le"}
"""Comparisons of `if`, `break` and `setp`, by bits 16 to 18."""

TEXLD_CONTROLS = {0: "texld", 1: "texldp", 2: "texldb"}
"""Variants of `texld`, by bits 16 and 17: plain, projected, biased."""

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
"""Usages of vertex elements and outputs, by D3DDECLUSAGE."""

TEXTURES = {2: "2d", 3: "cube", 4: "volume"}
"""Texture types by D3DSAMPLER_TEXTURE_TYPE."""
