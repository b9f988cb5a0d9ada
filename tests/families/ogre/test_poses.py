"""Poses and vertex animations of a mesh."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.ogre_files import (
    NEWEST,
    model_of,
    opened,
    pose,
    simple,
    talk,
    wave,
)
from tests.ogre_skeletons import (
    clip,
    skeleton_bytes,
    two_bones,
)
from viewer.animation.vertex_animation import morph_weights
from viewer.binary import Struct, stream
from viewer.families.ogre import extras_layout as extras
from viewer.families.ogre import mesh_layout as mesh
from viewer.families.ogre.versions import MeshVersion
from viewer.scene.animation import Animation


def animated(*clips: Struct, poses: tuple[Struct, ...] = (), version: MeshVersion = NEWEST) -> bytes:
    """The square with poses and animations."""
    return simple(
        (extras.POSES, Struct(chunks=stream(*((extras.POSE_SHAPE, each) for each in poses)))),
        (extras.ANIMATIONS, Struct(chunks=stream(*((extras.VERTEX_ANIMATION, each) for each in clips)))),
        version=version,
    )


def weights(animation: Animation, time: float) -> dict[int, float]:
    found = morph_weights(animation, np.array([time]), False)
    return {morph: float(values[0]) for morph, values in found.items()}


def test_a_pose_is_a_morph_with_a_track(tmp_path: Path) -> None:
    document = opened(tmp_path, animated(talk(), poses=(pose("up", NEWEST),)))
    model = model_of(document)
    (morph,) = model.morphs
    assert (morph.name, morph.vertices) == ("up", 1)
    assert morph.targets[0].normals is None
    assert model.morph_normals == "delta"
    assert weights(document.animations[0], 0.5) == {0: 0.25}


@pytest.mark.parametrize(
    ("offset", "normal", "vertices"),
    [
        ((0, 0.0009, 0), None, 0),
        ((0, -0.0011, 0), None, 1),
        ((0.0007, 0.0007, 0.0007), None, 1),
        ((0, 0.0009, 0), (1, 0, 0), 1),
        ((0, 0.0009, 0), (0, 0, 0), 0),
    ],
)
def test_short_offsets_of_a_pose_are_ignored(
    tmp_path: Path, offset: tuple[float, ...], normal: tuple[float, ...] | None, vertices: int
) -> None:
    shape = pose("up", NEWEST, normal is not None)
    rows = shape.chunks.rows(extras.OFFSETS)
    rows["offset"] = offset
    if normal is not None:
        rows["normal"] = normal
    document = opened(tmp_path, animated(talk(), poses=(shape,)))
    assert [morph.vertices for morph in model_of(document).morphs] == [vertices]
    assert document.report.complete


def test_pose_normals_count_where_every_pose_has_them(tmp_path: Path) -> None:
    both = animated(poses=(pose("up", NEWEST, True), pose("down", NEWEST, True)))
    assert model_of(opened(tmp_path, both)).morph_normals == "whole"
    one = animated(poses=(pose("up", NEWEST, True), pose("down", NEWEST)))
    model = model_of(opened(tmp_path, one, "one.mesh"))
    assert model.morph_normals == "delta"
    assert model.morphs[0].targets[0].normals is None


@pytest.mark.parametrize("base", ["", "talk"])
def test_the_influence_of_the_base_key_is_taken_off(tmp_path: Path, base: str) -> None:
    document = opened(tmp_path, animated(talk((base, 1.0)), poses=(pose("up", NEWEST),)))
    assert weights(document.animations[0], 2.0) == pytest.approx({0: 0.5})
    assert weights(document.animations[0], 0.0) == pytest.approx({0: -0.5})


@pytest.mark.parametrize("version", [MeshVersion.V1_41, NEWEST])
def test_morph_keys_are_shapes(tmp_path: Path, version: MeshVersion) -> None:
    document = opened(tmp_path, animated(wave(version), version=version))
    model = model_of(document)
    assert [shape.positions[0].tolist() for shape in model.shapes] == [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    (track,) = document.animations[0].shape_tracks
    assert track.times.tolist() == [0, 1, 2]
    assert track.shapes.tolist() == [0, 1, 2]
    assert model.vertex_buffers[track.buffer].element("position") is not None


def test_one_name_is_one_animation_of_bones_and_vertices(tmp_path: Path) -> None:
    (tmp_path / "bones.skeleton").write_bytes(skeleton_bytes(*two_bones(), clip("talk", 1.0)))
    data = simple(
        (mesh.SKELETON_LINK, Struct(file="bones.skeleton")),
        (extras.POSES, Struct(chunks=stream((extras.POSE_SHAPE, pose("up", NEWEST))))),
        (extras.ANIMATIONS, Struct(chunks=stream((extras.VERTEX_ANIMATION, talk())))),
    )
    (animation,) = opened(tmp_path, data).animations
    assert animation.duration == 2.0
    assert animation.moves_vertices
