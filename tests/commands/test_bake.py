"""`rigscope bake` gives the engine's own numbers, and files that others can read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.program import SHELL
from tests.synthetic import write_pair
from viewer.commands.cli import main
from viewer.paths import folder

MODELS = "Data/Models"
MADE = "made-by-engine"
SOURCES = {
    "jack_bind": (f"{MODELS}/Jack.mdl",),
    "jack_walk": (f"{MODELS}/Jack.mdl", f"{MODELS}/Jack_Walk.ani"),
    "ninja_attack2": (f"{MODELS}/NinjaSnowWar/Ninja.mdl", f"{MODELS}/NinjaSnowWar/Ninja_Attack2.ani"),
    "ninja_walk": (f"{MODELS}/NinjaSnowWar/Ninja.mdl", f"{MODELS}/NinjaSnowWar/Ninja_Walk.ani"),
    "bones200_wave": (f"{MADE}/bones200_mapped3.mdl", f"{MADE}/bones200_wave.ani"),
    "two_roots": (f"{MADE}/two_roots.mdl", f"{MADE}/two_roots.ani"),
}
POSES = [
    "jack_bind",
    "jack_walk_0.5_loop",
    "jack_walk_1.05_loop",
    "jack_walk_1.05_noloop",
    "ninja_walk_0.4",
    "ninja_attack2_1.15_loop",
    "ninja_attack2_1.15_noloop",
    "bones200_wave_0_loop",
    "bones200_wave_0_noloop",
    "bones200_wave_0.05_loop",
    "bones200_wave_0.05_noloop",
    "bones200_wave_0.35_loop",
    "bones200_wave_0.35_noloop",
    "bones200_wave_1.45_loop",
    "bones200_wave_1.45_noloop",
    "bones200_wave_1.9_loop",
    "bones200_wave_1.9_noloop",
    "two_roots_0.25",
]


def baked(output: Path, *words: str) -> Any:
    """The arrays of a bake that went well."""
    assert main(["bake", *words, "-o", str(output)]) == 0
    return np.load(output)


@pytest.mark.parametrize("name", POSES)
def test_the_engines_poses(name: str, corpus: Path, oracle: Path, tmp_path: Path) -> None:
    truth = json.loads((oracle / f"urho3d/poses/{name}.json").read_text())
    files = next(files for start, files in SOURCES.items() if name.startswith(start))
    model, *clips = (str(corpus / "urho3d" / file) for file in files)
    words = [word for clip in clips for word in ("--animation", clip)]
    loop = "--no-loop" if name.endswith("noloop") else "--loop"
    arrays = baked(tmp_path / "x.npz", model, *words, "--time", str(truth["time"]), loop)

    world = np.array([bone["world"] for bone in truth["bones"]]).reshape(-1, 3, 4)
    boxes = [(skinned["min"], skinned["max"]) for skinned in truth["skinned"]]
    extent = np.ptp(np.array(boxes), axis=(0, 1)).max() if boxes else 1.0
    assert arrays["bones"] == pytest.approx(world, abs=1e-5 * extent)
    for number, skinned in enumerate(truth["skinned"]):
        positions, indices = arrays[f"positions_{number}"], arrays[f"indices_{number}"]
        used = positions[np.isfinite(positions[:, 0])]
        assert used.min(axis=0) == pytest.approx(np.array(skinned["min"]), abs=1e-5 * extent)
        assert used.max(axis=0) == pytest.approx(np.array(skinned["max"]), abs=1e-5 * extent)
        total = positions[indices].astype(np.float64).sum(axis=0)
        assert total / len(indices) == pytest.approx(
            np.array(skinned["sum"]) / len(indices), abs=1e-5 * extent
        )


def test_rows_that_no_index_uses_are_not_a_number(tmp_path: Path) -> None:
    arrays = baked(tmp_path / "x.npz", str(write_pair(tmp_path)), "--lod", "1")
    used = np.zeros(len(arrays["positions_0"]), bool)
    used[arrays["indices_0"]] = True
    assert 0 < used.sum() < len(used)
    assert np.array_equal(np.isfinite(arrays["positions_0"]).all(axis=1), used)


def test_morphs_move_vertices(tmp_path: Path) -> None:
    path = str(write_pair(tmp_path))
    plain = baked(tmp_path / "a.npz", path, "--morph", "taller=0")["positions_0"]
    moved = baked(tmp_path / "b.npz", path, "--morph", "taller=1")["positions_0"]
    assert plain[:16] == pytest.approx(moved[:16])
    assert moved[16:] - plain[16:] == pytest.approx(np.tile([0, 0.5, 0], (4, 1)), abs=1e-6)


def test_ply_holds_the_posed_triangles(tmp_path: Path) -> None:
    path = str(write_pair(tmp_path))
    words = (path, "--animation", "Bend", "--time", "0.5")
    arrays = baked(tmp_path / "x.npz", *words)
    assert main(["bake", *words, "-o", str(tmp_path / "x.ply")]) == 0
    header, _, body = (tmp_path / "x.ply").read_bytes().partition(b"end_header\n")
    assert b"element vertex 20\n" in header and b"element face 32\n" in header
    vertices = np.frombuffer(body, "<f4", 20 * 6).reshape(20, 6)
    assert vertices[:, :3] == pytest.approx(arrays["positions_0"])
    faces = np.frombuffer(body, np.dtype([("corners", "u1"), ("vertices", "<u4", 3)]), offset=vertices.nbytes)
    assert faces["corners"].tolist() == [3] * 32
    assert np.array_equal(faces["vertices"].ravel(), arrays["indices_0"])


def test_what_is_no_model_cannot_be_baked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = write_pair(tmp_path).with_name("Post_Bend.ani")
    assert main(["bake", str(clip), "-o", str(tmp_path / "x.npz")]) == 2
    assert "no model" in capsys.readouterr().err
    assert not (tmp_path / "x.npz").exists()


PUFF = str(folder("assets") / "m2" / "Creature" / "Puff" / "Puff.m2")


@pytest.mark.usefixtures("wow")
def test_ribbons_are_edges_from_the_bone_backwards(tmp_path: Path) -> None:
    arrays = baked(tmp_path / "x.npz", PUFF, "--animation", "Stand", "--time", "1.51")
    edges = arrays["ribbon_0"]
    assert edges.dtype.names == ("time", "top", "bottom", "color") and edges["time"][0] == np.float32(1.51)
    assert (np.diff(edges["time"]) < 0).all() and edges["time"][-1] > 1.51 - 1.0
    bone = arrays["bones"][7]
    pivot = bone @ (0.0, 0.0, 0.7, 1.0)
    np.testing.assert_allclose((edges["top"][0] + edges["bottom"][0]) / 2, pivot, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(edges["top"] - edges["bottom"], axis=1), 0.20, atol=1e-4)


@pytest.mark.usefixtures("wow")
def test_no_particles_means_no_ribbons_either(tmp_path: Path) -> None:
    assert len(baked(tmp_path / "x.npz", PUFF, "--no-particles")["ribbon_0"]) == 0


def test_an_earlier_file_is_replaced_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    post, output = str(write_pair(tmp_path)), tmp_path / "a.npz"
    assert main(["bake", post, "-o", str(output)]) == 0
    missing = capsys.readouterr().err
    assert missing == f"rigscope: {post}: material Materials/Post.xml is missing\n"
    assert main(["bake", post, "-o", str(output)]) == 0
    assert capsys.readouterr().err == f"rigscope: {output}: an earlier file is replaced\n{missing}"


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of a process")
def test_a_full_disk_leaves_the_earlier_file(tmp_path: Path) -> None:
    post, output = str(write_pair(tmp_path)), tmp_path / "a.npz"
    output.write_bytes(b"earlier")
    before = sorted(tmp_path.iterdir())
    words = f"ulimit -f 1; trap '' XFSZ; exec {SHELL} bake {post} -o {output}"
    done = subprocess.run(["bash", "-c", words], capture_output=True, text=True, cwd=folder("shaders").parent)
    assert (done.returncode, done.stderr) == (2, f"rigscope: {output}: File too large\n")
    assert output.read_bytes() == b"earlier" and sorted(tmp_path.iterdir()) == before


def test_what_is_read_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    post = write_pair(tmp_path)
    before, link = post.read_bytes(), tmp_path / "a.npz"
    link.symlink_to(post)
    assert main(["bake", str(post), "-o", str(link)]) == 2
    assert capsys.readouterr().err == (
        f"rigscope: {link} would replace {post}, which is an input file: choose another name\n"
    )
    assert post.read_bytes() == before and link.is_symlink()


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "a.npz", tmp_path / "there" / "b.npz"
    link.symlink_to(target)
    baked(link, str(write_pair(tmp_path)))
    assert link.is_symlink() and "positions_0" in np.load(target)


@pytest.mark.parametrize(
    ("words", "height"),
    [
        (("--time", "0.25", "--loop"), 0.55),
        (("--time", "0.5", "--no-loop"), 0.6),
        (("--time", "1.25", "--loop"), 0.55),
        (("--time", "1.25", "--no-loop"), 0.5),
    ],
)
def test_a_time_behind_the_end_loops_or_stays_at_the_end(
    words: tuple[str, ...], height: float, tmp_path: Path
) -> None:
    """The tip of the post rises from 0.5 to 0.6 at 0.5 s and is back after 1 s."""
    arrays = baked(tmp_path / "x.npz", str(write_pair(tmp_path)), "--animation", "Bend", *words)
    assert arrays["bones"][1][:, 3] == pytest.approx((0, height, 0), abs=1e-6)
