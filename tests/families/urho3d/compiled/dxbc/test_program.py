"""Programs of shader model 4, packed by hand from the published token layouts, as text."""

from __future__ import annotations

import pytest

from tests.shader_files import PS_4_0, dxbc_bytes, program4
from viewer.budget import BUDGET
from viewer.families.urho3d.compiled.dxbc import compiled
from viewer.families.urho3d.compiled.dxbc.opcodes import OPCODES
from viewer.families.urho3d.compiled.program_listing import ProgramTree
from viewer.scene.shader import InstructionKind


def read(*tokens: int, most: int = BUDGET.instructions) -> ProgramTree:
    data = dxbc_bytes([(b"SHDR", program4(tokens, PS_4_0))])
    return compiled(data, 0, len(data), lambda use: "", most)


def test_a_pixel_program() -> None:
    found = read(
        *(0x04000059, 0x00208E46, 4, 1),  # dcl_constantbuffer cb4[1], immediateIndexed
        *(0x0300005A, 0x00106000, 0),  # dcl_sampler s0, mode_default
        *(0x04001858, 0x00107000, 0, 0x00005555),  # dcl_resource_texture2d t0
        *(0x03001062, 0x00101032, 0),  # dcl_input_ps linear v0.xy
        *(0x03000065, 0x001020F2, 0),  # dcl_output o0.xyzw
        *(0x02000068, 2),  # dcl_temps 2
        # sample r0.xyzw, v0.xyxx, t0.xyzw, s0
        *(0x09000045, 0x001000F2, 0, 0x00101046, 0, 0x00107E46, 0, 0x00106000, 0),
        # lt r1.x, r0.w, l(0.5)
        *(0x07000031, 0x00100012, 1, 0x0010003A, 0, 0x00004001, 0x3F000000),
        *(0x0304001F, 0x0010000A, 1),  # if_nz r1.x
        *(0x0304000D, 0x00004001, 0xFFFFFFFF),  # discard_nz l(-1)
        0x01000015,  # endif
        # mul_sat o0.xyzw, r0.xyzw, -|cb4[0].xyzw|
        *(0x09002038, 0x001020F2, 0, 0x00100E46, 0, 0x80208E46, 0x000000C1, 4, 0),
        0x0100003E,  # ret
    )
    assert [(line.depth, line.text) for line in found.program.lines] == [
        (0, "dcl_constantbuffer cb4[1], immediateIndexed"),
        (0, "dcl_sampler s0, mode_default"),
        (0, "dcl_resource_texture2d t0, (float,float,float,float)"),
        (0, "dcl_input_ps linear v0.xy"),
        (0, "dcl_output o0.xyzw"),
        (0, "dcl_temps 2"),
        (0, "sample r0.xyzw, v0.xyxx, t0.xyzw, s0"),
        (0, "lt r1.x, r0.w, l(0.5)"),
        (0, "if_nz r1.x"),
        (1, "discard_nz l(-1)"),
        (0, "endif"),
        (0, "mul_sat o0.xyzw, r0.xyzw, -|cb4[0].xyzw|"),
        (0, "ret"),
    ]
    counts = found.program.statistics
    assert counts.instructions == 7 and counts.kinds[InstructionKind.TEXTURE] == 1
    assert counts.registers["cb4"] == (0,) and counts.declared["s"] == (0,) and counts.registers["t"] == (0,)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ((0x08000036, 0x00100012, 0, 0x0620301A, 0, 3, 0x0010000A, 1), "mov r0.x, x0[r1.x + 3].y"),
        ((0x05000036, 0x00100012, 0, 0x00004001, 0x40490FDB), "mov r0.x, l(3.1415927)"),
        ((0x08000036, 0x001000F2, 0, 0x4002, 0, 0x3F800000, 5, 0x80000000), "mov r0.xyzw, l(0, 1, 5, -0)"),
        ((0x0700001E, 0x00100012, 0, 0x0010000A, 0, 0x4001, 0x3F800000), "iadd r0.x, r0.x, l(1065353216)"),
        ((0x04000026, 0x0000D000, 0x0000D000, 0x0000D000), "imul null, null, null"),
        ((0x04000036, 0x0000C001, 0x0010000A, 0), "mov oDepth, r0.x"),
        ((0x0300405F, 0x00101012, 3), "dcl_input v3.x"),
        ((0x04000060, 0x00101012, 3, 6), "dcl_input_sgv v3.x, vertex_id"),
        ((0x0100086A,), "dcl_globalFlags refactoringAllowed"),
        ((0x04000069, 0, 8, 4), "dcl_indexableTemp 0, 8, 4"),
        ((0x0300085A, 0x00106000, 10), "dcl_sampler s10, mode_comparison"),
        ((0x0A000045 | 1 << 31, 0x0001E201, 0x001000F2, 0, 0x00101046, 0, 0x00107E46, 0, 0x00106000, 0),
         "sample_aoffimmi(1,-1,0) r0.xyzw, v0.xyxx, t0.xyzw, s0"),
    ],
)  # fmt: skip
def test_operands(tokens: tuple[int, ...], text: str) -> None:
    assert read(*tokens).program.lines[0].text == text


def test_relative_indices_hold_operands() -> None:
    # mov r0.xyzw, cb2[r1.x + 7].xyzw: index 0 a number, index 1 a number and a register (form 3)
    line = read(0x08000036, 0x001000F2, 0, 0x06208E46, 2, 7, 0x0010000A, 1, 0x0100003E).program.lines[0]
    assert line.text == "mov r0.xyzw, cb2[r1.x + 7].xyzw"


def test_the_immediate_constants_are_data() -> None:
    found = read(0x00001835, 6, 1, 2, 3, 4, 0x0100003E)
    assert [line.text for line in found.program.lines] == [
        "dcl_immediateConstantBuffer immediate constant buffer, 4 words",
        "ret",
    ]


def test_an_operand_that_goes_on_behind_its_instruction_is_told() -> None:
    found = read(0x02000036, 0x001000F2, 0x0100003E)
    assert found.errors == [] and "instruction 0 differs from the published format" in found.warnings[0]
    assert [line.text for line in found.program.lines] == ["mov", "ret"]


@pytest.mark.parametrize(
    ("tokens", "why"),
    [
        ((0x00000036,), "has the length 0"),
        ((0x05000036, 0x001000F2), "5 tokens declared, 2 left"),
        ((0x00000035, 0xFFFFFFFF), "4294967295 tokens declared"),
    ],
)
def test_a_stream_that_breaks_off_says_where(tokens: tuple[int, ...], why: str) -> None:
    (error,) = read(*tokens).errors
    assert why in error.why and error.path == "SHDR/instructions[0]"


def test_unknown_opcodes_are_passed_over() -> None:
    found = read(0x010000FF, 0x0100003E)
    assert [line.text for line in found.program.lines] == ["op_255", "ret"]
    assert found.warnings == ["instruction 0 differs from the published format"]


def test_endless_indices_are_refused() -> None:
    found = read(0x09000036, 0x001000F2, 0, *[0x00900E46] * 6, 0x0100003E)
    assert found.program.lines[-1].text == "ret"
    assert "instruction 0" in found.warnings[0]


PUBLISHED = (
    "add and break breakc call callc case continue continuec cut default deriv_rtx deriv_rty discard div dp2 "
    "dp3 dp4 else emit emitThenCut endif endloop endswitch eq exp frc ftoi ftou ge iadd if ieq ige ilt imad "
    "imax imin imul ine ineg ishl ishr itof label ld ld_ms log loop lt mad min max "
    "dcl_immediateConstantBuffer mov movc mul ne nop not or resinfo ret retc round_ne round_ni round_pi "
    "round_z rsq sample sample_c sample_c_lz sample_l sample_d sample_b sqrt switch sincos udiv ult uge umul "
    "umad umax umin ushr utof xor dcl_resource dcl_constantbuffer dcl_sampler dcl_indexRange "
    "dcl_outputtopology dcl_inputprimitive dcl_maxout dcl_input dcl_input_sgv dcl_input_siv dcl_input_ps "
    "dcl_input_ps_sgv dcl_input_ps_siv dcl_output dcl_output_sgv dcl_output_siv dcl_temps dcl_indexableTemp "
    "dcl_globalFlags - lod gather4 samplepos sampleinfo"
)
"""The opcodes by their published numbers, from 0."""


def test_opcodes_have_their_published_numbers() -> None:
    named = {number: name for number, name in enumerate(PUBLISHED.split()) if name != "-"}
    assert {number: each.name for number, each in OPCODES.items()} == named


def test_only_calculations_and_reads_have_destinations() -> None:
    silent = InstructionKind.FLOW, InstructionKind.DECLARATION
    two = {each.name for each in OPCODES.values() if each.written == 2}
    none = {each.name for each in OPCODES.values() if each.written == 0 and each.kind not in silent}
    assert two == {"imul", "sincos", "udiv", "umul"} and none == {"nop"}
    assert {each.written for each in OPCODES.values() if each.kind in silent} == {0}
    assert {each.written for each in OPCODES.values()} == {0, 1, 2}


def test_blocks_may_lie_in_blocks() -> None:
    case = (0x0300004C, 0x0010000A, 0)  # switch r0.x
    test = (0x0304001F, 0x0010000A, 0)  # if_nz r0.x
    ends = 0x01000012, 0x01000015, 0x01000017, 0x01000016  # else, endif, endswitch, endloop
    lines = read(0x01000030, *case, *test, *ends, 0x0100003E).program.lines
    assert [(line.depth, line.text) for line in lines] == [
        (0, "loop"),
        (1, "switch r0.x"),
        (2, "if_nz r0.x"),
        (2, "else"),
        (2, "endif"),
        (1, "endswitch"),
        (0, "endloop"),
        (0, "ret"),
    ]


@pytest.mark.parametrize(
    ("tokens", "names"),
    [
        ((0x05000036, 0x00100012, 0, 0x0010000A, 1), ["opcode", "destination", "source 0"]),
        (
            (0x04000026, 0x0000D000, 0x0000D000, 0x0000D000),
            ["opcode", "destination", "destination", "source 0"],
        ),
        ((0x0304001F, 0x0010000A, 1), ["opcode", "source 0"]),
        (
            (0x09000045, 0x001000F2, 0, 0x00101046, 0, 0x00107E46, 0, 0x00106000, 0),
            ["opcode", "destination", "source 0", "source 1", "source 2"],
        ),
    ],
)
def test_tokens_are_named_by_what_they_are(tokens: tuple[int, ...], names: list[str]) -> None:
    listing = read(*tokens).listing
    assert listing is not None
    (instructions,) = listing.spans()
    assert [each.name for each in instructions.children[0].children] == names


REGISTERS = "r v o x - - s t cb icb label vPrim oDepth null rasterizer oMask ?16_"


@pytest.mark.parametrize(
    ("kind", "file"), [(kind, file) for kind, file in enumerate(REGISTERS.split()) if file != "-"]
)
def test_register_files_have_their_published_numbers(kind: int, file: str) -> None:
    one, bare = 1 << 20 | kind << 12, kind << 12
    assert read(0x04000036, bare, one, 7).program.lines[0].text == f"mov {file}, {file}7"


RESOURCES = (
    "? buffer texture1d texture2d texture2dms texture3d texturecube texture1darray texture2darray "
    "texture2dmsarray texturecubearray ?"
)
INTERPOLATIONS = (
    "constant",
    "linear",
    "linear centroid",
    "linear noperspective",
    "linear noperspective centroid",
    "linear sample",
    "linear noperspective sample",
    "?",
)
SYSTEM_VALUES = (
    "undefined position clip_distance cull_distance rendertarget_array_index viewport_array_index vertex_id "
    "primitive_id instance_id is_front_face sampleIndex 11"
)


@pytest.mark.parametrize(("number", "name"), list(enumerate(RESOURCES.split())))
def test_dimensions_of_resources_have_their_published_numbers(number: int, name: str) -> None:
    text = read(0x04000058 | number << 11, 0x00107000, 0, 0x65431).program.lines[0].text
    assert text == f"dcl_resource_{name} t0, (unorm,sint,uint,float)"


@pytest.mark.parametrize(("number", "name"), list(enumerate(INTERPOLATIONS, 1)))
def test_interpolations_have_their_published_numbers(number: int, name: str) -> None:
    assert (
        read(0x03000062 | number << 11, 0x00101032, 0).program.lines[0].text == f"dcl_input_ps {name} v0.xy"
    )


@pytest.mark.parametrize(("number", "name"), list(enumerate(SYSTEM_VALUES.split())))
def test_system_values_have_their_published_numbers(number: int, name: str) -> None:
    assert read(0x04000061, 0x00101012, 1, number).program.lines[0].text == f"dcl_input_siv v1.x, {name}"


@pytest.mark.parametrize(
    ("number", "name"), list(enumerate(("mode_default", "mode_comparison", "mode_mono", "?")))
)
def test_modes_of_samplers_have_their_published_numbers(number: int, name: str) -> None:
    assert read(0x0300005A | number << 11, 0x00106000, 0).program.lines[0].text == f"dcl_sampler s0, {name}"
