"""Compiled shaders are found by the checksum of the defines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.synthetic import write_pair
from viewer.check.checking import check_file
from viewer.families.urho3d.checksum import sdbm
from viewer.families.urho3d.rules.shaders import define_hashes

TECHNIQUE = '<technique vs="LitSolid" ps="LitSolid" psdefines="DIFFMAP"><pass name="base"/></technique>'
MATERIAL = '<material><technique name="Techniques/T.xml"/><shader psdefines="TINT"/></material>'


@pytest.mark.parametrize(
    ("defines", "number"),
    [
        (("VERTEXCOLOR", "DIFFMAP"), 0x9A6030F6),
        (("DIFFMAP", "VERTEXCOLOR", "ALPHAMASK"), 0xE5EBC920),
        (("dirlight", "NormalMap", "PERPIXEL", "SHADOW"), 0x08373355),
        ((), 0),
    ],
)
def test_the_number_in_a_name_is_that_of_the_sorted_defines(defines: tuple[str, ...], number: int) -> None:
    assert number in define_hashes(defines)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model whose material has a technique in a file, and a compiled shader of another program."""
    folder = tmp_path / "Data"
    (folder / "Models").mkdir(parents=True)
    files = {"Materials/M.xml": MATERIAL, "Techniques/T.xml": TECHNIQUE, "Models/Post.txt": "Materials/M.xml"}
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    cached(folder, "Basic_9A6030F6.ps4")
    return write_pair(folder / "Models")


def cached(folder: Path, name: str) -> None:
    cache = folder / "Shaders/HLSL/Cache"
    cache.mkdir(parents=True, exist_ok=True)
    (cache / name).write_bytes(b"USHD")


def told(model: Path) -> list[str]:
    return [found.text for found in check_file(str(model), select=["material/not-compiled"])]


def test_a_shader_that_is_not_compiled_is_told(model: Path) -> None:
    text = "LitSolid with DIFFMAP TINT is not among 1 compiled pixel shader, and has no source"
    assert told(model) == [f"material Materials/M.xml: {text}"]


@pytest.mark.parametrize("defines", ["diffmap tint", "diffmap heightfog tint", "DIFFMAP TINT"])
def test_a_compiled_shader_is_found(model: Path, defines: str) -> None:
    cached(model.parent.parent, f"LitSolid_{sdbm(defines.encode()):08X}.ps3")
    assert told(model) == []


def test_a_shader_with_a_source_can_be_compiled(model: Path) -> None:
    source = model.parent.parent / "Shaders/HLSL/LitSolid.hlsl"
    source.write_text("// shader")
    assert told(model) == []


def test_without_compiled_shaders_nothing_is_known(model: Path) -> None:
    (model.parent.parent / "Shaders/HLSL/Cache/Basic_9A6030F6.ps4").unlink()
    assert told(model) == []
