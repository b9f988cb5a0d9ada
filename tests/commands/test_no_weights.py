"""A model whose weights are all 0 stands in its bind pose by its first bone: drawn, baked and exported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import tests.wow  # noqa: F401
from tests import m2_files
from tests.gltf_files import GltfFile
from tests.synthetic import model_record
from viewer.commands.cli import main
from viewer.families.urho3d.model_layout import MODEL
from viewer.families.wow.m2.layout.writer import WrittenTrack


def urho(weights: object) -> bytes:
    """A post whose vertices have these weights, all joints on the upper bone."""
    record = model_record(morphs=[])
    record.vertex_buffers[0].vertices["weights"] = weights
    record.vertex_buffers[0].vertices["joints"] = 1
    return MODEL.pack(record)


def m2(weight: int) -> bytes:
    """Two triangles whose vertices have this weight; the first bone is 3 yards up in its only clip."""
    vertices = m2_files.vertices()
    vertices["weights"][:, 0] = weight
    vertices["bones"] = 2
    bones = m2_files.bones(m2_files.CLASSIC)
    bones[0] |= {"translation": WrittenTrack([0], [(0, 0, 3)])}
    return m2_files.model(vertices=vertices, bones=bones, particles=[], ribbons=[])


@pytest.fixture(params=["post.mdl", "two.m2"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param
    path.write_bytes(urho(0) if path.suffix == ".mdl" else m2(0))
    return path


def baked(model: Path) -> np.ndarray:
    """[N, 3]: the drawn vertices as the GPU places them."""
    output = model.with_suffix(".npz")
    assert main(["bake", str(model), "-o", str(output)]) == 0
    found = np.concatenate(
        [np.load(output)[name] for name in np.load(output) if name.startswith("positions")]
    )
    return found[np.isfinite(found).all(axis=1)]


def test_the_picture_shows_it(model: Path) -> None:
    output = model.with_suffix(".png")
    words = ["--size", "64x48", "--background", "transparent", "--no-particles"]
    assert main(["render", str(model), "-o", str(output), *words]) == 0
    with Image.open(output) as picture:
        assert (np.asarray(picture)[..., 3] > 0).mean() > 0.02


def test_its_baked_vertices_follow_the_first_bone(model: Path) -> None:
    stored = {".mdl": (0.2, 1.0, 0.2), ".m2": (2.0, 1.0, 1.0)}[model.suffix]
    up = {".mdl": 0.0, ".m2": 3.0}[model.suffix]
    found = baked(model)
    assert np.ptp(found, axis=0) == pytest.approx(stored)
    assert found[:, 2].max() == pytest.approx({".mdl": 0.1, ".m2": 1.0}[model.suffix] + up)


def test_its_exported_vertices_follow_the_first_bone(model: Path) -> None:
    output = model.with_suffix(".glb")
    assert main(["export", str(model), "-o", str(output)]) == 0
    file = GltfFile(output)
    first = file.json["skins"][0]["joints"][0]
    for mesh in file.json["meshes"]:
        attributes = mesh["primitives"][0]["attributes"]
        assert file.array(attributes["WEIGHTS_0"])[:, 0] == pytest.approx(1.0)
        assert not file.array(attributes["JOINTS_0"]).any()
    assert file.json["nodes"][first]["name"] == {".mdl": "base", ".m2": "Root"}[model.suffix]


def test_single_vertices_among_weighted_ones_stay_as_they_are(tmp_path: Path) -> None:
    weights = np.zeros((20, 4), np.float32)
    weights[4:, 0] = 1
    path = tmp_path / "post.mdl"
    path.write_bytes(urho(weights))
    assert (baked(path)[:4] == 0).all()


def test_the_check_tells_what_a_viewer_shows(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(model), "--select", "weights/none"])
    told = capsys.readouterr().out
    assert "warning weights/none" in told and "moved by its first bone" in told and "not measured" in told
