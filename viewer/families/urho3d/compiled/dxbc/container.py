"""Read the DXBC container: a header with a checksum, and parts with four-letter names.

Source: Microsoft DirectXShaderCompiler, `DxilContainer.h` (the container of DXIL is the same); `d3dcommon.h`.
"""

from __future__ import annotations

import numpy as np

from viewer.binary import Array, Cursor, Fixed, Magic, Record, Span, Struct, tile
from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.families.urho3d.compiled.dxbc.checksum import checksum
from viewer.families.urho3d.compiled.dxbc.program import START, decode, profile
from viewer.families.urho3d.compiled.dxbc.signature import read_signature
from viewer.families.urho3d.compiled.program_listing import (
    WORD_BYTES,
    InstructionListing,
    Names,
    ProgramTree,
    words_of,
)
from viewer.scene.shader import InstructionCounts, ShaderProgram, SignatureElement

U8, U32 = np.dtype("u1"), np.dtype("<u4")
MAGIC = b"DXBC"
HASH_AT, HASH_SIZE = 4, 16
PART_HEAD = 8

HEADER = Record(
    "container",
    Magic("magic", (MAGIC,), note="Direct3D 10 and later"),
    Array("checksum", U8, HASH_SIZE, note="MD5 of the bytes that follow, with a different padding"),
    Fixed("version", U32, note="always 1"),
    Fixed("size", U32, note="size of the container, bytes"),
    Array(
        "offsets",
        U32,
        U32,
        note="offset of each part from the container's beginning",
        most=BUDGET.container_parts,
    ),
)
PART = Record(
    "part",
    Fixed(
        "name",
        np.dtype("S4"),
        note="four letters, such as ISGN (inputs), OSGN (outputs), SHDR or SHEX (the program)",
    ),
    Fixed("size", U32, note="size of the content that follows, bytes"),
    note="Each of the container's `offsets` leads to one part.",
)
NOTES = {
    "ISGN": "inputs of the program",
    "OSGN": "outputs of the program",
    "PCSG": "constants of a patch",
    "SHDR": "the program",
    "SHEX": "the program, shader model 5",
    "RDEF": "definitions of resources",
    "STAT": "statistics of the compiler",
    "SDBG": "debug information",
}
PROGRAM = "SHDR"
WRONG_CHECKSUM = "the checksum of the container is wrong"


def compiled(data: bytes, start: int, end: int, names: Names, most: int, name: str = "") -> ProgramTree:
    """Read the container `data[start:end]`, and disassemble the program in it.

    See `InstructionListing` for `names` and `most`. `name` distinguishes the program from the file's other
    programs.
    """
    return _Container(data, start, end, names, most).compiled(name)


class _Container:
    """Reads a container; broken parts are collected as errors."""

    def __init__(self, data: bytes, start: int, end: int, names: Names, most: int) -> None:
        self._data, self._start, self._end = data, start, end
        self._names, self._most = names, most
        self._errors: list[FormatError] = []
        self._warnings: list[str] = []
        self._listing: InstructionListing | None = None
        self._profile = "unknown"
        self._signatures: dict[str, tuple[SignatureElement, ...]] = {}
        self._parts: list[Span] = []
        self._header = self._read()

    def compiled(self, name: str) -> ProgramTree:
        header, listing = self._header, self._listing

        def children() -> list[Span]:
            fields = HEADER.span("container", header, self._start, header.marks[-1]).children
            return tile([*fields, *self._parts], self._start, self._end - self._start, self._data)

        program = ShaderProgram(
            name,
            self._profile,
            listing.statistics if listing else InstructionCounts(),
            listing.lines if listing else tuple,
            self._signatures.get("ISGN", ()),
            self._signatures.get("OSGN", ()),
            self._checked(),
        )
        return ProgramTree(program, children, listing, self._errors, self._warnings)

    def _read(self) -> Struct:
        cursor = Cursor(self._data, self._start, self._end)
        try:
            header = HEADER.read(cursor)
        except FormatError as error:
            self._errors.append(error)
            return error.partial  # type: ignore[no-any-return]
        there = self._end - self._start
        if header.size != there:
            self._warnings.append(f"the container declares {header.size} bytes but has {there}")
        behind = cursor.offset
        for offset in sorted(header.offsets.tolist()):
            behind = self._part(self._start + offset, behind)
        if self._listing is None:
            self._errors.append(FormatError(f"the part {PROGRAM} is missing", "offsets", self._start))
        return header

    def _checked(self) -> bool | None:
        """Whether the stored checksum is right; None if the container is truncated or too large to hash."""
        declared = self._header.get("size", 0)
        if self._header.error or not PART_HEAD < declared <= min(
            self._end - self._start, BUDGET.hashed_bytes
        ):
            return None
        whole = self._data[self._start : self._start + declared]
        right = checksum(whole) == whole[HASH_AT : HASH_AT + HASH_SIZE]
        if not right:
            self._warnings.append(WRONG_CHECKSUM)
        return right

    def _part(self, at: int, behind: int) -> int:
        """Read the part at an offset, and return the offset after the part. An offset less than `behind` is
        an error.
        """
        if at < behind or at + PART_HEAD > self._end:
            why = f"a part cannot begin at 0x{at:X}"
            self._errors.append(FormatError(why, "offsets", min(at, self._end)))
            return behind
        cursor = Cursor(self._data, at + WORD_BYTES, self._end)
        name, size = self._data[at : at + WORD_BYTES].decode("latin-1"), int(cursor.scalar(U32))
        end = min(cursor.offset + size, self._end)
        if size > cursor.left:
            self._errors.append(FormatError(f"{size} bytes declared, {cursor.left} left", name, at))
        heads = [
            Span("name", at, WORD_BYTES, "magic", name),
            Span("size", at + WORD_BYTES, WORD_BYTES, "u32", size, "bytes of the content"),
        ]
        content = self._content(name, cursor.offset, end)
        self._parts.append(
            Span(name, at, end - at, "part", note=NOTES.get(name, ""), children=[*heads, *content])
        )
        return end

    def _content(self, name: str, start: int, end: int) -> list[Span]:
        """The spans inside a part, with unknown spans for unexplained bytes."""
        try:
            if name in ("ISGN", "OSGN", "PCSG"):
                self._signatures[name], spans = read_signature(self._data, start, end, name == "OSGN")
                return spans
        except FormatError as error:
            self._errors.append(error.inside(name))
        if name == PROGRAM and self._listing is None and end - start >= START * WORD_BYTES:
            return self._program(start, end)
        return tile([], start, end - start)

    def _program(self, start: int, end: int) -> list[Span]:
        words = words_of(self._data, start, end)
        version, length = int(words[0]), int(words[1])
        if length != len(words):
            self._warnings.append(f"the program declares {length} tokens but has {len(words)}")
        self._profile = profile(version)
        self._listing = InstructionListing(decode, words[:length], start, START, self._names, self._most)
        if self._listing.error:
            self._errors.append(self._listing.error.inside(PROGRAM))
        self._warnings += self._listing.remarks
        heads = [
            Span("version", start, WORD_BYTES, "token", f"0x{version:08X}", self._profile),
            Span("length", start + WORD_BYTES, WORD_BYTES, "token", length, "tokens with the version"),
        ]
        return tile([*heads, *self._listing.spans()], start, end - start, self._data)
