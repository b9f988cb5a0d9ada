"""The verbs of the program on files of the plugin."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rigscope_iqm.write import Clip

from tests.gltf_files import GltfFile
from tests.plugin_iqm.conftest import FOLDER
from tests.plugin_iqm.samples import alone, data, model, opened, waving
from viewer import plugin
from viewer.animation.pose import Layer, pose
from viewer.commands.cli import main
from viewer.commands.formats import page
from viewer.family import registry

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The figure, and a file of its animations."""
    (tmp_path / "figure.iqm").write_bytes(data())
    (tmp_path / "moves.iqm").write_bytes(alone())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_plugin_imports_nothing_but_the_facade() -> None:
    for path in (FOLDER / "rigscope_iqm").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not str(name).startswith("viewer") or name == "viewer.plugin", path.name
            if isinstance(node, ast.ImportFrom) and node.module == "viewer.plugin":
                assert {each.name for each in node.names} <= set(plugin.__all__)


def test_the_family_is_listed(capsys: Captured) -> None:
    assert main(["families"]) == 0
    assert "IQM  plugin rigscope-iqm 0.1" in capsys.readouterr().out
    assert registry.take_faults() == []


def test_info_has_the_counts(folder: Path, capsys: Captured) -> None:
    assert main(["info", "figure.iqm", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["format"], told["unexplained_bytes"], told["complete"]) == ("IQM model", 0, True)
    assert [len(told[part]) for part in ("geometries", "bones", "animations", "materials")] == [5, 4, 2, 5]
    assert [each["matched"] for each in told["animations"]] == [4, 4]


def test_equal_files_do_not_differ(folder: Path, capsys: Captured) -> None:
    (folder / "same.iqm").write_bytes(data(comment="another"))
    assert main(["diff", "figure.iqm", "same.iqm"]) == 0
    assert main(["diff", "figure.iqm", "figure.iqm"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "same bytes"


def test_differences_are_told_by_their_meaning(folder: Path, capsys: Captured) -> None:
    clips = (Clip("wave", 0, 7, 25.0, 1), Clip("still", 2, 3))
    (folder / "other.iqm").write_bytes(data(clips=clips))
    assert main(["diff", "figure.iqm", "other.iqm"]) == 1
    told = capsys.readouterr().out
    assert "different: 1 animation" in told and "wave: length 0.32 → 0.28 s" in told


def test_an_export_has_the_posed_vertices(folder: Path) -> None:
    assert main(["export", "figure.iqm", "-o", "out.glb"]) == 0
    file = GltfFile(folder / "out.glb")
    assert [each["name"] for each in file.json["animations"]] == ["wave", "still"]
    document = opened(folder)
    content = model(document)
    posed = pose(content.skeleton, [Layer(document.animations[0], 3 / 25)])  # type: ignore[arg-type]
    skin = (content.to_world[:3, :3] @ posed.skin)[content.vertex_buffers[3].column("joints")[:, 0]]  # type: ignore[index]
    points = content.vertex_buffers[0].column("position")
    expected = np.einsum("vij,vj->vi", skin[:, :, :3], points) + skin[:, :, 3]
    found = np.concatenate(file.positions("wave", 3 / 25))
    assert {tuple(row) for row in found.round(3)} == {tuple(row) for row in expected.round(3) + 0.0}


def test_files_are_found_by_what_is_in_them(folder: Path, capsys: Captured) -> None:
    assert main(["find", ".", "bones:4"]) == 0
    assert capsys.readouterr().out.splitlines() == ["./figure.iqm"]
    assert main(["find", ".", "kind:animation"]) == 0
    assert capsys.readouterr().out.splitlines() == ["./moves.iqm"]


def test_thumbnails_are_drawn(folder: Path) -> None:
    assert main(["thumbs", "figure.iqm", "-o", "out"]) == 0
    assert list((folder / "out").glob("*.png"))


def test_the_bytes_are_listed(folder: Path, capsys: Captured) -> None:
    assert main(["tree", "figure.iqm"]) == 0
    told = capsys.readouterr().out
    assert "num_meshes  u32  = 5  · number of meshes" in told and "unknown" not in told


def test_the_format_has_a_page(capsys: Captured) -> None:
    assert main(["formats", "iqm"]) == 0
    told = capsys.readouterr().out
    assert (
        "num_framechannels" in told
        and "0xFFFFFFFF: none" in told
        and "Inter-Quake Model development kit" in told
    )
    fields = [row for section in page("iqm").sections for row in section.rows]
    assert len(fields) > 60 and [row.name for row in fields if not row.note] == []
    assert fields[1].offset == "0x10" and not any("<" in row.type for row in fields)


def test_baked_vertices_are_those_of_the_clip(folder: Path) -> None:
    assert main(["bake", "figure.iqm", "--animation", "wave", "--time", str(4 / 25), "-o", "out.npz"]) == 0
    with np.load(folder / "out.npz") as baked:
        height = np.nanmax(baked["positions_2"][:, 2])
    assert height == pytest.approx(1.95 + waving()[4, 2, 2] - 0.5, abs=1e-3)


def test_the_author_may_try_it(folder: Path, capsys: Captured, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "viewer", "families", "--check", "IQM", "figure.iqm"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
