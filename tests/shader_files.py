"""Compiled shaders and scripts of our own: tokens by the published layouts, files from our writers."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import numpy as np

from viewer.binary import Struct
from viewer.families.urho3d.compiled.dxbc.checksum import checksum
from viewer.families.urho3d.compiled.script_layout import HEAD, SCRIPT_START
from viewer.families.urho3d.compiled.shader_layout import (
    CONSTANT,
    OLD_SHADER,
    OLDEST_SHADER,
    SAMPLER,
    SHADER,
    Bytecode,
)
from viewer.scene.shader import sdbm

VS_3_0, PS_3_0, END = 0xFFFE0300, 0xFFFF0300, 0x0000FFFF
VS_4_0, PS_4_0 = 0x00010040, 0x00000040
VERTEX, PIXEL = 0, 1

# A vertex program: the position by a matrix in c4 to c7, a uv passed on.
TRANSFORM = (
    VS_3_0,
    *(0x05000051, 0xA00F0008, 0x3F800000, 0xBF000000, 0, 0x42C80000),  # def c8, 1, -0.5, 0, 100
    *(0x0200001F, 0x80000000, 0x900F0000),  # dcl_position v0
    *(0x0200001F, 0x80010005, 0x90030001),  # dcl_texcoord1 v1.xy
    *(0x0200001F, 0x80000000, 0xE00F0000),  # dcl_position o0
    *(0x0200001F, 0x80000005, 0xE0030001),  # dcl_texcoord o1.xy
    *(0x03000009, 0xE0010000, 0x90E40000, 0xA0E40004),  # dp4 o0.x, v0, c4
    *(0x03000009, 0xE0020000, 0x90E40000, 0xA0E40005),  # dp4 o0.y, v0, c5
    *(0x03000009, 0xE0040000, 0x90E40000, 0xA0E40006),  # dp4 o0.z, v0, c6
    *(0x03000009, 0xE0080000, 0x90E40000, 0xA0E40007),  # dp4 o0.w, v0, c7
    *(0x04000004, 0xE0030001, 0x90E40001, 0xA0000008, 0xA1550008),  # mad o1.xy, v1, c8.x, -c8.y
    END,
)

# The smallest program of model 4: o0 = v0.
PASS = (
    *(0x0300005F, 0x001010F2, 0),  # dcl_input v0.xyzw
    *(0x04000067, 0x001020F2, 0, 1),  # dcl_output_siv o0.xyzw, position
    *(0x05000036, 0x001020F2, 0, 0x00101E46, 0),  # mov o0.xyzw, v0.xyzw
    0x0100003E,  # ret
)


def words(*tokens: int) -> bytes:
    return struct.pack(f"<{len(tokens)}I", *tokens)


def parameter(name: str, register: int, registers: int = 1) -> Struct:
    return Struct(name=name, register=register, registers=registers)


def buffered(name: str, buffer: int, offset: int, size: int) -> Struct:
    return Struct(name=name, buffer=buffer, offset=offset, size=size)


def unit(name: str, sampler: int) -> Struct:
    return Struct(name=name, sampler=sampler)


def shader_bytes(
    code: bytes | Sequence[int] = TRANSFORM,
    model: int = 3,
    stage: int = VERTEX,
    parameters: Iterable[Struct] = (parameter("ViewProj", 4, 4),),
    units: Iterable[Struct] = (),
    element_hash: int = 0,
) -> bytes:
    raw = code if isinstance(code, bytes) else words(*code)
    return SHADER.pack(
        Struct(
            magic="USHD",
            stage=stage,
            model=model,
            element_hash=element_hash,
            parameters=list(parameters),
            units=list(units),
            code=Bytecode(raw),
        )
    )


def old_bytes(programs: dict[str, bytes]) -> bytes:
    """A file of before 2014-02: two parameters, one unit, several programs."""
    variations = [
        Struct(name=name, uses_parameter=[1, 0], uses_unit=[1], code=Bytecode(code))
        for name, code in programs.items()
    ]
    return OLD_SHADER.pack(
        Struct(
            magic="USHD",
            stage=VERTEX,
            model=3,
            parameters=[Struct(name="ViewProj", register=4), Struct(name="Model", register=8)],
            units=[unit("DiffMap", 0)],
            variations=variations,
        )
    )


def oldest_bytes(programs: dict[str, tuple[int, bytes]], units: Iterable[str] = ("DiffMap",)) -> bytes:
    """A file of the engine's first tool: each program has ViewProj in registers of its own."""
    variations = [
        Struct(
            name=name,
            constants=np.array([(sdbm("viewproj"), register, 4)], CONSTANT),
            samplers=np.array([(sdbm("diffmap"), 2)], SAMPLER),
            code=Bytecode(code),
        )
        for name, (register, code) in programs.items()
    ]
    names = [Struct(name="Unused"), Struct(name="ViewProj")]
    return OLDEST_SHADER.pack(
        Struct(
            magic="USHD",
            stage=VERTEX,
            model=2,
            parameters=names,
            units=[Struct(name=name) for name in units],
            variations=variations,
        )
    )


def signature(*rows: tuple[str, int, int, int]) -> bytes:
    """Elements of semantic, index, register, mask; all floats, all used."""
    names = [name.encode() + b"\0" for name, *_ in rows]
    at = 8 + 24 * len(rows)
    elements = b""
    for (_, index, register, mask), raw in zip(rows, names, strict=True):
        elements += struct.pack("<5I2BH", at, index, 0, 3, register, mask, mask, 0)
        at += len(raw)
    texts = b"".join(names)
    return struct.pack("<2I", len(rows), 8) + elements + texts + b"\xab" * (-len(texts) % 4)


def program4(tokens: Sequence[int], version: int = VS_4_0) -> bytes:
    return words(version, len(tokens) + 2, *tokens)


def dxbc_bytes(parts: Sequence[tuple[bytes, bytes]]) -> bytes:
    """A container with a right checksum."""
    at, offsets, body = 32 + 4 * len(parts), [], b""
    for name, content in parts:
        offsets.append(at + len(body))
        body += name + struct.pack("<I", len(content)) + content
    head = struct.pack(f"<4s16s3I{len(parts)}I", b"DXBC", b"", 1, at + len(body), len(parts), *offsets)
    whole = head + body
    return whole[:4] + checksum(whole) + whole[20:]


POSITION_IN = signature(("POSITION", 0, 0, 0xF))
POSITION_OUT = struct.pack("<2I5I2BH", 1, 8, 32, 0, 1, 3, 0, 0xF, 0, 0) + b"SV_POSITION\0"
CONTAINER = dxbc_bytes([(b"ISGN", POSITION_IN), (b"OSGN", POSITION_OUT), (b"SHDR", program4(PASS))])


def vs4_bytes(code: bytes = CONTAINER, **more: int) -> bytes:
    return shader_bytes(
        code, 4, VERTEX, [buffered("Model", 5, 0, 48)], element_hash=more.get("element_hash", 1)
    )


def script_bytes(classes: Sequence[tuple[str, int]] = (("Mover", 0x200005),), data: bytes = b"") -> bytes:
    declared = [Struct(name=name, flags=flags, size=1, namespace="") for name, flags in classes]
    module = SCRIPT_START.pack(Struct(enums=0, class_count=len(declared), classes=declared))
    return HEAD.pack(Struct(magic="ASBC", stripped=1)) + module + data


def text(letters: str) -> bytes:
    """A text as AngelScript writes it."""
    size = 2 * len(letters)
    head = bytes([size]) if size < 0x40 else bytes([0x40 | size >> 8, size & 0xFF])
    return head + letters.encode()
