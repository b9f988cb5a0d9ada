"""Tables of the instructions in shader models 4.0 and 4.1.

Source: Windows Driver Kit, `d3d10tokenizedprogramformat.hpp`.
"""

from __future__ import annotations

from typing import NamedTuple

from viewer.scene.shader import InstructionKind

CUSTOM_DATA = 53


class DxbcOpcode(NamedTuple):
    """An opcode. `written` is the number of operands that are destinations. `whole`: immediate numbers are
    integers. `before` is -1 if a block ends before the instruction; `after` is 1 if a block begins after it.
    """

    name: str
    written: int = 1
    kind: InstructionKind = InstructionKind.ARITHMETIC
    whole: bool = False
    before: int = 0
    after: int = 0


def _table(
    names: str, first: int, written: int, kind: InstructionKind, whole: bool = False
) -> dict[int, DxbcOpcode]:
    numbered = ((first + number, name) for number, name in enumerate(names.split()))
    return {number: DxbcOpcode(name, written, kind, whole) for number, name in numbered if name != "-"}


_A, _T, _F, _D = (
    InstructionKind.ARITHMETIC,
    InstructionKind.TEXTURE,
    InstructionKind.FLOW,
    InstructionKind.DECLARATION,
)

OPCODES: dict[int, DxbcOpcode] = {
    **_table("add", 0, 1, _A),
    **_table("and", 1, 1, _A, True),
    **_table("break breakc call callc case continue continuec cut default", 2, 0, _F),
    **_table("deriv_rtx deriv_rty", 11, 1, _A),
    **_table("discard", 13, 0, _F),
    **_table("div dp2 dp3 dp4", 14, 1, _A),
    **_table("else emit emitThenCut endif endloop endswitch", 18, 0, _F),
    **_table("eq exp frc ftoi ftou ge", 24, 1, _A),
    **_table("iadd - ieq ige ilt imad imax imin - ine ineg ishl ishr itof", 30, 1, _A, True),
    **_table("if", 31, 0, _F),
    38: DxbcOpcode("imul", 2, _A, True),
    **_table("label", 44, 0, _F),
    **_table("ld ld_ms", 45, 1, _T),
    **_table("log", 47, 1, _A),
    **_table("loop", 48, 0, _F),
    **_table("lt mad min max", 49, 1, _A),
    CUSTOM_DATA: DxbcOpcode("dcl_immediateConstantBuffer", 0, _D),
    **_table("mov movc mul ne", 54, 1, _A),
    **_table("nop", 58, 0, _A),
    **_table("not or", 59, 1, _A, True),
    **_table("resinfo", 61, 1, _T),
    **_table("ret retc", 62, 0, _F),
    **_table("round_ne round_ni round_pi round_z rsq", 64, 1, _A),
    **_table("sample sample_c sample_c_lz sample_l sample_d sample_b", 69, 1, _T),
    **_table("sqrt", 75, 1, _A),
    **_table("switch", 76, 0, _F),
    77: DxbcOpcode("sincos", 2),
    78: DxbcOpcode("udiv", 2, _A, True),
    **_table("ult uge - umad umax umin ushr utof xor", 79, 1, _A, True),
    81: DxbcOpcode("umul", 2, _A, True),
    **_table(
        "dcl_resource dcl_constantbuffer dcl_sampler dcl_indexRange dcl_outputtopology dcl_inputprimitive "
        "dcl_maxout dcl_input dcl_input_sgv dcl_input_siv dcl_input_ps dcl_input_ps_sgv dcl_input_ps_siv "
        "dcl_output dcl_output_sgv dcl_output_siv dcl_temps dcl_indexableTemp dcl_globalFlags",
        88,
        0,
        _D,
    ),
    **_table("lod gather4 samplepos sampleinfo", 108, 1, _T),
}
for _number, _before, _after in (
    (31, 0, 1),
    (18, -1, 1),
    (21, -1, 0),
    (48, 0, 1),
    (22, -1, 0),
    (76, 0, 1),
    (23, -1, 0),
):
    OPCODES[_number] = OPCODES[_number]._replace(before=_before, after=_after)

TESTED = frozenset({3, 5, 8, 13, 31, 63})
"""Opcodes with a suffix `_z` or `_nz`: breakc, callc, continuec, discard, if, retc."""

RESOURCES = {
    1: "buffer",
    2: "texture1d",
    3: "texture2d",
    4: "texture2dms",
    5: "texture3d",
    6: "texturecube",
    7: "texture1darray",
    8: "texture2darray",
    9: "texture2dmsarray",
    10: "texturecubearray",
}
RETURNS = {1: "unorm", 2: "snorm", 3: "sint", 4: "uint", 5: "float", 6: "mixed"}
SAMPLERS = {0: "mode_default", 1: "mode_comparison", 2: "mode_mono"}
INTERPOLATIONS = {
    1: "constant",
    2: "linear",
    3: "linear centroid",
    4: "linear noperspective",
    5: "linear noperspective centroid",
    6: "linear sample",
    7: "linear noperspective sample",
}
SYSTEM_VALUES = (
    "undefined",
    "position",
    "clip_distance",
    "cull_distance",
    "rendertarget_array_index",
    "viewport_array_index",
    "vertex_id",
    "primitive_id",
    "instance_id",
    "is_front_face",
    "sampleIndex",
)
