"""The OGRE sample: it is what its generator makes, and shows what a sample should."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from viewer.animation.pose import Layer, Pose, pose
from viewer.binary import unexplained
from viewer.paths import folder
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton
from viewer.storage.documents import open_document

LARGEST = 1_350_000
CLIPS = ("Guard", "Chase")
CHINESE = ("护珠", "追珠")
MATERIALS = ("Skin", "Fins", "Flames", "Pearl")


@pytest.fixture(scope="module")
def sample() -> Path:
    return folder("assets") / "ogre"


@pytest.fixture(scope="module")
def document(sample: Path) -> Document:
    return open_document(sample / "models/Linglong.mesh")


@pytest.fixture(scope="module")
def model(document: Document) -> Model:
    assert document.model is not None
    return document.model


@pytest.fixture(scope="module")
def tlbb(sample: Path) -> Document:
    return open_document(sample / "models/LinglongTLBB.skeleton")


@pytest.fixture(scope="module")
def rebuilt(rebuilt_assets: Path) -> Path:
    return rebuilt_assets / "ogre"


def files(root: Path) -> dict[str, Path]:
    return {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}


def column(model: Model, semantic: str) -> np.ndarray[Any, Any]:
    found = [each for buffer in model.vertex_buffers if (each := buffer.column(semantic)) is not None]
    return found[0]


def triangles(model: Model, number: int) -> np.ndarray[Any, Any]:
    lod = model.geometries[number].lods[0]
    assert lod.indices is not None
    return model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count].reshape(-1, 3).astype(int)


def test_committed_files_are_those_the_generator_makes(sample: Path, rebuilt: Path) -> None:
    assert list(files(sample)) == list(files(rebuilt))


def test_committed_texts_and_pictures_are_what_the_generator_makes(sample: Path, rebuilt: Path) -> None:
    for name, path in files(sample).items():
        if path.suffix == ".png":
            shown, drawn = (np.asarray(Image.open(place), int) for place in (path, rebuilt / name))
            assert np.abs(shown - drawn).max() <= 1, name
        elif path.suffix == ".material":
            assert path.read_bytes() == (rebuilt / name).read_bytes(), name


def test_committed_mesh_is_what_the_generator_makes(model: Model, rebuilt: Path) -> None:
    made = open_document(rebuilt / "models/Linglong.mesh").model
    assert made is not None
    for semantic in ("position", "normal", "uv0", "weights"):
        assert np.allclose(column(model, semantic), column(made, semantic), atol=2e-5), semantic
    for number in range(len(MATERIALS)):
        assert (triangles(model, number) == triangles(made, number)).all()
    assert [morph.vertices for morph in model.morphs] == [morph.vertices for morph in made.morphs]


@pytest.mark.parametrize("name", ["Linglong.skeleton", "LinglongTLBB.skeleton"])
def test_committed_skeletons_are_what_the_generator_makes(sample: Path, rebuilt: Path, name: str) -> None:
    shown, made = (open_document(place / "models" / name) for place in (sample, rebuilt))
    assert isinstance(shown.content, Skeleton) and isinstance(made.content, Skeleton)
    assert shown.content.names == made.content.names
    for mine, other in zip(shown.animations, made.animations, strict=True):
        assert np.allclose(
            posed(shown.content, mine, 0.7).world, posed(made.content, other, 0.7).world, atol=2e-5
        )


def test_sample_is_small(sample: Path) -> None:
    assert sum(path.stat().st_size for path in files(sample).values()) < LARGEST


@pytest.mark.parametrize("name", ["Linglong.mesh", "Linglong.skeleton"])
def test_opens_without_a_word_and_without_unknown_bytes(sample: Path, name: str) -> None:
    opened = open_document(sample / "models" / name)
    assert opened.report.warnings == []
    assert opened.report.errors == []
    assert opened.root.size == len(opened.data)
    assert unexplained(opened.root) == 0


def test_four_submeshes_share_one_geometry(model: Model) -> None:
    assert [geometry.name for geometry in model.geometries] == ["skin", "fins", "flames", "pearl"]
    assert len({geometry.lods[0].streams for geometry in model.geometries}) == 1


def test_surfaces_face_outwards(model: Model) -> None:
    positions, normals = column(model, "position"), column(model, "normal")
    for number in (0, 3):  # the others are seen from both sides
        corners = positions[triangles(model, number)].astype(float)
        facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        agree = np.sum(facing * normals[triangles(model, number)].sum(axis=1), axis=1) > 0
        assert agree.mean() > 0.99
        assert np.sum(corners[:, 0] * facing) > 0  # the volume


def test_it_is_about_a_metre_high_and_looks_ahead(model: Model) -> None:
    assert model.bounds is not None and model.skeleton is not None
    assert -0.05 < model.bounds[0, 1] < 0.05 and 1.0 < model.bounds[1, 1] < 1.5
    eyes = [model.skeleton.names.index(name) for name in ("Eye.L", "Eye.R")]
    assert pose(model.skeleton).world[eyes, 2, 3].min() > 0.15


def test_two_poses_move_a_part_of_the_vertices(model: Model) -> None:
    assert [morph.name for morph in model.morphs] == ["blink", "smile"]
    for morph in model.morphs:
        assert 0 < morph.vertices < len(column(model, "position")) / 4


def test_materials_use_what_scripts_can(model: Model) -> None:
    materials = {material.name.removeprefix("Linglong/"): material for material in model.materials}
    assert tuple(materials) == MATERIALS
    assert all(material.found for material in model.materials)
    assert all(texture.path for texture in model.textures) and len(model.textures) == 3
    assert (materials["Fins"].cull, materials["Fins"].alpha_function) == ("none", "greater_equal")
    assert [name for name, material in materials.items() if material.unlit] == ["Flames", "Pearl"]
    assert [name for name, material in materials.items() if material.uv_motion] == ["Pearl"]


def posed(skeleton: Skeleton, animation: Animation, time: float) -> Pose:
    return pose(skeleton, [Layer(animation, time, looped=False)])


def test_clips_move_bones_and_poses_together(document: Document) -> None:
    assert tuple(animation.name for animation in document.animations) == CLIPS
    assert all(animation.tracks and animation.morph_tracks for animation in document.animations)


@pytest.mark.parametrize("number", [0, 1])
def test_last_pose_is_the_first(document: Document, model: Model, number: int) -> None:
    animation = document.animations[number]
    assert model.skeleton is not None
    first, middle, last = (
        posed(model.skeleton, animation, share * animation.duration).world for share in (0.0, 0.4, 1.0)
    )
    assert np.abs(first - last).max() < 1e-5
    assert np.abs(first - middle).max() > 0.02


def test_the_skeleton_of_the_game_has_the_same_poses_under_chinese_names(
    document: Document, model: Model, tlbb: Document
) -> None:
    assert isinstance(tlbb.content, Skeleton) and model.skeleton is not None
    assert tuple(animation.name for animation in tlbb.animations) == CHINESE
    assert tlbb.content.names[model.skeleton.names.index("Eye.L")] == "左眼"
    assert len(set(tlbb.content.names)) == len(model.skeleton.names)
    for mine, other in zip(tlbb.animations, document.animations, strict=True):
        assert np.allclose(
            posed(tlbb.content, mine, 1.1).world, posed(model.skeleton, other, 1.1).world, atol=1e-6
        )


def test_the_skeleton_of_the_game_has_key_lists_of_every_kind_and_gbk_names(tlbb: Document) -> None:
    assert "追珠\n".encode("gbk") in tlbb.data
    flags = {tlbb.data[at + 8] for at in positions_of(tlbb.data, b"\x20\x41")}
    assert {1, 3} <= flags and any(flag & 4 for flag in flags)
    assert unexplained(tlbb.root) == 0 and tlbb.report.complete


def positions_of(data: bytes, chunk: bytes) -> list[int]:
    """Where chunks of that number begin that are key lists by their next numbers."""
    found = [at for at in range(len(data) - 10) if data[at : at + 2] == chunk]
    return [at for at in found if data[at + 8] < 8 and data[at + 9] == 0 and data[at + 4 : at + 6] == b"\0\0"]


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_a_chinese_name_is_understood_under_any_locale(sample: Path, tmp_path: Path, locale: str) -> None:
    environment = os.environ | {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "viewer", "render", sample / "models/LinglongTLBB.skeleton"]
    command += ["--animation", "追珠", "--bone", "头", "--size", "32x32", "-o", tmp_path / "out.png"]
    subprocess.run(
        [os.fsencode(word) for word in command], env=environment, check=True, cwd=folder("assets").parent
    )
    assert (tmp_path / "out.png").stat().st_size > 0


def test_chime_has_a_metal_a_rough_a_classic_and_a_translucent_material(sample: Path, rebuilt: Path) -> None:
    opened = open_document(sample / "models/Chime.mesh")
    made = open_document(rebuilt / "models/Chime.mesh").model
    assert opened.model is not None and made is not None
    assert opened.report.warnings == opened.report.errors == [] and unexplained(opened.root) == 0
    for semantic in ("position", "normal", "uv0"):
        assert np.allclose(column(opened.model, semantic), column(made, semantic), atol=2e-5), semantic
    stone, bronze, lacquer, glass = (
        opened.model.materials[each.material or 0] for each in opened.model.geometries
    )
    assert bronze.surface is not None and bronze.surface.metalness == 1
    assert stone.surface is not None and stone.surface.roughness > 0.8
    assert lacquer.surface is None and lacquer.specular[3] > 1
    assert glass.blend == "alpha" and glass.diffuse[3] < 1
