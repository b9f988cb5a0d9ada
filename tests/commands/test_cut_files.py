"""What the verbs say of files that end too early."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import m2_files
from tests.ogre_files import opened, rich_mesh
from viewer.commands.cli import main
from viewer.families.ogre.versions import MeshVersion

HEADER = "b.m2: 1 item of 324 bytes at 0x0 lies outside the file (model/header at 0x0)"
INDICES = 0x103
"""Where the indices of the first submesh begin in the mesh of the tests."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIGSCOPE_CACHE", str(tmp_path / "cache"))
    Path("b.m2").write_bytes(m2_files.model()[:100])
    Path("c.mesh").write_bytes(rich_mesh(MeshVersion.V1_100)[: INDICES + 5])
    Path("d.mesh").write_bytes(rich_mesh(MeshVersion.V1_100)[:60])


@pytest.mark.parametrize("output", ["o.png", "o.glb", "o.npz"])
def test_a_model_without_its_header_is_status_1_with_the_error(output: str, capsys: Any) -> None:
    verb = {"o.png": "render", "o.glb": "export", "o.npz": "bake"}[output]
    assert main([verb, "b.m2", "-o", output]) == 1
    assert capsys.readouterr().err == f"{HEADER}\n" and not Path(output).exists()


def test_a_batch_names_a_failing_file_once(capsys: Any) -> None:
    assert main(["thumbs", "./b.m2", "./d.mesh", "-o", "out/"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert f"./{HEADER}" in lines and sum(line.count("d.mesh") for line in lines) == 1
    assert main(["render", "./b.m2", "./c.mesh", "-o", "views/", "--size", "8x8"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert sum(line.count("b.m2") for line in lines) == sum(line.count("c.mesh") for line in lines) == 1


def test_a_file_without_a_version_has_no_comma(capsys: Any) -> None:
    main(["info", "b.m2"])
    assert capsys.readouterr().out.splitlines()[1] == "  WoW M2 model"


def test_the_vertices_of_a_mesh_that_ends_in_its_indices_are_points(tmp_path: Path, capsys: Any) -> None:
    model = opened(tmp_path, Path("c.mesh").read_bytes(), "c.mesh").model
    assert model is not None
    (points,) = model.geometries
    assert (points.name, points.lods[0].count, points.lods[0].primitive.name) == (
        "vertices of buffer 0",
        4,
        "POINTS",
    )
    assert main(["export", "c.mesh", "-o", "c.glb"]) == 1
    assert "no mesh" not in capsys.readouterr().err


def test_an_export_without_a_mesh_says_so(capsys: Any) -> None:
    assert main(["export", "d.mesh", "-o", "d.glb"]) == 1
    assert "rigscope: no mesh is written: the model has no vertices" in capsys.readouterr().err
