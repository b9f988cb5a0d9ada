"""The camera holds everything that is drawn while a clip plays, and nothing much beyond."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.view.test_framing import vertex_buffer
from viewer.animation.clock import Clock
from viewer.arrays import Array
from viewer.scene.animation import Animation, Track
from viewer.scene.camera import Orbit
from viewer.scene.display import DisplayOptions, EffectOptions, ModelDisplay
from viewer.scene.emitter import Curve, Emitter, Ramp, Ribbon
from viewer.scene.model import Geometry, Lod, Model, Primitive
from viewer.scene.skeleton import Skeleton
from viewer.view.camera import matrices
from viewer.view.clip_points import clip_points, moments
from viewer.view.framing import enclose, posed_points
from viewer.view.playlist import Playback, PlaylistEntry
from viewer.view.view_snapshot import ViewSnapshot

SIZE = (640, 480)
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
FALL = (0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5))


def skeleton(count: int = 2) -> Skeleton:
    """A chain of bones, one above the other, 1 unit apart."""
    positions = np.tile((0.0, 1.0, 0.0), (count, 1))
    positions[0] = 0
    inverse = np.tile(np.eye(3, 4), (count, 1, 1))
    inverse[:, 1, 3] = -np.arange(count)
    names = tuple(f"bone {number}" for number in range(count))
    turns = np.tile(UPRIGHT, (count, 1))
    parents = np.arange(count) - 1
    return Skeleton(names, parents, positions, turns, np.ones((count, 3)), inverse_bind=inverse)


def figure(count: int = 2) -> Model:
    """A column of random points; each belongs to the bone at its height and a little to the next."""
    dice = np.random.default_rng(5)
    points = dice.random((1000, 3)) * (0.4, count, 0.4)
    joints = np.zeros((1000, 4), np.uint8)
    joints[:, 0] = np.minimum(points[:, 1], count - 1)
    joints[:, 1] = np.minimum(joints[:, 0] + 1, count - 1)
    weights = np.tile((0.8, 0.2, 0, 0), (1000, 1))
    lod = Lod(0, (0,), None, 0, 1000, Primitive.POINTS)
    buffer = vertex_buffer(points, joints, weights)
    return Model("figure", (buffer,), (), (Geometry("g", (lod,)),), skeleton=skeleton(count))


def clip(seconds: float, **tracks: Array) -> Animation:
    """A clip that moves the first bone; keys are spread evenly."""
    rows = (np.asarray(values, np.float32) for values in tracks.values())
    made = [
        Track("bone 0", path, np.linspace(0, seconds, len(values)), values)
        for path, values in zip(tracks, rows, strict=True)
    ]
    return Animation("clip", seconds, tuple(made), ("bone 0",))


WALK = clip(4.0, position=np.array(((0, 0, 0), (0, 0, 9))))
JUMP = clip(1.0, position=np.array(((0, 0, 0), (0, 0.2, 0), (0, 4, 0), (0, 0.1, 0), (0, 0, 0))))
DIE = clip(2.0, rotation=np.array((UPRIGHT, UPRIGHT, FALL, FALL)))
DANCE = clip(
    3.0, position=np.random.default_rng(3).normal(size=(12, 3)), rotation=np.array([UPRIGHT, FALL] * 6)
)


def view_of(model: Model, animation: Animation | None, **display: Any) -> ViewSnapshot:
    """The model while the animation plays."""
    playlist = (PlaylistEntry(animation),) if animation else ()
    stretch = (0.0, animation.duration) if animation else None
    playback = Playback(playlist, Clock(range=stretch))
    shown = ModelDisplay(**display)
    return ViewSnapshot(model, model.skeleton, DisplayOptions(), shown, playback, Orbit())


def reached(view: ViewSnapshot, camera: Orbit) -> Array:
    """[2, 2]: the ends of both sides of the picture that any vertex reaches at every 1/60 s, -1 to 1."""
    assert view.model is not None
    made = matrices(camera, view.model.to_world, SIZE)
    ends = []
    for number in range(int(view.playback.duration * 60) + 1):
        points = posed_points(view.model, view.pose(number / 60))
        clipped = np.hstack((points, np.ones((len(points), 1)))) @ made.world_clip.T
        assert (clipped[:, 3] > 0).all(), "nothing is behind the camera"
        places = clipped[:, :2] / clipped[:, 3:]
        ends.append((places.min(axis=0), places.max(axis=0)))
    lows, highs = zip(*ends, strict=True)
    return np.stack((np.min(lows, axis=0), np.max(highs, axis=0)))


@pytest.mark.parametrize("animation", [WALK, JUMP, DIE, DANCE, None])
@pytest.mark.parametrize("ortho", [False, True])
@pytest.mark.parametrize("bones", [2, 6])
def test_every_frame_is_inside_and_the_picture_is_filled(
    animation: Animation | None, ortho: bool, bones: int
) -> None:
    view = view_of(figure(bones), animation)
    ends = reached(view, enclose(Orbit(ortho=ortho), clip_points(view), SIZE))
    assert np.abs(ends).max() < 1
    assert 0.7 < np.ptp(ends, axis=0).max() / 2 <= 0.96


def test_hidden_geometries_do_not_count() -> None:
    shown = figure()
    far = vertex_buffer(np.full((3, 3), 100.0))
    geometry = Geometry("far", (Lod(0, (1,), None, 0, 3, Primitive.POINTS),))
    both = replace(
        shown, vertex_buffers=(*shown.vertex_buffers, far), geometries=(*shown.geometries, geometry)
    )
    assert clip_points(view_of(both, WALK)).max() == 100
    assert clip_points(view_of(both, WALK, hidden={1})).max() < 20


def test_only_the_given_times_count() -> None:
    view = view_of(figure(), WALK)
    assert clip_points(view, np.array([0.0]))[:, 2].max() < 1
    assert clip_points(view)[:, 2].max() > 9


def test_a_trimmed_range_counts_alone() -> None:
    view = view_of(figure(), WALK)
    view.playback.clock.trim(0.0, 1.0)
    assert 2 < clip_points(view)[:, 2].max() < 3.5


def test_many_bones_are_posed_at_fewer_moments() -> None:
    few, many = view_of(figure(2), WALK), view_of(Model("m", skeleton=skeleton(600)), WALK)
    assert len(moments(few)) > len(moments(many)) >= 16


def emitter(**values: float) -> Emitter:
    """Particles that rise by `speed` for `lifespan`, from the first bone; `rate` a second are born."""
    curves = {name: Curve(np.zeros(1), np.array([value])) for name, value in values.items()}
    pairs = {name: (value, value) for name, value in values.items()}
    scales = Ramp(np.zeros(1), np.full((1, 2), 0.1))
    return Emitter(
        "plane", 0, (0.0, 0.0, 0.0), 0, 4, parameters=pairs, curves=lambda _: curves, scales=scales
    )


def test_particles_count_where_their_bone_goes() -> None:
    view = view_of(replace(figure(), emitters=(emitter(speed=5.0, lifespan=1.0, rate=3.0),)), WALK)
    assert clip_points(view)[:, 2].max() > 13
    assert clip_points(replace(view, display=ModelDisplay(effects=EffectOptions(False))))[:, 2].max() < 10


def test_emitters_that_emit_nothing_do_not_count() -> None:
    view = view_of(replace(figure(), emitters=(emitter(speed=5.0, lifespan=1.0, rate=0.0),)), WALK)
    assert clip_points(view)[:, 2].max() < 10


def test_ribbons_reach_as_far_as_their_edges() -> None:
    tall = {"above": Curve(np.zeros(1), np.array([30.0]))}
    view = view_of(
        replace(figure(), ribbons=(Ribbon(0, (0.0, 0.0, 0.0), (), (), curves=lambda _: tall),)), WALK
    )
    assert clip_points(view)[:, 1].max() == pytest.approx(30)


@pytest.mark.usefixtures("any_numbers")
def test_hostile_numbers_make_points_without_a_warning() -> None:
    huge = clip(2.0, position=np.array([(3e38, 0, 0), (-3e38, 3e38, np.inf)], np.float32))
    tall = {"above": Curve(np.zeros(1), np.array([3e38]))}
    ribbon = Ribbon(0, (3e38, np.inf, np.nan), (), (), curves=lambda _: tall)
    view = view_of(replace(figure(), ribbons=(ribbon,)), huge)
    assert clip_points(view).shape[1] == 3


def test_a_lone_skeleton_is_held_by_its_bones() -> None:
    view = replace(view_of(Model("m", skeleton=skeleton()), JUMP), model=None)
    view = replace(view, skeleton=skeleton())
    assert clip_points(view)[:, 1].max() > 4.5
