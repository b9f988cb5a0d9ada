"""Direct3D 9 programs, packed by hand from the published token layouts, as text."""

from __future__ import annotations

import pytest

from tests.shader_files import END, PS_3_0, TRANSFORM, VS_3_0, words
from viewer.budget import BUDGET
from viewer.families.urho3d.compiled.d3d9 import compiled, is_program
from viewer.families.urho3d.compiled.d3d9.constant_table import described
from viewer.families.urho3d.compiled.program_listing import ProgramTree
from viewer.scene.shader import InstructionKind, PieceKind


def read(*tokens: int, most: int = BUDGET.instructions) -> ProgramTree:
    data = words(*tokens)
    return compiled(
        data, 0, len(data), lambda use: f"<{use.file}{use.number}>" if use.file == "s" else "", most
    )


def texts(*tokens: int) -> list[str]:
    return [line.text for line in read(*tokens).program.lines]


def one(*tokens: int, version: int = PS_3_0) -> str:
    """The text of one instruction in a program of nothing else."""
    line, end = texts(version, *tokens, END)
    assert end == "end"
    return line


def test_a_vertex_program() -> None:
    assert texts(*TRANSFORM) == [
        "def c8, 1, -0.5, 0, 100",
        "dcl_position v0",
        "dcl_texcoord1 v1.xy",
        "dcl_position o0",
        "dcl_texcoord o1.xy",
        "dp4 o0.x, v0, c4",
        "dp4 o0.y, v0, c5",
        "dp4 o0.z, v0, c6",
        "dp4 o0.w, v0, c7",
        "mad o1.xy, v1, c8.x, -c8.y",
        "end",
    ]


def test_a_pixel_program_with_textures_and_blocks() -> None:
    found = read(
        PS_3_0,
        *(0x0200001F, 0x80000005, 0x90030000),  # dcl_texcoord v0.xy
        *(0x0200001F, 0x98000000, 0xA00F0803),  # dcl_cube s3
        *(0x02040029, 0x90550000, 0xA0AA0001),  # if_lt v0.y, c1.z: the control is 4
        *(0x03000042, 0x802F0000, 0x90E40000, 0xA0E40803),  # texld_pp r0, v0, s3
        0x0000002A,  # else
        *(0x03010042, 0x800F0000, 0x90E40000, 0xA0E40803),  # texldp r0, v0, s3
        0x0000002B,  # endif
        *(0x02000001, 0x801F0800, 0x80E40000),  # mov_sat oC0, r0
        END,
    )
    lines = found.program.lines
    assert [(line.depth, line.text) for line in lines] == [
        (0, "dcl_texcoord v0.xy"),
        (0, "dcl_cube s3"),
        (0, "if_lt v0.y, c1.z"),
        (1, "texld_pp r0, v0, s3"),
        (0, "else"),
        (1, "texldp r0, v0, s3"),
        (0, "endif"),
        (0, "mov_sat oC0, r0"),
        (0, "end"),
    ]
    counts = found.program.statistics
    assert (
        counts.kinds[InstructionKind.TEXTURE] == 2
        and counts.kinds[InstructionKind.FLOW] == 3
        and counts.instructions == 6
    )
    assert counts.registers["s"] == (3,) and counts.declared["s"] == (3,) and counts.registers["oC"] == (0,)
    assert lines[3].note == "<s3>"


def test_loops_are_blocks() -> None:
    lines = read(
        VS_3_0,
        *(0x0200001B, 0xF0E40800, 0xF0E40000),  # loop aL, i0
        *(0x03000001, 0x800F0000, 0xA0E42014, 0xF0E40800),  # mov r0, c[aL + 20]
        0x0000001D,  # endloop
        END,
    ).program.lines
    assert [(line.depth, line.text) for line in lines[:3]] == [
        (0, "loop aL, i0"),
        (1, "mov r0, c[aL + 20]"),
        (0, "endloop"),
    ]


def test_what_an_instruction_has_too_much_or_too_little_is_told() -> None:
    assert read(VS_3_0, 0x03000001, 0x800F0000, 0x90E40000, 0x90E40000, END).warnings
    assert read(VS_3_0, 0x01000059, 0x800F0000, END).warnings
    assert not read(VS_3_0, 0x02000025, 0x80030000, 0x80000001, END).warnings  # sincos of model 3


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ((0x0200002E, 0xB0010000, 0x90000001), "mova a0.x, v1.x"),
        ((0x03000001, 0x800F0001, 0xA0E42014, 0xB0000000), "mov r1, c[a0.x + 20]"),
        ((0x03000001, 0x800F0001, 0xA0E42000, 0xB0550000), "mov r1, c[a0.y]"),
        ((0x0200001B, 0xF0E40800, 0xF0E40001), "loop aL, i1"),
        ((0x0000001D,), "endloop"),
        ((0x03020001 | 1 << 28, 0x800F0001, 0xB0001000, 0x80E40000), "(p0.x) mov r1, r0"),
        ((0x0305005E, 0xB00F1000, 0x80E40000, 0x8BE40001), "setp_ne p0, r0, r1_abs"),
        ((0x01000028, 0xE0E40802), "if b2"),
        ((0x01000028, 0xEDE40802), "if !b2"),
        ((0x0200001A, 0xA0E41002, 0xE0E40801), "callnz l2, b1"),
        ((0x02000001, 0x800F0000, 0x86E40001), "mov r0, 1-r1"),
        ((0x02000001, 0x800F0000, 0x8CC90001), "mov r0, -r1_abs.yzxw"),
        ((0x02000001, 0x800F0000, 0xB0E40805), "mov r0, c2053"),
        ((0x05000030, 0xF00F0000, 0xFFFFFFFF, 2, 0, 0), "defi i0, -1, 2, 0, 0"),
        ((0x0200002F, 0xE00F0801, 1), "defb b1, true"),
        ((0x01000059, 0x800F0000), "bem r0"),
    ],
)
def test_vertex_operands(tokens: tuple[int, ...], text: str) -> None:
    assert one(*tokens, version=VS_3_0) == text


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ((0x0200001F, 0x80000000, 0x90031000), "dcl vPos.xy"),
        ((0x0200001F, 0x80000000, 0x900F1001), "dcl vFace"),
        ((0x0200001F, 0xA0000000, 0xA00F0801), "dcl_volume s1"),
        ((0x0200001F, 0x80000005, 0x90430000), "dcl_texcoord_centroid v0.xy"),
        ((0x03020042, 0x800F0000, 0x90E40000, 0xA0E40800), "texldb r0, v0, s0"),
        ((0x0300005F, 0x800F0000, 0x90E40000, 0xA0E40800), "texldl r0, v0, s0"),
        (
            (0x0500005D, 0x800F0000, 0x90E40000, 0xA0E40800, 0x80E40001, 0x80E40002),
            "texldd r0, v0, s0, r1, r2",
        ),
        ((0x01000041, 0x800F0000), "texkill r0"),
        ((0x02000001, 0x900F0800, 0x80000000), "mov oDepth, r0.x"),
        ((0x0201002D, 0x80000000, 0x80550000), "break_gt r0.x, r0.y"),
        ((0x0000002C,), "break"),
        ((0x0400005A, 0x80010000, 0x80E40000, 0x80E40001, 0xA0FF0000), "dp2add r0.x, r0, r1, c0.w"),
    ],
)
def test_pixel_operands(tokens: tuple[int, ...], text: str) -> None:
    assert one(*tokens) == text


def test_model_2_has_other_names_for_the_same_registers() -> None:
    assert one(*(0x0200001F, 0x80000000, 0xB0030001), version=0xFFFF0200) == "dcl t1.xy"
    assert one(*(0x02000001, 0xE0030001, 0x90E40000), version=0xFFFE0200) == "mov oT1.xy, v0"
    assert one(*(0x02000001, 0xC00F0000, 0x90E40000), version=0xFFFE0200) == "mov oPos, v0"


def test_comments_are_texts_or_counted() -> None:
    assert one(0x0002FFFE, *(0x6C6C6548, 0x0000006F)) == "// Hello"
    assert one(0x0001FFFE, 0x00000001) == "// 4 bytes"


def test_the_constant_table_of_a_comment_is_read() -> None:
    table = words(28, 48, VS_3_0, 1, 28, 0, 61) + words(66, 4 << 16 | 2, 4, 0, 0)
    data = b"CTAB" + table + b"Compiler 9.1\0vs_3_0\0"[:13] + b"vs_3\0" + b"ViewProj\0"
    data += bytes(-len(data) % 4)
    tokens = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
    line, _ = read(VS_3_0, len(tokens) << 16 | 0xFFFE, *tokens, END).program.lines
    assert line.text == "// CTAB vs_3, Compiler 9.1"
    assert line.note == "ViewProj c4–c7"


def constant_table(count: int, claimed: int | None = None) -> bytes:
    """A constant table of so many constants `a` in one register each."""
    at = 28 + 20 * count
    head = words(28, at, VS_3_0, count if claimed is None else claimed, 28, 0, at)
    row = words(at, 2, 1, 0, 0)
    return b"CTAB" + head + row * count + b"a\0"


@pytest.mark.parametrize(("count", "listed", "more"), [(8, 8, ""), (9, 8, ", and 1 more")])
def test_the_first_constants_are_listed_and_the_others_counted(count: int, listed: int, more: str) -> None:
    assert described(constant_table(count)) == ("CTAB a, a", ", ".join(["a c0"] * listed) + more)


@pytest.mark.parametrize(("count", "broken"), [(1024, False), (1025, True)])
def test_a_constant_table_has_a_limit(count: int, broken: bool) -> None:
    assert (described(constant_table(count))[0] == "CTAB, broken") is broken


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a comment\0\0\0", "a comment"),
        (b"x" * 80, "x" * 64),
        (b"PRES\1\2\3\4", "PRES, 8 bytes"),
        (b"\1\2\3\4", "4 bytes"),
        (b"\0bc\0", "4 bytes"),
        ("äöüß".encode("latin-1"), "4 bytes"),
        (b"", "0 bytes"),
    ],
)
def test_other_comments_are_texts_or_bytes(data: bytes, text: str) -> None:
    assert described(data) == (text, "")


def test_a_broken_constant_table_is_a_comment_still() -> None:
    assert one(0x0002FFFE, 0x42415443, 0xFFFFFFFF) == "// CTAB, broken"


def test_pieces_are_marked_for_their_colours() -> None:
    line = read(VS_3_0, *(0x02000001, 0x80010001, 0xA1E42014), END).program.lines[0]
    assert line.pieces[0] == ("mov", PieceKind.OPCODE)
    assert ("r1", PieceKind.REGISTER) in line.pieces and (".x", PieceKind.SWIZZLE) in line.pieces


def test_an_unknown_opcode_is_passed_over_by_its_length() -> None:
    found = read(PS_3_0, *(0x02000063, 0x80000000, 0x80000000), END)
    assert [line.text for line in found.program.lines] == ["op_99", "end"]
    assert found.errors == [] and "instruction 0" in found.warnings[0]


@pytest.mark.parametrize(
    ("tokens", "why", "offset"),
    [
        ((VS_3_0,), "no end token", 4),
        ((VS_3_0, 0), "no end token", 8),
        ((VS_3_0, 0x0F000001, 0x800F0000), "16 tokens declared, 2 left", 4),
        ((VS_3_0, 0x7FFFFFFE), "declared", 4),
        ((VS_3_0, 0, 0x800F0000), "0x800F0000 is a parameter", 8),
    ],
)
def test_a_stream_that_breaks_off_says_where(tokens: tuple[int, ...], why: str, offset: int) -> None:
    (error,) = read(*tokens).errors
    assert why in error.why and error.offset == offset and error.path.startswith("instructions[")


def test_a_stream_that_never_ends_is_ended() -> None:
    (error,) = read(VS_3_0, *[0] * 100, END, most=50).errors
    assert error.why == "the program has more than 50 instructions" and error.path == "instructions[50]"


def test_bytes_behind_the_end_are_told() -> None:
    assert read(VS_3_0, END, 1, 2).warnings == ["8 bytes after the end of the program"]


def test_the_tree_has_a_node_for_every_token() -> None:
    version, instructions = read(*TRANSFORM).children()
    assert (version.value, version.note) == ("0xFFFE0300", "vs_3_0")
    mad = instructions.children[9]
    assert [(each.name, each.note) for each in mad.children] == [
        ("opcode", "mad, 4 more tokens"),
        ("destination", "o1.xy"),
        ("source 0", "v1"),
        ("source 1", "c8.x"),
        ("source 2", "-c8.y"),
    ]


@pytest.mark.parametrize(
    ("version", "known"), [(VS_3_0, True), (0xFFFF0200, True), (0xFFFE0101, False), (0, False)]
)
def test_programs_are_known_by_their_version(version: int, known: bool) -> None:
    assert is_program(version) == known
