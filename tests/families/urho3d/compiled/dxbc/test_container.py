"""DXBC containers of our own and damaged ones: parts, signatures, checksum."""

from __future__ import annotations

import hashlib
import struct

import pytest

from tests.shader_files import CONTAINER, PASS, POSITION_IN, dxbc_bytes, program4, signature, words
from viewer.binary import Span, unexplained
from viewer.budget import BUDGET
from viewer.families.urho3d.compiled.dxbc import compiled
from viewer.families.urho3d.compiled.dxbc.checksum import START, _turned, checksum
from viewer.families.urho3d.compiled.program_listing import ProgramTree
from viewer.scene.shader import SignatureElement


def read(data: bytes, before: bytes = b"") -> ProgramTree:
    return compiled(before + data, len(before), len(before + data), lambda use: "", BUDGET.instructions)


def test_the_transform_is_that_of_md5() -> None:
    block = struct.unpack("<16I", b"abc\x80".ljust(56, b"\0") + struct.pack("<Q", 24))
    assert struct.pack("<4I", *_turned(START, block)) == hashlib.md5(b"abc").digest()


@pytest.mark.parametrize("size", [20, 55, 75, 76, 83, 84, 200])
def test_the_checksum_counts_every_byte_behind_it(size: int) -> None:
    data = bytes(range(256))[:size]
    found = {checksum(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]) for at in range(20, size)}
    assert len(found | {checksum(data)}) == size - 19
    assert checksum(b"\xff" * 20 + data[20:]) == checksum(data)


def test_a_container_has_its_parts_in_the_tree() -> None:
    found = read(CONTAINER, b"12345")
    root = Span("x", 5, len(CONTAINER), children=found.children)
    assert [each.name for each in root.children] == [
        *("magic", "checksum", "version", "size", "offsets"),
        *("ISGN", "OSGN", "SHDR"),
    ]
    assert found.program.profile == "vs_4_0" and found.program.checksum is True
    assert found.errors == [] and found.warnings == [] and unexplained(root) == 0
    assert root.child("SHDR").child("instructions").children[2].value == "mov o0.xyzw, v0.xyzw"


def test_signatures_are_told() -> None:
    rows = signature(("POSITION", 0, 0, 0xF), ("TEXCOORD", 1, 2, 0x3))
    program = read(dxbc_bytes([(b"ISGN", rows), (b"SHDR", program4(PASS))])).program
    assert program.inputs == (
        SignatureElement("POSITION", 0, 0, "float", "xyzw", "xyzw"),
        SignatureElement("TEXCOORD", 1, 2, "float", "xy", "xy"),
    )
    assert read(CONTAINER).program.outputs == (
        SignatureElement("SV_POSITION", 0, 0, "float", "xyzw", "xyzw"),
    )


def test_a_wrong_checksum_is_told() -> None:
    bad = CONTAINER[:4] + bytes(16) + CONTAINER[20:]
    found = read(bad)
    assert found.program.checksum is False and found.warnings == ["the checksum of the container is wrong"]


@pytest.mark.parametrize(
    ("change", "why", "path"),
    [
        ((28, 0xFFFFFFFF), "4294967295 items declared", "offsets"),
        ((32, 0xFFFFFFF0), "cannot begin at", "offsets"),
        ((36, 48), "cannot begin at", "offsets"),
        ((48, 0xFFFFFF), "16777215 bytes declared", "ISGN"),
        ((52, 0xFFFF), "65535 items declared", "ISGN/elements"),
        ((60, 0xFFFF), "has no terminating zero", "ISGN"),
    ],
)
def test_what_is_wrong_costs_its_part_and_no_more(change: tuple[int, int], why: str, path: str) -> None:
    data = bytearray(CONTAINER)
    struct.pack_into("<I", data, *change)
    found = read(bytes(data))
    assert any(why in error.why and error.path == path for error in found.errors), found.errors
    covered = Span("x", 0, len(data), children=found.children).children
    assert sum(each.size for each in covered) == len(data)


@pytest.mark.parametrize(("rest", "unknown"), [(bytes(12), 0), (b"rest", 4)])
def test_zeros_behind_the_parts_are_fill(rest: bytes, unknown: int) -> None:
    found = read(CONTAINER + rest)
    root = Span("x", 0, len(CONTAINER + rest), children=found.children)
    assert root.children[-1].name == ("unknown" if unknown else "zero fill")
    assert unexplained(root) == unknown


def test_parts_that_nobody_knows_stay_unknown() -> None:
    data = dxbc_bytes([(b"RDEF", bytes(8)), (b"SHDR", program4(PASS))])
    root = Span("x", 0, len(data), children=read(data).children)
    assert root.child("RDEF").note and unexplained(root) == 8


def test_an_empty_part_may_end_the_container() -> None:
    data = dxbc_bytes([(b"SHDR", program4(PASS)), (b"STAT", b"")])
    found = read(data)
    assert found.errors == []
    assert Span("x", 0, len(data), children=found.children).children[-1].name == "STAT"


def test_a_container_without_a_program_says_so() -> None:
    (error,) = read(dxbc_bytes([(b"ISGN", POSITION_IN)])).errors
    assert error.why == "the part SHDR is missing"


def test_lying_lengths_are_told() -> None:
    short = dxbc_bytes([(b"SHDR", words(0x00010040, 99, 0x0100003E))])
    assert "declares 99 tokens but has 3" in read(short).warnings[0]
    assert any("declares" in text for text in read(CONTAINER + bytes(4)).warnings)
