"""The sample: it is what its generator makes, and shows what a sample should."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from viewer.animation.pose import Layer, pose
from viewer.binary import Cursor, Struct, unexplained
from viewer.families.urho3d.animation_layout import ANIMATION
from viewer.families.urho3d.model_layout import MODEL
from viewer.paths import folder
from viewer.scene.animation import Animation, match
from viewer.scene.document import Document
from viewer.scene.model import Geometry, Lod, Model
from viewer.storage.documents import open_document

LAYOUTS = {".mdl": MODEL, ".ani": ANIMATION}
LARGEST = 1_500_000
SHARP = 2e-3
"""Between normals: those of thin triangles turn with the last digits of their corners."""
CLIPS = ("Beacon_Dance", "Beacon_Idle")


@pytest.fixture(scope="module")
def sample() -> Path:
    return folder("assets") / "urho3d"


@pytest.fixture(scope="module")
def document(sample: Path) -> Document:
    return open_document(sample / "Models/Beacon.mdl")


@pytest.fixture(scope="module")
def model(document: Document) -> Model:
    assert document.model is not None
    return document.model


@pytest.fixture(scope="module")
def rebuilt(rebuilt_assets: Path) -> Path:
    return rebuilt_assets / "urho3d"


def files(root: Path) -> dict[str, Path]:
    return {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}


def alike(one: Any, other: Any, tolerance: float = 2e-5) -> bool:
    """Equal, but for the last digits of numbers: sines differ between processors."""
    if isinstance(one, Struct):
        return all(alike(value, other.get(name)) for name, value in vars(one).items() if name[0] != "_")
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, np.ndarray | np.void) and one.dtype.names:
        return all(
            alike(one[name], other[name], SHARP if name == "normal" else 2e-5) for name in one.dtype.names
        )
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and np.allclose(one, other, atol=tolerance)
    return bool(one == other)


def triangles(model: Model, lod: Lod) -> np.ndarray[Any, Any]:
    assert lod.indices is not None
    return model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count].reshape(-1, 3).astype(int)


def column(model: Model, semantic: str) -> np.ndarray[Any, Any]:
    values = model.vertex_buffers[0].column(semantic)
    assert values is not None
    return values


def all_lods(model: Model) -> list[tuple[Geometry, Lod]]:
    return [(geometry, lod) for geometry in model.geometries for lod in geometry.lods]


def test_committed_files_are_those_the_generator_makes(sample: Path, rebuilt: Path) -> None:
    assert list(files(sample)) == list(files(rebuilt))


def test_committed_contents_are_what_the_generator_makes(sample: Path, rebuilt: Path) -> None:
    for name, path in files(sample).items():
        made = files(rebuilt)[name]
        if path.suffix == ".png":
            shown, drawn = (np.asarray(Image.open(place), int) for place in (path, made))
            assert np.abs(shown - drawn).max() <= 1, name
        elif path.suffix in LAYOUTS:
            layout = LAYOUTS[path.suffix]
            assert alike(*(layout.read(Cursor(place.read_bytes())) for place in (path, made))), name
        else:
            assert path.read_bytes() == made.read_bytes(), name


def test_sample_is_small(sample: Path) -> None:
    assert sum(path.stat().st_size for path in files(sample).values()) < LARGEST


@pytest.mark.parametrize("name", ["Beacon.mdl", *(f"{clip}.ani" for clip in CLIPS)])
def test_opens_without_a_word_and_without_unknown_bytes(sample: Path, name: str) -> None:
    opened = open_document(sample / "Models" / name)
    assert not opened.report.warnings
    assert not opened.report.errors
    assert opened.root.size == len(opened.data)
    assert unexplained(opened.root) == 0


def test_two_geometries_with_bone_maps_of_their_own(model: Model) -> None:
    skin, gear = (geometry.bone_map for geometry in model.geometries)
    assert skin is not None
    assert gear is not None
    assert set(skin).isdisjoint(gear)
    assert max(len(skin), len(gear)) <= 64  # what old graphics cards take


def test_second_level_of_detail_is_coarser_and_farther(model: Model) -> None:
    for geometry in model.geometries:
        near, far = geometry.lods
        assert far.distance > near.distance
        assert far.count < near.count / 2


def test_weights_add_up_and_name_bones_of_the_map(model: Model) -> None:
    weights, joints = column(model, "weights"), column(model, "joints")
    assert (weights.astype(int).sum(axis=1) == 255).all()
    for geometry, lod in all_lods(model):
        assert geometry.bone_map is not None
        assert joints[triangles(model, lod)].max() < len(geometry.bone_map)


def test_surfaces_face_outwards(model: Model) -> None:
    positions, normals = column(model, "position"), column(model, "normal")
    for _, lod in all_lods(model):
        corners = positions[triangles(model, lod)]
        facing = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        agree = np.sum(facing * normals[triangles(model, lod)].sum(axis=1), axis=1) > 0
        assert agree.mean() > 0.99
        assert np.sum(corners[:, 0] * facing) > 0  # the volume


def test_normals_and_tangents_are_unit_and_square(model: Model) -> None:
    normals, tangents = column(model, "normal"), column(model, "tangent")
    assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-4)
    assert np.abs(np.sum(normals * tangents[:, :3], axis=1)).max() < 1e-4
    assert set(np.unique(tangents[:, 3])) <= {-1.0, 1.0}


def test_stands_on_the_floor_about_a_metre_high_facing_ahead(model: Model) -> None:
    assert model.bounds is not None
    assert abs(model.bounds[0, 1]) < 0.01
    assert 0.9 < model.bounds[1, 1] < 1.1
    assert model.skeleton is not None
    eyes = [model.skeleton.names.index(name) for name in ("Eye.L", "Eye.R")]
    assert pose(model.skeleton).world[eyes, 2, 3].min() > 0.1


def test_two_morphs_move_a_part_of_the_vertices(model: Model) -> None:
    assert [morph.name for morph in model.morphs] == ["blink", "smile"]
    for morph in model.morphs:
        assert 0 < morph.vertices < model.vertex_buffers[0].count / 4


def test_rest_pose_is_the_bind_pose(model: Model) -> None:
    assert model.skeleton is not None
    assert np.abs(pose(model.skeleton).skin - np.eye(3, 4)).max() < 1e-6


def test_materials_and_textures_are_found(model: Model) -> None:
    assert [geometry.material for geometry in model.geometries] == [0, 1]
    assert all(material.found and not material.unlit for material in model.materials)
    assert all(texture.path for texture in model.textures)


def clip(document: Document, name: str) -> Animation:
    return next(animation for animation in document.animations if animation.name == name)


def test_both_animations_are_beside_the_model(document: Document) -> None:
    assert tuple(animation.name for animation in document.animations) == CLIPS


@pytest.mark.parametrize("name", CLIPS)
def test_every_track_finds_its_bone(document: Document, model: Model, name: str) -> None:
    assert model.skeleton is not None
    assert match(clip(document, name), model.skeleton.names).unmatched == ()


@pytest.mark.parametrize("name", CLIPS)
def test_last_pose_is_the_first(document: Document, model: Model, name: str) -> None:
    assert model.skeleton is not None
    animation = clip(document, name)
    first, last = (
        pose(model.skeleton, [Layer(animation, time, looped=False)]).world
        for time in (0.0, animation.duration)
    )
    middle = pose(model.skeleton, [Layer(animation, animation.duration / 2)]).world
    assert np.abs(first - last).max() < 1e-6
    assert np.abs(first - middle).max() > 0.05


def test_dance_lands_with_a_footstep(document: Document) -> None:
    assert [(event.time, event.name) for event in clip(document, "Beacon_Dance").events] == [
        (0.6, "Footstep"),
        (1.4, "Footstep"),
    ]


def test_a_bone_stays_as_long_as_it_is(document: Document, model: Model) -> None:
    """Arms bend; only the mantle is stretched."""
    assert model.skeleton is not None
    scaled = {track.target for track in clip(document, "Beacon_Dance").tracks if track.path == "scale"}
    assert scaled == {"Mantle", "Cap"}
