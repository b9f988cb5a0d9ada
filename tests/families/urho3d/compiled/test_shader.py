"""Compiled shaders as documents: our own files, one by hand, and the engine's."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.opened import opened_file
from tests.shader_files import (
    CONTAINER,
    END,
    PIXEL,
    PS_3_0,
    TRANSFORM,
    VS_3_0,
    buffered,
    old_bytes,
    oldest_bytes,
    parameter,
    shader_bytes,
    unit,
    vs4_bytes,
    words,
)
from viewer.binary import unexplained
from viewer.families.urho3d.compiled.shader import element_hash, load_shader
from viewer.scene.document import Document
from viewer.scene.items import InstructionItem, ParameterItem
from viewer.scene.shader import (
    CompiledShader,
    InstructionKind,
    RegisterUse,
    ShaderParameter,
    SignatureElement,
    TextureUnitSlot,
)
from viewer.storage.documents import open_document

CACHE = SHARED / "corpus" / "urho3d" / "Shaders" / "HLSL" / "Cache"
REAL = sorted(CACHE.iterdir()) if CACHE.is_dir() else []


def load(data: bytes, name: str = "Basic_0000002A.vs3") -> Document:
    return load_shader(opened_file(Path("/nowhere/at/all") / name, data))


def shader_of(document: Document) -> CompiledShader:
    assert isinstance(document.content, CompiledShader)
    return document.content


def test_a_file_packed_by_hand() -> None:
    data = b"USHD" + struct.pack("<HHI", 1, 3, 2)
    data += b"MatDiffColor\0" + bytes([6, 1]) + b"FogParams\0" + bytes([2, 1])
    data += struct.pack("<I", 1) + b"DiffMap\0" + bytes([0])
    data += struct.pack("<I", 8) + words(PS_3_0, END)
    document = load(data, "Basic_533CFC5D.ps3")
    shader = shader_of(document)
    assert (shader.stage, shader.model, shader.hash) == ("pixel", 3, 0x533CFC5D)
    assert shader.parameters == (
        ShaderParameter("MatDiffColor", None, 6, 1),
        ShaderParameter("FogParams", None, 2, 1),
    )
    assert shader.units == (TextureUnitSlot("DiffMap", 0),)
    assert shader.programs[0].profile == "ps_3_0" and shader.programs[0].lines[0].text == "end"
    assert document.version == "USHD pixel shader, model 3" and unexplained(document.root) == 0


def test_model_4_by_hand() -> None:
    data = b"USHD" + struct.pack("<HHII", 0, 4, 1, 1) + b"Model\0" + bytes([5]) + struct.pack("<II", 0, 48)
    data += struct.pack("<II", 0, len(CONTAINER)) + CONTAINER
    shader = shader_of(load(data, "a.vs4"))
    assert shader.parameters == (ShaderParameter("Model", 5, 0, 48),) and shader.hash is None
    assert shader.element_hash == shader.expected_hash == 1
    assert data == vs4_bytes()


def test_the_first_files_of_model_4_have_no_element_hash() -> None:
    whole = vs4_bytes()
    document = load(whole[:8] + whole[12:], "a.vs4")
    shader = shader_of(document)
    assert document.report.complete and unexplained(document.root) == 0
    assert shader.element_hash is None and shader.parameters == (ShaderParameter("Model", 5, 0, 48),)


def test_parameters_are_named_in_the_disassembly() -> None:
    lines = shader_of(load(shader_bytes())).programs[0].lines
    assert [line.note for line in lines if line.text.startswith("dp4")] == [
        f"ViewProj[{row}]" for row in range(4)
    ]


def test_lines_and_bytes_lead_to_each_other() -> None:
    document = load(shader_bytes())
    for number, line in enumerate(shader_of(document).programs[0].lines):
        item = InstructionItem(0, number)
        span = document.origin.span(item)
        assert span is not None and (span.offset, span.size) == (line.offset, line.size)
        assert document.origin.item(line.offset + line.size - 1) == item
    name = document.root.child("parameters").children[1]
    assert document.origin.item(name.offset) == ParameterItem(0)


def test_the_old_generation_has_several_programs() -> None:
    document = load(old_bytes({"": words(*TRANSFORM), "SKINNED": words(VS_3_0, 0, END)}))
    shader = shader_of(document)
    assert [(each.name, len(each.lines)) for each in shader.programs] == [("", 11), ("SKINNED", 2)]
    assert shader.parameters[1] == ShaderParameter("Model", None, 8, 1)
    assert document.version.endswith("before 2014") and document.report.complete
    second = document.origin.span(InstructionItem(1, 0))
    assert second is not None and second.type == "nop" and unexplained(document.root) == 0


def test_in_the_oldest_files_each_program_has_registers_of_its_own() -> None:
    moved = (*TRANSFORM[:-6], TRANSFORM[-1])  # the matrix stays in c4, where nothing is in the second program
    document = load(oldest_bytes({"": (4, words(*TRANSFORM)), "SKINNED": (20, words(*moved))}), "Basic.vs2")
    shader = shader_of(document)
    assert document.report.complete and unexplained(document.root) == 0
    assert shader.parameters == (
        ShaderParameter("Unused", None, 0, 0),
        ShaderParameter("ViewProj", None, 4, 4),
    )
    assert shader.units == (TextureUnitSlot("DiffMap", 2),)
    notes = [[line.note for line in each.lines if line.text.startswith("dp4")] for each in shader.programs]
    assert notes == [[f"ViewProj[{row}]" for row in range(4)], [""] * 4]
    assert document.version == "USHD vertex shader, model 2, before 2014"


def test_a_unit_that_no_program_of_the_oldest_files_uses_has_no_sampler() -> None:
    document = load(oldest_bytes({"": (4, words(*TRANSFORM))}, units=("DiffMap", "Unused")), "Basic.vs2")
    assert shader_of(document).units == (TextureUnitSlot("DiffMap", 2), TextureUnitSlot("Unused", -1))


@pytest.mark.parametrize("cut", [3, 40, 90])
def test_a_cut_file_is_of_the_generation_that_goes_farthest(cut: int) -> None:
    document = load(old_bytes({"": words(*TRANSFORM), "SKINNED": words(*TRANSFORM)})[:-cut])
    assert document.version.endswith("before 2014")
    assert shader_of(document).programs[0].statistics.instructions == 5
    assert document.report.errors[0].path == "shader/variations[1]/code"


def test_another_model_shows_its_header() -> None:
    document = load(b"USHD" + struct.pack("<HH", 0, 5) + b"code" * 5, "a.vs5")
    assert shader_of(document).programs == () and "model 5" in document.report.warnings[-1]
    assert unexplained(document.root) == 20


def test_an_unknown_program_costs_nothing_else() -> None:
    document = load(shader_bytes(b"\1\2\3\4\5\6\7\x08"))
    (error,) = document.report.errors
    assert "0x04030201" in error.why and error.path == "shader/code"
    assert len(shader_of(document).parameters) == 1
    assert document.root.child("code").error == error.why


def test_a_broken_program_keeps_what_was_understood() -> None:
    document = load(shader_bytes(words(*TRANSFORM)[:-10]))
    (error,) = document.report.errors
    assert error.path == "shader/code/instructions[9]" and "declared" in error.why
    assert len(shader_of(document).programs[0].lines) == 9


def test_a_cut_file_keeps_the_instructions_that_are_there() -> None:
    whole = shader_bytes()
    document = load(whole[:-8])
    assert [error.path for error in document.report.errors] == ["shader/code", "shader/code/instructions[9]"]
    assert len(shader_of(document).programs[0].lines) == 9


def test_a_variation_that_is_broken_is_named() -> None:
    document = load(old_bytes({"A": words(VS_3_0, 0), "B": words(VS_3_0, END)}))
    (error,) = document.report.errors
    assert error.path == "shader/variations[0]/code/instructions[1]"
    assert [each.name for each in shader_of(document).programs] == ["A", "B"]


@pytest.mark.parametrize(
    ("elements", "value"),
    [
        ((("POSITION", 0), ("NORMAL", 0), ("TEXCOORD", 0), ("TANGENT", 0)), 0x1254),
        ((("POSITION", 0), ("TEXCOORD", 1), ("SV_VERTEXID", 0)), 0x1A),
        ((), 0),
    ],
)
def test_the_element_hash(elements: tuple[tuple[str, int], ...], value: int) -> None:
    made = tuple(SignatureElement(name, index, 0, "float", "xyzw", "xyzw") for name, index in elements)
    assert element_hash(made) == value


def test_a_register_has_the_names_of_all_that_lie_in_it() -> None:
    parameters = [
        buffered("CameraPos", 1, 0, 12),
        buffered("NearClip", 1, 12, 4),
        buffered("View", 1, 80, 48),
    ]
    shader = shader_of(load(shader_bytes(CONTAINER, 4, 0, parameters)))
    assert shader.names(RegisterUse("cb1", 0)) == "CameraPos, NearClip"
    assert shader.names(RegisterUse("cb1", 0, 0b1000)) == "NearClip"
    assert (
        shader.names(RegisterUse("cb1", 6)) == "View[1]"
        and shader.names(RegisterUse("cb1", 5, relative=True)) == "View[0…]"
    )
    assert shader.names(RegisterUse("cb2", 0)) == "" and shader.names(RegisterUse("cb1", 8)) == ""


def test_samplers_are_named_by_their_units() -> None:
    shader = shader_of(
        load(shader_bytes(words(PS_3_0, END), 3, PIXEL, [parameter("A", 1)], [unit("DiffMap", 0)]))
    )
    assert shader.names(RegisterUse("s", 0)) == "DiffMap" and shader.names(RegisterUse("c", 1)) == "A"


needs_samples = pytest.mark.skipif(not REAL, reason="needs the corpus of real files")


@needs_samples
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_shaders_disassemble_to_the_last_token(path: Path) -> None:
    document = open_document(path)
    (program,) = shader_of(document).programs
    assert document.report.complete and document.report.warnings == []
    assert unexplained(document.root) == 0
    assert InstructionKind.UNKNOWN not in program.statistics.kinds
    assert program.lines[-1].text == ("end" if path.suffix.endswith("3") else "ret")
    assert program.lines[-1].offset + program.lines[-1].size == len(document.data)
    assert program.checksum is (True if path.suffix.endswith("4") else None)


@needs_samples
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_real_registers_and_samplers_agree_with_the_tables(path: Path) -> None:
    shader = shader_of(open_document(path))
    counts = shader.programs[0].statistics
    used = {file: set(numbers) for file, numbers in counts.registers.items()}
    assert used.get("s", set()) == {unit.sampler for unit in shader.units}
    if shader.model == 3:
        named = {number for each in shader.parameters for number in range(each.start, each.start + each.size)}
        assert used["c"] == named | set(counts.declared.get("c", ()))
    else:
        rows = {(each.buffer, row) for each in shader.parameters for row in range(*_rows(each))}
        read = {(int(file[2:]), row) for file in used if file.startswith("cb") for row in used[file]}
        assert read and read <= rows
        assert shader.element_hash == (shader.expected_hash or 0)


def _rows(parameter: ShaderParameter) -> tuple[int, int]:
    first, end = parameter.byte_range
    return first // 16, -(-end // 16)


@needs_samples
def test_both_models_of_a_real_shader_ask_for_the_same() -> None:
    three, four = (shader_of(open_document(CACHE / f"Basic_9A6030F6.vs{model}")) for model in (3, 4))
    assert {each.name for each in three.parameters} <= {each.name for each in four.parameters}
    assert (
        three.programs[0].statistics.kinds[InstructionKind.ARITHMETIC]
        == four.programs[0].statistics.kinds[InstructionKind.ARITHMETIC]
    )
