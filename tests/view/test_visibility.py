"""What a view shows at a time, and why it shows nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.quads import quad
from tests.synthetic import QUAD, skeleton_of
from viewer.animation.clock import Clock
from viewer.scene.animation import Animation, Track
from viewer.scene.camera import Orbit
from viewer.scene.choices import Shading
from viewer.scene.display import DisplayOptions, EffectOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter, Ramp
from viewer.scene.items import EmitterItem
from viewer.scene.material import Appearance, ClipTime, Material
from viewer.scene.model import Model
from viewer.view.playlist import Playback, PlaylistEntry
from viewer.view.view_snapshot import ViewSnapshot
from viewer.view.visibility import Visibility

CLIP = Animation("Grow", 2.0, ())


def seen(model: Model | None, clip: Animation | None = None, **fields: Any) -> Visibility:
    """A model while `clip` plays."""
    options = DisplayOptions(shading=fields.pop("shading", Shading.LIT), skeleton=fields.pop("bones", False))
    playlist = () if clip is None else (PlaylistEntry(clip),)
    skeleton = model.skeleton if model else None
    playback = Playback(playlist, Clock(range=fields.pop("range", None)))
    return Visibility(ViewSnapshot(model, skeleton, options, ModelDisplay(**fields), playback, Orbit()))


def fading(clip_time: ClipTime) -> Appearance:
    """Transparent in the first second of the clip."""
    return Appearance((1.0, 1.0, 1.0, float(clip_time.at >= 1.0)))


def emitter(**fields: Any) -> Emitter:
    """Four particles a second that live for half a second, from one second on."""
    keys = {
        "rate": Curve(np.array((0.0, 1.0)), np.array((0.0, 4.0)), stepped=True),
        "lifespan": Curve(np.zeros(1), np.array((0.5,))),
    }
    return Emitter("plane", -1, (0.0, 0.0, 0.0), 0, 0, curves=lambda _: keys, **fields)


def test_a_model_that_is_seen_needs_no_words() -> None:
    assert seen(quad()).reason(0.0) == ""


def test_without_vertices() -> None:
    assert seen(Model("empty")).reason(0.0) == "No vertices"
    bare = quad()
    geometry = replace(bare.geometries[0], lods=(replace(bare.geometries[0].lods[0], count=0),))
    assert seen(replace(bare, geometries=(geometry,))).reason(0.0) == "No vertices"


def test_a_level_without_indices_is_passed_over() -> None:
    flat = quad()
    full = flat.geometries[0].lods[0]
    geometry = replace(flat.geometries[0], lods=(replace(full, count=0), full))
    assert seen(replace(flat, geometries=(geometry,))).shows(0.0)


def test_bones_without_a_mesh_are_seen() -> None:
    assert seen(Model("bones", skeleton=skeleton_of(2))).reason(0.0) == ""


def test_hidden_geometries() -> None:
    assert seen(quad(), hidden={0}).reason(0.0) == "All geometries are hidden"
    boned = quad(skeleton=skeleton_of(2))
    assert seen(boned, hidden={0}, bones=True).reason(0.0) == ""


def test_hidden_effects() -> None:
    model = Model("smoke", emitters=(emitter(),))
    muted = EffectOptions(muted=frozenset({EmitterItem(0)}))
    assert seen(model, CLIP, effects=muted).reason(1.5) == "All particles and ribbons are hidden"


def test_transparent_materials_name_the_first_moment() -> None:
    model = quad(Material("m", motion=fading))
    found = seen(model, CLIP)
    assert found.reason(1.5) == ""
    assert found.reason(0.0) == "Nothing is visible at 0.00 s: something is first visible at 1.00 s"
    assert found.reason(2.25).startswith("Nothing is visible at 0.25 s")
    assert seen(model, CLIP, shading=Shading.NORMALS).reason(0.0) == ""


@pytest.mark.parametrize(("begin", "end", "first"), [(1.75, 9.0, 1.75), (0.0, 1.5, None)])
def test_the_first_moment_is_searched_within_the_playback_range(
    begin: float, end: float, first: float | None
) -> None:
    def opaque(clip_time: ClipTime) -> Appearance:
        return Appearance((1.0, 1.0, 1.0, float(begin <= clip_time.at < end)))

    found = seen(quad(Material("m", motion=opaque)), CLIP, range=(1.5, 2.0)).first
    assert found == (None if first is None else pytest.approx(first, abs=0.01))


def test_the_first_moment_can_be_searched_a_little_at_a_time() -> None:
    found = seen(quad(Material("m", motion=fading)), CLIP)
    assert found.reason(0.0, seconds=0.0) == "Nothing is visible at 0.00 s"
    assert found.searching
    for _ in range(60):
        found.reason(0.0, seconds=0.0)
    assert not found.searching
    assert found.reason(0.0, seconds=0.0).endswith("something is first visible at 1.00 s")


def test_a_clip_that_never_shows_anything() -> None:
    model = quad(Material("m", blend="alpha", diffuse=(1.0, 1.0, 1.0, 0.0)))
    assert seen(model, CLIP).reason(0.0) == "Nothing is visible at any time of Grow"
    assert seen(model).reason(0.0) == "Nothing is visible: everything is transparent or has zero size"


@pytest.mark.parametrize(("size", "seen_at_all"), [(0.5, True), (1e-6, True), (1e-9, False)])
def test_a_geometry_far_smaller_than_its_model_is_not_seen(size: float, seen_at_all: bool) -> None:
    small = {"position": (QUAD * size).astype(np.float32)}
    found = seen(quad(columns=small, bounds=np.array(((-1.0,) * 3, (1.0,) * 3))))
    assert found.shows(0.0) is seen_at_all


def test_bones_of_scale_0_hide_a_geometry() -> None:
    joints = {
        "joints": np.zeros((4, 4), np.uint8),
        "weights": np.eye(1, 4, dtype=np.float32).repeat(4, axis=0),
    }
    model = quad(skeleton=skeleton_of(1), columns=joints)
    bone = skeleton_of(1).names[0]
    scales = Track(bone, "scale", np.array((0.0, 0.5, 2.0)), np.array(((0.0,) * 3, (0.0,) * 3, (1.0,) * 3)))
    found = seen(model, Animation("Grow", 2.0, (scales,), (bone,)))
    assert found.first == pytest.approx(0.5, abs=0.05)
    assert (
        found.reason(0.2)
        == f"Nothing is visible at 0.20 s: something is first visible at {found.first:.2f} s"
    )
    assert found.reason(1.0) == ""


def test_particles_count_while_they_live() -> None:
    found = seen(Model("smoke", emitters=(emitter(),)), CLIP, effects=EffectOptions(cold=True))
    assert found.reason(0.5).startswith("Nothing is visible at 0.50 s: something is first visible at 1.")
    assert found.reason(1.8) == ""


@pytest.mark.parametrize("ramp", ["alphas", "scales"])
def test_particles_without_alpha_or_size_do_not_count(ramp: str) -> None:
    gone = Ramp(np.zeros(1), np.zeros((1, 1)))
    found = seen(Model("smoke", emitters=(emitter(**{ramp: gone}),)), CLIP)
    assert found.reason(1.8) == "Nothing is visible at any time of Grow"
