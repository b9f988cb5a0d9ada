"""Whatever is done to a shader or a script: a document or a FormatError, in bounded time and memory."""

from __future__ import annotations

import struct
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from tests.damage import BESIDE_A_LARGE_FILE, SCALE, allowed, check, damaged, open_bytes, peak
from tests.opened import opened_file
from tests.shader_files import (
    END,
    VS_3_0,
    old_bytes,
    oldest_bytes,
    script_bytes,
    shader_bytes,
    text,
    vs4_bytes,
    words,
)
from viewer.budget import BUDGET
from viewer.commands.info.info import facts
from viewer.families.urho3d.compiled import shader as shader_module
from viewer.families.urho3d.compiled.script import load_script
from viewer.families.urho3d.compiled.shader import load_shader
from viewer.scene.document import Document
from viewer.scene.items import InstructionItem
from viewer.scene.shader import CompiledShader

SEEDS = {
    "Basic_0000002A.vs3": shader_bytes(),
    "Basic_0000002A.vs4": vs4_bytes(),
    "old.vs3": old_bytes({"": words(VS_3_0, END), "SKINNED": words(VS_3_0, 0, END)}),
    "oldest.vs3": oldest_bytes({"": (4, words(VS_3_0, END)), "SKINNED": (9, words(VS_3_0, 0, END))}),
    "a.asc": script_bytes(data=bytes(9) + text("rotation") + bytes(9)),
}


def looked_at(document: Document, size: int) -> None:
    """The tree, every line of the disassembly, every line's bytes, the facts."""
    check(document, size)
    facts(document)
    if isinstance(document.content, CompiledShader):
        for number, program in enumerate(document.content.programs):
            for place, line in enumerate(program.lines):
                span = document.origin.span(InstructionItem(number, place))
                assert span is not None and span.offset == line.offset
                assert line.text


@given(damaged(SEEDS))
@settings(max_examples=300)
def test_damage_gives_a_document_or_a_format_error(case: tuple[str, bytes]) -> None:
    name, data = case
    document = open_bytes(name, data)
    if document is not None:
        looked_at(document, len(data))


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_every_cut_is_survived(name: str) -> None:
    load = load_script if name.endswith("asc") else load_shader
    for length in range(4, len(SEEDS[name])):
        looked_at(load(opened_file(Path("/nowhere/at/all") / name, SEEDS[name][:length])), length)


def _head(model: int = 3) -> bytes:
    return b"USHD" + struct.pack("<HH", 0, model)


MILLION = 1_000_000 // SCALE
HOSTILE = {
    "a stream that never ends": shader_bytes(words(VS_3_0, *[0] * (MILLION // 10))),
    "a million tiny parameters": _head() + struct.pack("<I", MILLION) + bytes(3 * MILLION),
    "a million variations": _head() + struct.pack("<3I", 0, 0, MILLION) + bytes(12 * MILLION),
    "counts past the end": _head(4) + b"\xff" * 64,
    "a program past the end": _head() + struct.pack("<3I", 0, 0, 0xFFFFFFFF) + bytes(64),
    "a name without an end": _head() + struct.pack("<I", 1) + b"A" * 4 * MILLION,
    # Larger than what is hashed: a smaller container takes longer.
    "a container of parts on top of each other": vs4_bytes(
        b"DXBC"
        + bytes(16)
        + struct.pack("<3I", 1, 4_000_000, 64)
        + struct.pack("<64I", *[300] * 64)
        + bytes(4_000_000)
    ),
    "a large container": vs4_bytes(
        b"DXBC" + bytes(16) + struct.pack("<3I", 1, 8_000_032, 0) + bytes(8_000_000)
    ),
}


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("case", sorted(HOSTILE))
def test_memory_stays_in_proportion(case: str) -> None:
    data = HOSTILE[case]
    assert peak(lambda: load_shader(opened_file(Path("/nowhere/at/all/x.vs3"), data))) < allowed(data)


@pytest.mark.usefixtures("small_limits")
def test_programs_of_one_token_stay_in_proportion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shader_module, "BUDGET", replace(BUDGET, programs=BUDGET.programs // SCALE))
    program = b"\0" + struct.pack("<I", 8) + words(VS_3_0, END)
    data = _head() + struct.pack("<3I", 0, 0, 900) + 900 * program
    work = partial(load_shader, opened_file(Path("/nowhere/at/all/x.vs3"), data))
    assert peak(lambda: facts(work())) < allowed(data)
    document = work()
    assert isinstance(document.content, CompiledShader) and len(document.content.programs) == 256
    assert document.report.warnings == ["only the first 256 programs are disassembled"]


@pytest.mark.parametrize("data", [b" " * 900_000, b"\x08abcd" * 200_000, b"\x06" * 2_000_000])
def test_scripts_of_nothing_but_texts_are_bounded(data: bytes) -> None:
    work = partial(load_script, opened_file(Path("/nowhere/at/all/x.asc"), b"ASBC\1" + data))
    assert peak(work) < allowed(data, BESIDE_A_LARGE_FILE)
