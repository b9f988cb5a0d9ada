"""`info`, `tree` and `render` of compiled shaders and scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.shader_files import (
    TRANSFORM,
    old_bytes,
    parameter,
    script_bytes,
    shader_bytes,
    text,
    unit,
    vs4_bytes,
    words,
)
from viewer.commands.cli import main
from viewer.commands.info.info import facts
from viewer.commands.info.summary import summary
from viewer.scene.shader import sdbm
from viewer.storage.documents import open_document

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def shader(tmp_path: Path) -> Path:
    path = tmp_path / f"Basic_{sdbm('diffmap vertexcolor'):08X}.vs3"
    units = [unit("DiffMap", 0)]
    path.write_bytes(shader_bytes(parameters=[parameter("ViewProj", 4, 4)], units=units))
    return path


def test_the_facts_of_a_shader(shader: Path) -> None:
    found = facts(open_document(shader))["shader"]
    assert (found["stage"], found["model"], found["instructions"]) == ("vertex", 3, 5)
    assert found["parameters"] == [
        {"name": "ViewProj", "buffer": None, "start": 4, "size": 4, "register": "c4"},
    ]
    assert found["units"] == [{"name": "DiffMap", "sampler": 0, "register": "s0"}]
    (program,) = found["programs"]
    assert program["profile"] == "vs_3_0" and program["opcodes"]["dp4"] == 4
    assert program["registers"]["c"] == [4, 5, 6, 7, 8] and program["declared"]["c"] == [8]
    assert found["defines_hash"] == "9A6030F6" and found["element_hash"] is None


def test_the_summary_of_a_shader(shader: Path) -> None:
    lines = list(summary(facts(open_document(shader))))
    assert "  ViewProj  c4        4 registers" in lines and "  DiffMap  s0" in lines
    assert "program vs_3_0: 5 instructions (5 declaration, 5 arithmetic, 1 end)" in lines
    assert "  registers: c 4–8, o 0–1, v 0–1" in lines


def test_model_4_has_signatures_hash_and_checksum(tmp_path: Path) -> None:
    (tmp_path / "a.vs4").write_bytes(vs4_bytes(element_hash=2))
    found = facts(open_document(tmp_path / "a.vs4"))
    assert found["shader"]["programs"][0]["inputs"][0]["semantic"] == "POSITION"
    told = "\n".join(summary(found))
    assert "element hash 00000002 does not match the inputs" in told
    assert "outputs: SV_POSITION.xyzw" in told and "checksum right" in told


def test_several_programs_are_told_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.vs3").write_bytes(old_bytes({"": words(*TRANSFORM), "SKINNED": words(*TRANSFORM)}))
    told = summary(facts(open_document(tmp_path / "a.vs3")))
    assert any("program SKINNED vs_3_0: 5 instructions" in line for line in told)


def test_defines_are_tested_against_the_name(shader: Path, capsys: Captured) -> None:
    assert main(["info", str(shader), "--define", "VERTEXCOLOR DIFFMAP", "--define", "SKINNED"]) == 0
    told = capsys.readouterr().out
    assert (
        "define 'VERTEXCOLOR DIFFMAP': fits the file's name, sorted, lower-case: 'diffmap vertexcolor'"
        in told
    )
    assert "define 'SKINNED': does not fit the file's name: as typed" in told
    assert main(["info", str(shader), "--json", "--define", "diffmap vertexcolor"]) == 0
    (define,) = json.loads(capsys.readouterr().out)["shader"]["defines"]
    assert define["fits"] == "as typed" and define["tried"][0]["hash"] == "9A6030F6"


@pytest.mark.parametrize(("name", "why"), [("a.asc", "is not one"), ("nameless.vs3", "hash of eight digits")])
def test_what_has_no_hash_has_no_defines(tmp_path: Path, capsys: Captured, name: str, why: str) -> None:
    (tmp_path / name).write_bytes(script_bytes() if name.endswith("asc") else shader_bytes())
    assert main(["info", str(tmp_path / name), "--define", "A"]) == 2
    assert why in capsys.readouterr().err


def test_the_facts_of_a_script(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_bytes(script_bytes(data=b"\xff" * 4 + text("rotation")))
    found = facts(open_document(tmp_path / "a.asc"))
    assert found["script"]["classes"] == [{"name": "Mover", "namespace": "", "flags": 0x200005}]
    assert found["script"]["texts"] == [{"offset": 23, "size": 9, "text": "rotation"}]
    assert found["script"]["opaque_bytes"] == found["unexplained_bytes"] == 13
    told = "\n".join(summary(found))
    assert "debug information left out" in told and "13 bytes are internal data of AngelScript" in told


def test_the_tree_is_the_disassembly(shader: Path, capsys: Captured) -> None:
    assert main(["tree", str(shader)]) == 0
    told = capsys.readouterr().out
    assert '[5]  dp4  = "dp4 o0.x, v0, c4"  · ViewProj[0]' in told
    assert 'source 1  token  = "0xA0E40004"  · c4' in told


@pytest.mark.parametrize("name", ["a.vs3", "a.asc"])
def test_there_is_no_picture_of_it(tmp_path: Path, capsys: Captured, name: str) -> None:
    (tmp_path / name).write_bytes(script_bytes() if name.endswith("asc") else shader_bytes())
    assert main(["render", str(tmp_path / name), "-o", str(tmp_path / "x.png")]) == 2
    assert "which has no picture" in capsys.readouterr().err
    assert not (tmp_path / "x.png").exists()


def test_a_broken_shader_exits_with_1(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.vs3").write_bytes(shader_bytes()[:-4])
    assert main(["info", str(tmp_path / "a.vs3")]) == 1
    captured = capsys.readouterr()
    assert "shader/code" in captured.err and "ViewProj" in captured.out
