"""Read compiled Urho3D shaders into documents: parameters, texture units, disassembled programs."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from msgspec.structs import replace

from viewer.binary import Cursor, Field, Record, Span, Struct
from viewer.binary.whole_file import read_whole, root_span
from viewer.budget import BUDGET
from viewer.errors import FormatError, Report, Topic
from viewer.families.urho3d.compiled import d3d9, dxbc
from viewer.families.urho3d.compiled.program_listing import WORD_BYTES, ProgramTree
from viewer.families.urho3d.compiled.shader_layout import (
    BUFFERS,
    HEADER_ONLY,
    KNOWN_MODELS,
    OLD_SHADER,
    OLDEST_SHADER,
    PARAMETER_TABLES,
    SHADER,
    UNHASHED_SHADER,
    UNIT_TABLES,
    VERTEX,
    Bytecode,
)
from viewer.families.urho3d.compiled.shader_parameters import parameters_of, units_of
from viewer.family.format import OpenedFile
from viewer.scene.document import Document, Origin
from viewer.scene.items import InstructionItem, Item, ParameterItem, UnitItem
from viewer.scene.shader import CompiledShader, SignatureElement

STAGES = ("vertex", "pixel")
BUFFER_NAMES = ("frame", "camera", "zone", "light", "material", "object", "custom")
"""Names of the constant buffers by number. Source: Urho3D `GraphicsDefs.h`, ShaderParameterGroup."""
SEMANTICS = (
    "POSITION",
    "NORMAL",
    "BINORMAL",
    "TANGENT",
    "TEXCOORD",
    "COLOR",
    "BLENDWEIGHT",
    "BLENDINDICES",
    "OBJECTINDEX",
)

NAMED = re.compile(r".+_([0-9A-Fa-f]{8})")
"""Pattern of a compiled shader's file name: the name of the source, then the hash of the defines."""


def load_shader(file: OpenedFile) -> Document:
    """Read a compiled shader and disassemble its programs. Programs that cannot be read are reported."""
    path, data = file.path, file.data
    report = Report()
    layout = _layout(data)
    record = read_whole(layout, data, path, report)
    shader = _declared(path, record)
    programs = list(_programs(record, shader, str(path), report))
    shader = replace(
        shader,
        programs=tuple(compiled.program for compiled in programs),
        expected_hash=_expected_hash(shader, programs),
    )
    root = root_span(layout, record, data, path, report)
    if layout is HEADER_ONLY and report.complete:
        text = f"shader model {record.model} is unknown: only the header is shown"
        report.warn(text, topic=Topic.VERSION)
    return Document(
        path=str(path),
        format="Urho3D shader",
        version=_version(record, layout),
        data=data,
        root=root,
        content=shader if record.get("model") is not None else None,
        report=report,
        origin=Origin(lambda: _tables(root, programs)),
    )


def _layout(data: bytes) -> Record:
    """The layout that fits the file, which does not state its generation.

    A layout fits if it uses exactly all bytes. For a broken file, choose the layout with the fewest
    implausible names; among equal layouts, the layout that reads the most bytes.
    """
    model = struct.unpack_from("<H", data, 6)[0] if len(data) >= 8 else KNOWN_MODELS[0]
    if model not in KNOWN_MODELS:
        return HEADER_ONLY
    generations = (SHADER, UNHASHED_SHADER) if model == BUFFERS else (SHADER, OLD_SHADER, OLDEST_SHADER)
    return max(generations, key=lambda layout: _merit(layout, data))


def _merit(layout: Record, data: bytes) -> tuple[bool, int, int]:
    """The rank of a layout: whether it uses exactly all bytes, then the negated number of implausible names,
    then the bytes read.
    """
    cursor = Cursor(data)
    try:
        record, end = layout.read(cursor), cursor.offset
    except FormatError as error:
        record, end = error.partial, error.offset
    named = [each.get("name", "") for field in ("parameters", "units") for each in record.get(field, ())]
    odd = sum(not name.isidentifier() for name in named)
    return record.error is None and not cursor.left, -odd, end


def _version(record: Struct, layout: Record) -> str:
    stage, model = record.get("stage"), record.get("model")
    if model is None:
        return "USHD"
    before = ", before 2014" if layout in (OLD_SHADER, OLDEST_SHADER) else ""
    return f"USHD {_stage(stage)} shader, model {model}{before}"


def _stage(number: int) -> str:
    return STAGES[number] if number < len(STAGES) else f"stage {number}"


def _declared(path: PurePath, record: Struct) -> CompiledShader:
    """The content of the file without its programs."""
    named = NAMED.fullmatch(path.stem)
    return CompiledShader(
        _stage(record.get("stage", 0)),
        int(record.get("model", 0)),
        parameters_of(record),
        units_of(record),
        buffers=BUFFER_NAMES if record.get("model") == BUFFERS else (),
        element_hash=record.get("element_hash"),
        hash=int(named[1], 16) if named else None,
    )


def _expected_hash(shader: CompiledShader, programs: Sequence[ProgramTree]) -> int | None:
    """The hash of the first program's inputs; None if the file stores no hash of inputs."""
    if shader.element_hash is None or shader.stage != STAGES[VERTEX] or not programs:
        return None
    return element_hash(programs[0].program.inputs)


def element_hash(elements: tuple[SignatureElement, ...]) -> int:
    """Return the engine's hash of vertex elements. Source: Urho3D `D3D11ShaderVariation.cpp`,
    ParseParameters.
    """
    value = 0
    for each in elements:
        if each.semantic in SEMANTICS:
            value = (value << 4) + (SEMANTICS.index(each.semantic) + 1) * (each.index + 1)
    return value & 0xFFFFFFFF


def _programs(record: Struct, shader: CompiledShader, file: str, report: Report) -> Iterator[ProgramTree]:
    """Yield the programs of the file that can be disassembled; errors are reported."""
    left = BUDGET.instructions
    for number, (holder, way) in enumerate(_holders(record)):
        if number == BUDGET.programs or not left:
            report.warn(f"only the first {number} programs are disassembled", topic=Topic.PROGRAM)
            return
        name, code = holder.get("name", ""), holder.code
        try:
            compiled = _compiled(code, _own(shader, record, holder), left, name)
        except FormatError as unknown:
            code.error, errors, warnings = unknown.why, [unknown], []
        else:
            code.children = compiled.children
            code.error = compiled.errors[0].why if compiled.errors else ""
            left = max(left - compiled.size, 0)
            errors, warnings = compiled.errors, compiled.warnings
            yield compiled
        for error in errors:
            error.file, error.topic = file, Topic.PROGRAM
            report.fail(error.inside(way))
        for warning in warnings:
            topic = Topic.CHECKSUM if warning == dxbc.WRONG_CHECKSUM else Topic.PROGRAM
            report.warn(f"{name}: {warning}" if name else warning, topic=topic, offset=code.start)


def _holders(record: Struct) -> Iterator[tuple[Struct, str]]:
    """Yield each record with a program, and the path of the program for error messages."""
    if record.get("code") is not None:
        yield record, "shader/code"
    for number, variation in enumerate(record.get("variations", ())):
        if variation.get("code") is not None:
            yield variation, f"shader/variations[{number}]/code"


def _own(shader: CompiledShader, record: Struct, holder: Struct) -> CompiledShader:
    """The shader with the registers of one program. In the oldest format each program has its own
    registers.
    """
    if holder.get("constants") is None:
        return shader
    return replace(shader, parameters=parameters_of(record, holder), units=units_of(record, holder))


def _compiled(code: Bytecode, shader: CompiledShader, most: int, name: str) -> ProgramTree:
    """The disassembled program, whose first bytes give its kind. FormatError for an unknown kind."""
    arguments = (code.data, code.start, code.end, shader.names, most, name)
    if code.data.startswith(dxbc.MAGIC, code.start, code.end):
        return dxbc.compiled(*arguments)
    word = int.from_bytes(code.data[code.start : min(code.start + WORD_BYTES, code.end)], "little")
    if len(code) >= WORD_BYTES and d3d9.is_program(word):
        return d3d9.compiled(*arguments)
    raise FormatError(f"the program begins with 0x{word:08X}, which is an unknown kind", offset=code.start)


def _tables(root: Span, programs: Sequence[ProgramTree]) -> dict[Item, Span]:
    """The spans of parameters, texture units and the instructions of each program."""
    fields: dict[Item, tuple[Field, ...]] = {ParameterItem(0): PARAMETER_TABLES, UnitItem(0): UNIT_TABLES}
    tables = {
        first: span
        for first, known in fields.items()
        for span in (root.part(field) for field in known)
        if span is not None
    }
    for number, compiled in enumerate(programs):
        listing = compiled.listing
        around = root.at(listing.offset) if listing is not None else []
        tables |= {InstructionItem(number, 0): span for span in around if span.layout is listing}
    return tables
