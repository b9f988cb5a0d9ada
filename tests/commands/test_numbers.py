"""What the verbs say of the numbers and names that a file holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.lib.recfunctions as rfn
import pytest

from tests.ogre_files import rich_mesh
from tests.synthetic import VERTEX, model_bytes, model_record
from viewer.commands.cli import main
from viewer.families.ogre.versions import MeshVersion
from viewer.families.urho3d.model_layout import MODEL

CUT = 0x103 + 5
"""A place among the indices of the first submesh of `rich_mesh`."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))


def rules_of(capsys: Any, *words: str) -> set[str]:
    """The rules of the findings of `check`."""
    main(["check", *words, "--json"])
    return {each["rule"] for each in json.loads(capsys.readouterr().out)["findings"]}


def test_no_rule_speaks_of_points_that_the_program_made(capsys: Any) -> None:
    Path("c.mesh").write_bytes(rich_mesh(MeshVersion.V1_100)[:CUT])
    Path("c.mdl").write_bytes(model_bytes()[:900])
    found = rules_of(capsys, "c.mesh", "c.mdl")
    assert "bytes/cut-off" in found and not {rule for rule in found if rule.startswith(("mesh/", "weights/"))}


def info(capsys: Any, *words: str) -> str:
    """What `info` prints."""
    main(["info", *words])
    return str(capsys.readouterr().out)


def test_a_geometry_without_weights_has_no_skin(capsys: Any) -> None:
    whole, other = model_record(morphs=[]), model_record()
    (bare,) = other.vertex_buffers
    kept = [name for name in VERTEX.names or () if name not in ("weights", "joints")]
    bare.vertices, bare.elements = rfn.repack_fields(bare.vertices[kept]), bare.elements[:3]
    bare.morph_count = 0
    (second,) = other.geometries
    second.lods["vertex_buffer"], second.bone_map = 1, np.empty(0, "<u4")
    whole.vertex_buffers.append(bare)
    whole.geometries.append(second)
    whole.centers = np.zeros((2, 3), "<f4")
    Path("two.mdl").write_bytes(MODEL.pack(whole))
    rows = [line.split() for line in info(capsys, "two.mdl").splitlines() if " geometry " in line]
    assert [row[-4:] for row in rows] == [["2", "bones", "no", "material"], ["10", "none", "no", "material"]]
