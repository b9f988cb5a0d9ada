"""Puff: it is what its generator makes, and shows what an M2 sample should."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tests.wow  # noqa: F401
from viewer.animation.effects.approximations import seams
from viewer.animation.pose import Layer, pose
from viewer.binary import unexplained
from viewer.families.wow.blp.load import decode_blp
from viewer.paths import folder
from viewer.scene.document import Document
from viewer.scene.material import ClipTime
from viewer.scene.model import Model
from viewer.storage.documents import open_document

LARGEST = 1_000_000


@pytest.fixture(scope="module")
def sample() -> Path:
    return folder("assets") / "m2" / "Creature" / "Puff"


@pytest.fixture(scope="module")
def document(sample: Path) -> Document:
    return open_document(sample / "Puff.m2")


@pytest.fixture(scope="module")
def model(document: Document) -> Model:
    assert document.model is not None
    return document.model


def test_it_is_small_and_opens_whole(sample: Path, document: Document) -> None:
    assert sum(path.stat().st_size for path in sample.iterdir()) < LARGEST
    assert document.report.complete and not document.report.warnings
    assert unexplained(document.root) == 0


def test_the_generator_makes_it(sample: Path, model: Model, rebuilt_assets: Path) -> None:
    made = rebuilt_assets / "m2" / "Creature" / "Puff"
    assert sorted(path.name for path in made.iterdir()) == sorted(path.name for path in sample.iterdir())
    rebuilt = open_document(made / "Puff.m2").model
    assert rebuilt is not None
    for name in ("position", "normal", "uv0"):
        ours, theirs = (each.vertex_buffers[0].column(name) for each in (model, rebuilt))
        assert ours is not None and theirs is not None
        assert np.allclose(ours, theirs, atol=2e-5)
    for path in made.glob("*.blp"):
        pixels = (decode_blp((place / path.name).read_bytes()).levels[0] for place in (made, sample))
        first, second = (each.astype(int) for each in pixels)
        assert np.abs(first - second).mean() < 0.05


def test_triangles_are_seen_from_outside(model: Model) -> None:
    buffer = model.vertex_buffers[0]
    positions, normals = buffer.column("position"), buffer.column("normal")
    assert positions is not None and normals is not None
    for geometry in model.geometries:
        lod = geometry.lods[0]
        assert lod.indices is not None
        triangles = model.index_buffers[lod.indices].data[lod.start : lod.start + lod.count].reshape(-1, 3)
        a, b, c = np.moveaxis(positions[triangles], 1, 0)
        facing = np.sum(np.cross(b - a, c - a) * normals[triangles].mean(axis=1), axis=1)
        assert (facing > 0).mean() > 0.99


def test_lids_are_variants_of_one_group(model: Model) -> None:
    assert [(each.geoset, each.shown) for each in model.geometries] == [
        (0, True),
        (101, True),
        (102, False),
        (0, True),
        (0, True),
    ]


def test_it_has_bones_billboards_sequences_and_the_rest(document: Document, model: Model) -> None:
    skeleton = model.skeleton
    assert skeleton is not None and skeleton.billboards is not None
    assert (len(skeleton), np.count_nonzero(skeleton.billboards)) == (8, 2)
    assert [(each.name, each.duration) for each in document.animations] == [("Stand", 4.0), ("Walk", 1.0)]
    assert [[event.name for event in each.events] for each in document.animations] == [
        ["$DSO"],
        ["$FSD", "$FSD"],
    ]
    assert [each.bone for each in model.attachments] == [2]
    assert [each.name for each in model.cameras] == ["portrait"]


def test_the_walk_closes_its_loop(document: Document, model: Model) -> None:
    walk = document.animations[1]
    assert model.skeleton is not None
    begin, end = (
        pose(model.skeleton, [Layer(walk, time, looped=False)]).world for time in (0.0, walk.duration)
    )
    away = np.abs(np.delete(begin - end, 6, axis=0)).max()  # the glint follows a loop of its own
    assert away < 1e-5


def test_steam_rises_through_what_fades_it(document: Document, model: Model) -> None:
    steam = model.materials[3]
    assert steam.motion is not None and steam.second is not None
    early, late = (steam.motion(ClipTime(time, document.animations[0], time)) for time in (0.5, 1.0))
    assert (early.v_offset[3], late.v_offset[3]) == pytest.approx((0.25, 0.5))
    assert early.second_v == (0.0, 1.0, 0.0, 0.0)
    boiling = steam.motion(ClipTime(2.75, document.animations[0], 2.75))
    assert early.diffuse[3] == pytest.approx(0.5, abs=1e-3)
    assert boiling.diffuse[3] == pytest.approx(1.0, abs=1e-3)


def test_a_film_of_one_round_has_no_seam(document: Document, model: Model) -> None:
    stand = document.animations[0]
    assert not list(seams(model, (Layer(stand, 0.0),), stand.duration))
    for material in model.materials:
        if material.motion is not None:
            first, last = (material.motion(ClipTime(time, stand, 0.0)) for time in (0.0, stand.duration))
            assert first == last


def test_it_has_an_emitter_of_every_kind(model: Model) -> None:
    fire, smoke, core, sparks, motes, glitter = model.emitters
    assert [each.type for each in model.emitters] == [
        "sphere",
        "plane",
        "plane",
        "plane",
        "sphere",
        "spline",
    ]
    assert all("model space" in each.flags for each in (fire, core, motes, glitter))
    assert smoke.bone == sparks.bone == 7 and "model space" not in (*smoke.flags, *sparks.flags)
    assert "tail grows" in sparks.flags and sparks.parameters["gravity"][0] > 0
    assert "dies in the middle" in motes.flags and motes.parameters["speed"][0] < 0
    assert fire.parameters["enabled"] == (1, 0)


def test_the_ember_trails_a_ribbon(document: Document, model: Model) -> None:
    (ribbon,) = model.ribbons
    assert ribbon.bone == 7 and model.textures[ribbon.textures[0]].name.endswith("PuffTrail.blp")
    assert model.skeleton is not None
    stand = document.animations[0]
    path = np.array([pose(model.skeleton, [Layer(stand, time)]).world[7] for time in np.arange(0, 4, 0.1)])
    steps = np.linalg.norm(np.diff(path[:, :, 3], axis=0), axis=1)
    assert steps.max() < 0.25 and steps.min() > 0.08
    assert np.ptp(path[:, 2, 1]) > 0.4  # what lies across it rolls


def test_the_writer_of_pictures_is_read_back(sample: Path) -> None:
    skin = decode_blp((sample / "PuffSkin.blp").read_bytes())
    assert (skin.size, len(skin.levels), skin.encoding) == ((512, 512), 10, "BLP2 palette, 0 bit alpha")
    assert (skin.levels[0][..., 3] == 255).all()
    fade = decode_blp((sample / "PuffFade.blp").read_bytes())
    assert (fade.size, len(fade.levels)) == ((8, 64), 7)
    assert (np.diff(fade.levels[0][:50, 0, 3].astype(int)) >= 0).all()
