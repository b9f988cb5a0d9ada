"""The layout of a compiled Urho3D shader (USHD), `.vs3 .ps3 .vs4 .ps4`, and of shaders before 2014-02.

Source: Urho3D `D3D9ShaderVariation.cpp`, `D3D11ShaderVariation.cpp`, `LoadByteCode`, `SaveByteCode`; for the
older generations `Shader.cpp` and the tool `ShaderCompiler.cpp` before 2014-02.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from viewer.binary import (
    Array,
    ByteWriter,
    Cursor,
    Field,
    Fixed,
    Magic,
    Record,
    Repeat,
    Span,
    Struct,
    Text,
    When,
    record_dtype,
    tile,
)
from viewer.errors import FormatError

U8, U16, U32 = np.dtype("u1"), np.dtype("<u2"), np.dtype("<u4")
VERTEX = 0
REGISTERS, BUFFERS = 3, 4
"""The shader model with parameters in registers, and the shader model with parameters in constant buffers."""
KNOWN_MODELS = (2, REGISTERS, BUFFERS)


class Bytecode:
    """The bytes `data[start:end]` of a program. `children` makes the spans of the program; it is None if the
    program was not disassembled. `error` says why the program could not be read.
    """

    def __init__(self, data: bytes, start: int = 0, end: int | None = None) -> None:
        self.data, self.start = data, start
        self.end = len(data) if end is None else end
        self.children: Callable[[], Sequence[Span]] | None = None
        self.error = ""

    def __bytes__(self) -> bytes:
        return self.data[self.start : self.end]

    def __len__(self) -> int:
        return self.end - self.start


class SizedBytecode(Field):
    """A field with a size and a program of that size. A truncated program keeps the bytes that exist."""

    kind = "u32 size, then that many bytes"
    minimum = U32.itemsize

    def __init__(self, name: str, note: str = "") -> None:
        self.name, self.note = name, note

    def read(self, cursor: Cursor, record: Struct) -> Bytecode:
        """Read the size and the range of the program, without copying it."""
        size = int(cursor.scalar(U32))
        there = min(size, cursor.left)
        code = Bytecode(cursor.data, cursor.offset, cursor.offset + there)
        if there == size:
            cursor.offset += size
            return code
        cut = FormatError(f"a program of {size} bytes declared, {there} bytes left", offset=cursor.offset)
        cut.partial = code
        cursor.offset += there
        raise cut

    def write(self, out: ByteWriter, value: Bytecode, record: Struct) -> None:
        """Write the size and the program."""
        code = bytes(value)
        out += np.asarray(len(code), U32).tobytes() + code

    def span(self, name: str, value: Bytecode, start: int, end: int) -> Span:
        """The node of the size and the program, with the spans of the disassembly as children."""

        def children() -> list[Span]:
            size = Span("size", start, value.start - start, "u32", len(value), "bytes of the program")
            return tile([size, *(value.children() if value.children else ())], start, end - start)

        return Span(name, start, end - start, "program", None, self.note, children, value.error)


CODE = SizedBytecode("code", note="the program, a Direct3D token stream or container")

REGISTER_PARAMETER = Record(
    "parameter",
    Text("name", note="name of the engine's parameter"),
    Fixed("register", U8, note="number of the first register c"),
    Fixed("registers", U8, note="number of registers"),
    title=lambda parameter: parameter.get("name", ""),
)

BUFFER_PARAMETER = Record(
    "parameter",
    Text("name", note="name of the engine's parameter"),
    Fixed(
        "buffer",
        U8,
        note="constant buffer; 0: frame, 1: camera, 2: zone, 3: light, 4: material, 5: object, 6: custom",
    ),
    Fixed("offset", U32, note="offset in the constant buffer, bytes"),
    Fixed("size", U32, note="size of the parameter, bytes"),
    title=lambda parameter: parameter.get("name", ""),
)

UNIT = Record(
    "texture unit",
    Text("name", note="name of the engine's texture unit"),
    Fixed("sampler", U8, note="number of the sampler register s"),
    title=lambda unit: unit.get("name", ""),
)

REGISTER_PARAMETERS = Repeat("parameters", REGISTER_PARAMETER, U32, note="uniforms of the program")
BUFFER_PARAMETERS = Repeat("parameters", BUFFER_PARAMETER, U32, note="uniforms of the program")
UNITS = Repeat("units", UNIT, U32, note="textures of the program")

HEAD = (
    Magic("magic", (b"USHD",), note="a compiled shader"),
    Fixed("stage", U16, note="0: vertex, 1: pixel"),
    Fixed("model", U16, note="shader model; 3: Direct3D 9, 4: Direct3D 11"),
)

SHADER = Record(
    "shader",
    *HEAD,
    When(
        f"model == {BUFFERS}",
        Fixed("element_hash", U32, note="hash of the input vertex elements, 0 for a pixel shader"),
    ),
    When(
        f"model != {BUFFERS}",
        REGISTER_PARAMETERS,
    ),
    When(
        f"model == {BUFFERS}",
        BUFFER_PARAMETERS,
    ),
    UNITS,
    CODE,
)

UNHASHED_SHADER = Record(
    "shader",
    *HEAD,
    BUFFER_PARAMETERS,
    UNITS,
    CODE,
)
"""Model 4 in the first release with Direct3D 11, without the hash of the vertex elements."""

HEADER_ONLY = Record("shader", *HEAD)
"""The layout for an unknown shader model, such as model 5 (Vulkan) of forks."""

OLD_PARAMETER = Record(
    "parameter",
    Text("name", note="name of the engine's parameter"),
    Fixed("register", U8, note="number of the first register c"),
)


OLD_PARAMETERS = Repeat("parameters", OLD_PARAMETER, U32, note="uniforms of all programs")

VARIATION = Record(
    "variation",
    Text("name", note="the defines for which the program was compiled"),
    Array(
        "uses_parameter",
        U8,
        "len(parameters)",
        note="for each parameter: 1 if the program uses it, else 0",
    ),
    Array(
        "uses_unit",
        U8,
        "len(units)",
        note="for each texture unit: 1 if the program uses it, else 0",
    ),
    CODE,
    title=lambda variation: variation.get("name", ""),
)

OLD_SHADER = Record(
    "shader",
    *HEAD,
    OLD_PARAMETERS,
    UNITS,
    Repeat("variations", VARIATION, U32, note="one program for each set of defines"),
)
"""The layout before 2014-02, with several programs in a file."""

NAME = Record("name", Text("name", note="name in the engine"), title=lambda named: named.get("name", ""))
PARAMETER_NAMES = Repeat(
    "parameters", NAME, U32, note="uniforms of all programs; each program assigns its own registers"
)
UNIT_NAMES = Repeat("units", NAME, U32, note="textures of all programs")
CONSTANT = record_dtype(
    ("name", U32, "SDBM hash of the parameter's name in lower-case letters"),
    ("register", U8, "number of the first register c"),
    ("registers", U8, "number of registers"),
)
SAMPLER = record_dtype(
    ("name", U32, "SDBM hash of the texture unit's name in lower-case letters"),
    ("sampler", U8, "number of the sampler register s"),
)

OLDEST_VARIATION = Record(
    "variation",
    Text("name", note="the defines for which the program was compiled"),
    Array("constants", CONSTANT, U32, note="parameters of the program"),
    Array("samplers", SAMPLER, U32, note="texture units of the program"),
    CODE,
    title=lambda variation: variation.get("name", ""),
)

OLDEST_SHADER = Record(
    "shader",
    *HEAD,
    PARAMETER_NAMES,
    UNIT_NAMES,
    Repeat("variations", OLDEST_VARIATION, U32, note="one program for each set of defines"),
)
"""The layout of the engine's first tool, where each program has its own registers."""

PARAMETER_TABLES = (REGISTER_PARAMETERS, BUFFER_PARAMETERS, OLD_PARAMETERS, PARAMETER_NAMES)
UNIT_TABLES = (UNITS, UNIT_NAMES)
"""The fields that list parameters, and the fields that list texture units, in the layouts of all generations.
"""
