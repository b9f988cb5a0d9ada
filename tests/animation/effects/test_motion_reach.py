"""The spheres around the particles of an emitter hold all of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.animation.effects.test_particle_motion import ramp, rising, sample
from viewer.animation.effects.bone_path import BonePath, posed_path
from viewer.animation.effects.emission import emission
from viewer.animation.effects.motion_reach import Sphere, motion_reach
from viewer.animation.effects.particle_motion import particle_sample
from viewer.animation.track_sampling import BakeInterval
from viewer.arrays import Array
from viewer.scene.emitter import Curve, Emitter, Ramp

NUMBERS = {
    "rate": 90.0,
    "lifespan": 1.5,
    "speed": 2.0,
    "speed_variation": 0.4,
    "vertical_range": 0.7,
    "horizontal_range": 3.0,
    "gravity": 3.0,
    "length": 1.2,
    "width": 0.5,
}
WORLD, LOCAL = (), ("model space",)
CASES: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "plane": ("plane", WORLD, {}),
    "sphere": ("sphere", WORLD, {}),
    "spline": ("spline", WORLD, {"spline": np.array(((0, 0, 0), (1, 0, 0), (2, 3, 0), (4, 0, 1)), float)}),
    "own space": ("sphere", LOCAL, {}),
    "life": ("plane", LOCAL, {"lifespan_variation": 1.2}),
    "drag": ("plane", WORLD, {"drag": 0.8}),
    "push": ("plane", WORLD, {"drag": -1.3}),
    "wind": ("plane", WORLD, {"wind": (4.0, 1.0, 0.0), "wind_time": 0.9, "drag": -0.4}),
    "tail": ("plane", WORLD, {"tail": True, "tail_length": 0.7}),
    "tail in own space": ("plane", LOCAL, {"tail": True, "head": False, "tail_length": 2.0, "drag": -0.5}),
    "burst": ("plane", ("burst",), {"burst": 1.5, "tail": True, "tail_length": 0.5}),
    "follow": ("plane", ("follows",), {"follow": ((0.1, 0.5), (2.0, 1.0))}),
    "sizes": ("plane", LOCAL, {"scales": ramp((1, 2), (3, 0.5)), "scale_variation": (0.5, 0.2)}),
    "twinkle": ("plane", LOCAL, {"twinkle": (3.0, 1.0, 0.5, 4.0)}),
}


def made(kind: str, flags: tuple[str, ...], given: dict[str, Any]) -> Emitter:
    curves = {name: Curve(np.zeros(1), np.array((value,))) for name, value in NUMBERS.items()}
    return replace(rising(flags=flags, **given), type=kind, curves=lambda _: curves)


def swinging(follow: Any) -> BonePath:
    """Frames that move, turn and grow during two seconds."""
    times = np.linspace(0, 2, 41)
    turns = np.array([[[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]] for a in times * 3])
    scaled = turns * (1.5 + np.sin(times * np.pi))[:, None, None]
    moved = np.stack((3 * np.sin(times * np.pi), times * 0, np.cos(times * np.pi)), axis=-1)
    frames = np.concatenate((scaled, moved[:, :, None]), axis=2)
    return posed_path(times, frames, BakeInterval(2.0), follow)


def around(emitter: Emitter, way: BonePath) -> tuple[Sphere, Array, Array]:
    """The sphere, and the positions [N, 3] and radii [N] of particles that are seen at second 5."""
    schedule = emission(emitter, None)
    points, radii = particle_sample(emitter, schedule, 3, way, (5.0, 5.0), False)
    reach = motion_reach(emitter, schedule)
    local = "model space" in emitter.flags
    centres = reach.around(way.at(np.array((5.0,)))[0]) if local else reach.along(way)
    return reach.whole(centres, 1.0), points, radii


@pytest.mark.parametrize("name", CASES)
def test_all_particles_are_inside(name: str) -> None:
    emitter = made(*CASES[name])
    sphere, points, radii = around(emitter, swinging(emitter.follow))
    away = np.linalg.norm(points - sphere.centre, axis=1) + radii * math.sqrt(2)
    assert len(away) > 20
    assert away.max() <= sphere.radius < 15 * away.max()


def test_sizes_of_the_view_count() -> None:
    emitter = made("plane", LOCAL, {})
    reach, frame = motion_reach(emitter, emission(emitter, None)), np.eye(3, 4)
    centres = reach.around(frame)
    grown = reach.whole(centres, 11.0).radius - reach.whole(centres, 1.0).radius
    assert grown == pytest.approx(10 * 0.1 * math.sqrt(2), rel=0.02)


def test_a_floor_holds_them_anywhere() -> None:
    grounded = made("plane", ("on the ground",), {})
    assert around(grounded, swinging(grounded.follow))[0].radius == math.inf


def test_damaged_numbers_make_no_small_sphere() -> None:
    wild = {
        "drag": -1e30,
        "tail": True,
        "tail_length": np.inf,
        "wind": (np.inf, 0.0, 0.0),
        "wind_time": np.nan,
    }
    emitter = made(
        "plane", LOCAL, {**wild, "lifespan_variation": np.nan, "scale_variation": (np.nan, np.inf)}
    )
    radius = motion_reach(emitter, emission(emitter, None)).around(np.eye(3, 4)).radius
    assert not radius < 1e6


@pytest.mark.parametrize("scale", [0.5, 6.0])
def test_what_particles_fly_by_themselves_grows_with_their_frame(scale: float) -> None:
    """At rest in one place, both kinds of particles get equally far."""
    frames = np.tile(np.eye(3, 4) * scale, (2, 1, 1))
    way = posed_path(np.array((0.0, 2.0)), frames, BakeInterval(2.0), ((0.0, 0.0), (0.0, 0.0)))
    own = replace(
        motion_reach(made("sphere", WORLD, {}), emission(made("sphere", WORLD, {}), None)), pulled=0.0
    )
    assert own.along(way).radius == pytest.approx(own.around(frames[0]).radius)


@pytest.mark.parametrize("drag", [-0.8, 0.0, 0.3, 0.8])
def test_particles_that_rise_straight_are_inside(drag: float) -> None:
    emitter = rising(drag=drag)
    radius = motion_reach(emitter, emission(emitter, None)).around(np.eye(3, 4)).radius
    highest = sample(emitter)[0][:, 2].max()
    assert highest <= radius < 1.5 * highest


def test_a_still_bone_moves_no_particles() -> None:
    frames = np.tile(np.eye(3, 4), (2, 1, 1))
    moved = {"burst": 1.5, "follow": ((0.1, 0.5), (2.0, 1.0))}
    reaches = [
        motion_reach(emitter, emission(emitter, None)).along(
            posed_path(np.array((0.0, 2.0)), frames, BakeInterval(2.0), emitter.follow)
        )
        for emitter in (made("plane", WORLD, {}), made("plane", ("burst", "follows"), moved))
    ]
    assert reaches[0].radius == pytest.approx(reaches[1].radius)


@pytest.mark.parametrize(
    ("flags", "given", "half"),
    [
        ((), {"scales": Ramp()}, 1.0),
        ((), {"scales": ramp((1, 2), (3, 0.5))}, 3.0),
        ((), {"scales": ramp((1, 1)), "scale_variation": (0.25, -0.5)}, 1.5),
        ((), {"scales": ramp((1, 1)), "twinkle": (3.0, 1.0, 0.5, 4.0)}, 4.0),
        (("flat",), {"scales": ramp((1, 1))}, 2.0),
    ],
)
def test_the_corner_of_the_largest_quad_is_reached(
    flags: tuple[str, ...], given: dict[str, Any], half: float
) -> None:
    emitter = made("plane", flags, given)
    assert motion_reach(emitter, emission(emitter, None)).size == pytest.approx(half * math.sqrt(2))
