"""Exported models, read back as the specification says, are where the viewer shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests import m2_files, ogre_files, synthetic
from tests.gltf_files import GltfFile
from viewer.animation.pose import Layer, moves, pose
from viewer.budget import BUDGET
from viewer.export.gltf import sampled
from viewer.export.gltf.axes import FILE_AXES
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource, exported_parts
from viewer.export.gltf.options import ExportOptions
from viewer.paths import folder
from viewer.scene.document import Document
from viewer.scene.mesh.vertices import influences, posed
from viewer.scene.skeleton import BONELESS
from viewer.storage.documents import open_document

SAMPLES = sorted(
    path
    for top in ("urho3d", "ogre", "m2")
    for path in (folder("assets") / top).rglob("*")
    if path.suffix in (".mdl", ".mesh", ".m2")
)
SHARES = (0.0, 0.213, 0.5, 0.777, 0.99)
NEAR = 2e-5
"""The largest distance as a share of the extent."""


def shown(document: Document, layers: tuple[Layer, ...]) -> list[Any]:
    """[V, 3] in viewer space of each geometry; those that bones move come first."""
    model = document.model
    assert model is not None
    bones = len(model.skeleton) if model.skeleton else 0
    motion = moves(pose(model.skeleton or BONELESS, layers), {})
    parts = exported_parts(model, ExportOptions(), FILE_AXES)
    parts.sort(key=lambda part: influences(model, part.geometry, part.lod, part.rows, bones) is None)
    points = [posed(model, part.geometry, part.lod, part.rows, motion) for part in parts]
    return [each @ model.to_world[:3, :3].T + model.to_world[:3, 3] for each in points]


def exported(document: Document, path: Path, **options: Any) -> tuple[GltfFile, list[str]]:
    """The file of a document with all clips, and the messages."""
    assert document.model is not None
    source = ExportSource(document.model, document.animations)
    messages = export_gltf(source, ExportOptions(**options), str(path))
    return GltfFile(path), messages


def worst(document: Document, file: GltfFile, layers: tuple[Layer, ...] = ()) -> float:
    """The largest distance between the file's and the viewer's vertices, as a share of the extent."""
    clip, time = (layers[0].animation.name, layers[0].time) if layers else (None, 0.0)
    pairs = list(zip(file.positions(clip, time), shown(document, layers), strict=True))
    extent = np.linalg.norm(np.ptp(np.concatenate([each for _, each in pairs]), axis=0))
    return max(float(np.abs(ours - theirs).max()) for ours, theirs in pairs) / float(extent)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_move_as_in_the_viewer(path: Path, tmp_path: Path) -> None:
    document = open_document(path)
    file, _ = exported(document, tmp_path / "out.glb")
    assert worst(document, file) < NEAR
    for clip in document.animations[:3]:
        for share in SHARES:
            assert worst(document, file, (Layer(clip, clip.duration * share),)) < NEAR, (clip.name, share)


def test_uneven_scales_of_parents_are_exact(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(_sheared())
    document = ogre_files.opened(tmp_path, ogre_files.rich_mesh(ogre_files.NEWEST))
    file, messages = exported(document, tmp_path / "out.glb")
    assert any("all joints are roots" in each for each in messages)
    clip = document.animations[0]
    for share in SHARES:
        assert worst(document, file, (Layer(clip, clip.duration * share),)) < 1e-4


def test_of_very_many_keys_of_uneven_bones_some_are_sampled_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampled, "BUDGET", replace(BUDGET, sampled_keys=8))
    monkeypatch.setattr(sampled, "CLIP_POSES", 8)
    (tmp_path / "bones.skeleton").write_bytes(_sheared(between=48))
    document = ogre_files.opened(tmp_path, ogre_files.rich_mesh(ogre_files.NEWEST))
    file, messages = exported(document, tmp_path / "out.glb")
    assert any("clip bend has too many keys: it is sampled at 4 of " in each for each in messages)
    samplers = file.json["animations"][0]["samplers"]
    assert {file.json["accessors"][each["input"]]["count"] for each in samplers} <= {2, 4}
    assert worst(document, file) < 1e-4


def _sheared(between: int = 0) -> bytes:
    """Two bones, the parent of which turns while it is uneven, with more keys `between` the ends."""
    from tests.ogre_skeletons import bone, clip, keys, parents, skeleton_bytes, track

    still = (0.0, (0, 0, 0, 1), (0, 0, 0))
    more = [((number + 1) / (between + 1), *still[1:]) for number in range(between)]
    return skeleton_bytes(
        bone("lower", 0, scale=(1, 2, 1)),
        bone("upper", 1, (0, 1, 0)),
        parents((1, 0)),
        clip(
            "bend",
            1.0,
            track(0, keys(still, *more, (1.0, (0, 0, 0.6, 0.8), (0, 0, 0)))),
            track(1, keys((0.0, (0, 0, 0, 1), (0, 0, 0)), (1.0, (0.6, 0, 0, 0.8), (0, 0, 0)))),
        ),
    )


def test_morphs_are_targets_with_names_and_weights(tmp_path: Path) -> None:
    document = open_document(synthetic.write_pair(tmp_path))
    file, _ = exported(document, tmp_path / "out.glb", morphs=((0, 0.5),))
    mesh, model = file.json["meshes"][0], document.model
    assert model is not None
    assert mesh["extras"]["targetNames"] == [each.name for each in model.morphs]
    assert mesh["weights"][0] == 0.5


def test_a_clip_lasts_as_long_as_in_the_file(tmp_path: Path) -> None:
    document = open_document(SAMPLES[0])
    file, _ = exported(document, tmp_path / "out.glb")
    lengths = {
        each["name"]: max(
            file.json["accessors"][each_sampler["input"]]["max"][0] for each_sampler in each["samplers"]
        )
        for each in file.json["animations"]
    }
    for clip in document.animations:
        if clip.name in lengths:
            assert lengths[clip.name] == pytest.approx(clip.duration, rel=1e-6)


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    document = open_document(SAMPLES[0])
    for name in ("one.glb", "two.glb"):
        exported(document, tmp_path / name)
    assert (tmp_path / "one.glb").read_bytes() == (tmp_path / "two.glb").read_bytes()


def test_hidden_geometries_are_left_out(tmp_path: Path) -> None:
    document = open_document(SAMPLES[0])
    assert document.model is not None
    count = len(document.model.geometries)
    file, _ = exported(document, tmp_path / "out.glb", hidden=frozenset({0}))
    assert sum(len(mesh["primitives"]) for mesh in file.json["meshes"]) == count - 1


def test_axes_of_the_file_are_kept_on_demand(tmp_path: Path) -> None:
    document = ogre_files.opened(tmp_path, m2_files.model(), "bones.m2")
    assert document.model is not None
    file, _ = exported(document, tmp_path / "out.glb", keep_axes=True)
    part = exported_parts(document.model, ExportOptions(), FILE_AXES)[0]
    primitive = file.json["meshes"][0]["primitives"][0]
    stored = document.model.vertex_buffers[0].column("position")
    assert "rotation" not in file.json["nodes"][0]
    assert (file.array(primitive["attributes"]["POSITION"]) == stored[part.rows]).all()


def test_a_posed_mesh_has_no_skeleton(tmp_path: Path) -> None:
    document = open_document(SAMPLES[0])
    model, clip = document.model, document.animations[0]
    assert model is not None and model.skeleton is not None
    layers = (Layer(clip, clip.duration / 3),)
    source = ExportSource(model, (), motion=moves(pose(model.skeleton, layers), {}))
    export_gltf(source, ExportOptions(), str(tmp_path / "out.glb"))
    file = GltfFile(tmp_path / "out.glb")
    assert not {"skins", "animations"} & file.json.keys()
    for ours, theirs in zip(file.positions(), shown(document, layers), strict=True):
        assert np.abs(ours - theirs).max() < 1e-4


def test_without_materials_surfaces_have_none(tmp_path: Path) -> None:
    file, _ = exported(open_document(SAMPLES[0]), tmp_path / "out.glb", materials=False)
    assert not {"materials", "images", "textures"} & file.json.keys()


@pytest.mark.parametrize("length", [np.inf, np.nan, 1e300])
def test_a_clip_without_a_length_is_left_out_and_told(
    length: float, any_numbers: None, tmp_path: Path
) -> None:
    document = open_document(synthetic.write_pair(tmp_path))
    assert document.model is not None
    clip = replace(document.animations[0], duration=length)
    path = tmp_path / "out.glb"
    messages = export_gltf(ExportSource(document.model, (clip,)), ExportOptions(), str(path))
    assert "its length is not a number" in messages[0] and "animations" not in GltfFile(path).json
