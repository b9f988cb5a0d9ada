"""`rigscope export` from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import synthetic
from tests.gltf_files import GltfFile
from viewer.commands.dispatch import run
from viewer.export.gltf import container
from viewer.paths import folder

BEACON = str(folder("assets") / "urho3d/Models/Beacon.mdl")


def clips(path: Path) -> list[str]:
    """The names of the animations in a file."""
    return [each["name"] for each in GltfFile(path).json.get("animations", ())]


def test_all_clips_are_written_by_default(tmp_path: Path) -> None:
    assert run(["export", BEACON, "-o", str(tmp_path / "out.glb")]) == 0
    assert len(clips(tmp_path / "out.glb")) > 1


@pytest.mark.parametrize(("word", "count"), [("none", 0), ("Beacon_Dance", 1), ("all", 2)])
def test_clips_can_be_chosen(word: str, count: int, tmp_path: Path) -> None:
    assert run(["export", BEACON, "-o", str(tmp_path / "out.glb"), "--animation", word]) == 0
    assert len(clips(tmp_path / "out.glb")) == count


def test_a_name_that_does_not_exist_is_refused(tmp_path: Path, capsys: Any) -> None:
    assert run(["export", BEACON, "-o", str(tmp_path / "out.glb"), "--animation", "Beacon_Dence"]) == 2
    assert "Beacon_Dance" in capsys.readouterr().err and not (tmp_path / "out.glb").exists()


def test_tracks_can_be_sampled(tmp_path: Path) -> None:
    run(["export", BEACON, "-o", str(tmp_path / "out.glb"), "--animation", "Beacon_Dance", "--fps", "10"])
    file = GltfFile(tmp_path / "out.glb")
    for sampler in file.json["animations"][0]["samplers"]:
        *times, end = file.array(sampler["input"])[:, 0].tolist()
        assert all(abs(10 * time - round(10 * time)) < 1e-4 for time in times) and end > 0


@pytest.mark.parametrize("name", ["out.obj", "out.ply", "out.gltf"])
def test_each_suffix_is_a_format(name: str, tmp_path: Path) -> None:
    assert run(["export", BEACON, "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / name).stat().st_size


def test_a_library_that_is_there_needs_force(tmp_path: Path, capsys: Any) -> None:
    words = ["export", BEACON, "-o", str(tmp_path / "out.obj")]
    assert run(words) == 0 and (tmp_path / "out.mtl").is_file()
    assert run(words) == 2
    assert "out.mtl exists already; --force replaces existing files" in capsys.readouterr().err
    assert run([*words, "--force"]) == 0
    many = ["export", BEACON, "-o", str(tmp_path / "many/{name}.obj")]
    assert run(many) == 0 and run([*many, "--force"]) == 0


def test_a_posed_mesh_takes_the_time(tmp_path: Path) -> None:
    pose = ["--animation", "Beacon_Dance", "--time"]
    for name, time in (("a.glb", "0"), ("b.glb", "0.5")):
        assert run(["export", BEACON, "-o", str(tmp_path / name), "--bake-pose", *pose, time]) == 0
    first, second = GltfFile(tmp_path / "a.glb"), GltfFile(tmp_path / "b.glb")
    assert "skins" not in first.json and abs(first.positions()[0] - second.positions()[0]).max() > 0.01


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    assert run(["export", BEACON, "-o", str(tmp_path / "out.fbx")]) == 2


def test_the_file_that_is_read_is_not_replaced(tmp_path: Path) -> None:
    path = synthetic.write_pair(tmp_path)
    linked = tmp_path / "linked.glb"
    linked.symlink_to(path)
    assert run(["export", str(path), "-o", str(linked)]) == 2


def test_a_damaged_model_is_written_as_far_as_it_is_read(tmp_path: Path, capsys: Any) -> None:
    path = synthetic.write_pair(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 40])
    assert run(["export", str(path), "-o", str(tmp_path / "out.glb")]) == 1
    assert GltfFile(tmp_path / "out.glb").positions()


def test_options_of_the_model_are_kept(tmp_path: Path) -> None:
    run(["export", BEACON, "-o", str(tmp_path / "out.glb"), "--no-materials", "--axes", "file"])
    assert "materials" not in GltfFile(tmp_path / "out.glb").json


@pytest.mark.usefixtures("worker_processes")
def test_each_of_many_models_becomes_a_file(tmp_path: Path, capsys: Any) -> None:
    models = str(folder("assets") / "urho3d/Models")
    assert run(["export", models, "-o", str(tmp_path / "out") + "/", "--jobs", "1"]) == 0
    assert GltfFile(tmp_path / "out/Beacon.glb").json["animations"]


def test_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "GLB_BYTES", 1000)
    with pytest.raises(OSError, match="4 GiB"):
        run(["export", BEACON, "-o", str(tmp_path / "out.glb")])
    assert list(tmp_path.iterdir()) == []


def test_clips_are_written_in_place(tmp_path: Path) -> None:
    (tmp_path / "Post.mdl").write_bytes(synthetic.model_bytes())
    walk = [synthetic.track("base", [0, 1], position=[[0, 0, 0], [0, 1, 3]])]
    (tmp_path / "Walk.ani").write_bytes(synthetic.animation_bytes("Walk", 1.0, walk))
    files = [str(tmp_path / "Post.mdl"), str(tmp_path / "Walk.ani"), "-o", str(tmp_path / "out.glb")]
    ends = []
    for more in ([], ["--in-place"]):
        assert run(["export", *files, "--animation", "Walk", *more]) == 0
        file = GltfFile(tmp_path / "out.glb")
        (sampler,) = file.json["animations"][0]["samplers"]
        ends.append(file.array(sampler["output"])[-1].tolist())
    assert abs(ends[0][2]) == pytest.approx(3) and ends[1] == pytest.approx([0, 1, 0], abs=1e-6)
