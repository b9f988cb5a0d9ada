"""Finds points around particles and ribbons while clips play, for framing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from viewer.animation.effects.bone_path import BonePath, posed_path, sound, turned_offset
from viewer.animation.effects.carried import particle_size
from viewer.animation.effects.emission import Emission, emission
from viewer.animation.effects.particle_motion import AGES, particle_sample, particles_at
from viewer.animation.effects.random_hash import seed_of
from viewer.animation.effects.ribbon import edges
from viewer.animation.pose import Layer, Pose
from viewer.animation.track_sampling import BakeInterval
from viewer.arrays import Array
from viewer.scene.emitter import Curves, Ribbon
from viewer.scene.items import EmitterItem, RibbonItem
from viewer.scene.maths import IDENTITY, compose
from viewer.scene.model import Model
from viewer.view.effect_bounds import carried_reach, shape_size
from viewer.view.stray_parts import STRAY_PARTICLES, box_of_most, inside
from viewer.view.view_snapshot import ViewSnapshot

TINIEST = 1e-3
"""Particles are framed if their size is at least this share of the space that they fill. Smaller particles
may lie outside the picture.
"""
SAMPLED_EMITTERS = 24
"""The number of emitters whose particles are sampled. Of every further emitter, only the origin is framed."""
WATCHED = 5.0
"""The largest number of seconds for which a loop is sampled beyond its end, to include particles born in the
previous repetition.
"""
SIDES = (("above", 1.0), ("below", -1.0))
"""The tracks of a ribbon's extent along the y axis of its bone."""
NOTHING = np.empty((0, 3))
GRID, DISCS = 32, 250
"""The number of rows and columns into which the picture is divided to measure its fullness, and the largest
number of measured particles at a time.
"""
FAINT = 8 / 255
"""The light from which a part of the picture counts as covered."""


def _sphere(count: int) -> Array:
    """[N, 3]: N directions, spread evenly over the sphere."""
    height = 1 - (np.arange(count) * 2 + 1) / count
    angle = np.arange(count) * np.pi * (3 - np.sqrt(5))
    flat = np.sqrt(1 - height * height)
    return np.stack((flat * np.cos(angle), flat * np.sin(angle), height), axis=1)


DIRECTIONS = _sphere(96)
"""[96, 3]: directions that cover the sphere. Any direction is at most 14 degrees away from one of these
directions.
"""


def effect_points(
    view: ViewSnapshot, times: Array, poses: Sequence[Pose | None], mesh: Array = NOTHING
) -> Array:
    """[N, 3] in the file's axes: points around particles, and the edges of ribbons, between the first and the
    last of `times` [T] seconds. `poses` are the poses at these times. Rare particles far from all others and
    from the points `mesh` [M, 3] are left out.
    """
    model, shown = view.model, view.display.effects
    if model is None or not view.options.with_materials:
        return NOTHING
    emitters = [number for number in range(len(model.emitters)) if shown.draws(EmitterItem(number))]
    ribbons = [each for number, each in enumerate(model.ribbons) if shown.draws(RibbonItem(number))]
    layer = next(iter(view.playback.layers(float(times[0]))), None)
    balls = [_particles(view, model, number, layer, times, poses) for number in emitters[:SAMPLED_EMITTERS]]
    found = [outermost(points, radii) for points, radii in _near(balls, mesh) if len(points)]
    found += [_frames(model, number, poses)[:, :, 3] for number in emitters[SAMPLED_EMITTERS:]]
    found += [_edges(each, layer, poses) for each in ribbons]
    return np.concatenate([NOTHING, *found])


def _particles(
    view: ViewSnapshot,
    model: Model,
    number: int,
    layer: Layer | None,
    times: Array,
    poses: Sequence[Pose | None],
) -> tuple[Array, Array]:
    """The middles [N, 3] and the radii [N] of a sample of the particles of one emitter."""
    emitter, item, effects = model.emitters[number], EmitterItem(number), view.display.effects
    sampled = _sampled(view, model, number, layer, times, poses)
    looped = layer is None or layer.looped
    first, last = effects.time(item, float(times[0])), effects.time(item, float(times[-1]))
    if looped and item not in effects.frozen and len(times) > 1:
        last = max(last, first + min(sampled.schedule.longest, WATCHED))
    points, radii = particle_sample(
        emitter, sampled.schedule, sampled.seed, sampled.way, (first, last), effects.cold
    )
    if not len(points):
        return NOTHING, radii
    radii = radii * sampled.scale + carried_reach(emitter)
    plain = emitter.shape is None and emitter.carries is None
    if plain and 2 * radii.max() < TINIEST * float(np.ptp(points, axis=0).max()):
        return NOTHING, radii[:0]
    return points, radii


def _near(balls: Sequence[tuple[Array, Array]], mesh: Array) -> Iterator[tuple[Array, Array]]:
    """Yield the middles and radii of the particles of each emitter, without rare particles far from the other
    particles and the points `mesh` [M, 3]. Their share of the covered area counts.
    """
    solid = mesh[np.isfinite(mesh).all(axis=1)]
    places = np.concatenate([solid, *(points for points, _ in balls)])
    face = float(np.ptp(solid, axis=0).max()) ** 2 if len(solid) else 0.0
    areas = [np.full(len(solid), face / max(len(solid), 1)), *(radii**2 / AGES for _, radii in balls)]
    box = box_of_most(places, np.concatenate(areas), STRAY_PARTICLES)
    for points, radii in balls:
        kept = inside(points, box) if box is not None else np.ones(len(points), bool)
        yield points[kept], radii[kept]


class SampledEmitter(Struct, frozen=True, eq=False):
    """What the particles of an emitter depend on while clips play: its births, its random `seed`, its `way`,
    and the largest factor of its particles' sizes.
    """

    schedule: Emission
    seed: int
    way: BonePath
    scale: float


def _sampled(
    view: ViewSnapshot,
    model: Model,
    number: int,
    layer: Layer | None,
    times: Array,
    poses: Sequence[Pose | None],
) -> SampledEmitter:
    emitter, item, effects = model.emitters[number], EmitterItem(number), view.display.effects
    animation, looped = (layer.animation, layer.looped) if layer else (None, True)
    seed = seed_of(effects.seed, number)
    schedule = emission(emitter, animation, looped, effects.rate(item), seed, effects.period)
    frames = _frames(model, number, poses)
    seconds = view.playback.duration
    moving = looped and seconds > 0 and len(times) > 1
    stretch = BakeInterval(seconds) if moving else BakeInterval(float(np.ptp(times)), False, True, times[0])
    own = times - (0.0 if moving else times[0])
    way = posed_path(own, frames, stretch, emitter.follow)
    scale = max(particle_size(emitter, effects.size(item), frame) for frame in frames) * shape_size(emitter)
    return SampledEmitter(schedule, seed, way, scale)


def effect_fullness(view: ViewSnapshot, times: Array, axes: Array) -> Array:
    """[K]: how full the picture of the particles and ribbons is at `times` [K] seconds, ascending: 1 for the
    fullest picture. `axes` [2, 3] are the directions in the file's axes that point right and up in the
    picture.

    The smaller of two shares counts: of the covered area, and of the brightness, which is the root of the
    light.
    """
    model, shown = view.model, view.display.effects
    assert model is not None, "effects belong to a model"
    layer = next(iter(view.playback.layers(float(times[0]))), None)
    poses = view.poses(times)
    numbers = [number for number in range(len(model.emitters)) if shown.draws(EmitterItem(number))]
    none = np.empty((0, len(times)))
    places, radii, opacities = [np.empty((0, len(times), 2))], [none], [none]
    for number in numbers[:SAMPLED_EMITTERS]:
        item, sampled = EmitterItem(number), _sampled(view, model, number, layer, times, poses)
        own = np.array([shown.time(item, float(time)) for time in times])
        found = particles_at(
            model.emitters[number], sampled.schedule, sampled.seed, sampled.way, own, shown.cold
        )
        places.append(found[0] @ axes.T)
        radii.append(found[1] * sampled.scale)
        opacities.append(found[2])
    measures = [*_covered(np.concatenate(places), np.concatenate(radii), np.concatenate(opacities))]
    for number, ribbon in enumerate(model.ribbons):
        band = RibbonItem(number)
        if shown.draws(band):
            ages = [shown.time(band, float(time)) for time in times]
            counts = [edges(ribbon, age, shown.cold, shown.rate(band), shown.period).count for age in ages]
            measures.append(np.array(counts, float) - 1)
    shares = [each / each.max() for each in measures if each.max(initial=0.0) > 0]
    return np.minimum.reduce(shares) if shares else np.zeros(len(times))


def _covered(places: Array, radii: Array, opacities: Array) -> tuple[Array, Array]:
    """[K] and [K]: the covered area and the brightness of soft discs at K times. The middles `places` [N, K,
    2], the `radii` [N, K] and the `opacities` [N, K] belong to N particles.
    """
    area, bright = np.zeros(places.shape[1]), np.zeros(places.shape[1])
    alive = (opacities > 0) & (radii > 0)
    if not alive.any():
        return area, bright
    low, high = np.percentile(places[alive], (1, 99), axis=0)
    room = float(np.percentile(radii[alive], 99))
    side = float((high - low).max()) + 2 * room
    cell = side / GRID
    steps = (np.arange(GRID) + 0.5) * cell - side / 2
    middle = (low + high) / 2
    for number in range(len(area)):
        rows = np.flatnonzero(alive[:, number])
        rows = rows[:: max(1, -(-len(rows) // DISCS))]
        reach = np.maximum(radii[rows, number], cell / 2)[:, None]
        strength = opacities[rows, number] * np.minimum(radii[rows, number] / (cell / 2), 1) ** 2
        across, along = (
            np.abs(steps - (places[rows, number, axis] - middle[axis])[:, None]) for axis in (0, 1)
        )
        far = (across[:, :, None] ** 2 + along[:, None] ** 2) / reach[:, :, None] ** 2
        soft = np.maximum(1 - far, 0).astype(np.float32) ** 2
        shade = np.minimum(np.einsum("n,nxy->xy", strength.astype(np.float32), soft), 1.0)
        area[number], bright[number] = (shade > FAINT).sum(), np.sqrt(shade.sum())
    return area, bright


def outermost(points: Array, radii: Array) -> Array:
    """[96, 3]: the points of N > 0 balls that lie farthest along `DIRECTIONS`."""
    farthest = (points @ DIRECTIONS.T + radii[:, None]).argmax(axis=0)
    return np.asarray(points[farthest] + radii[farthest, None] * DIRECTIONS)


def _frames(model: Model, number: int, poses: Sequence[Pose | None]) -> Array:
    """[T, 3, 4]: the matrices from the space of an emitter to the file's axes, in each pose."""
    emitter = model.emitters[number]
    skins = np.stack([_skin(emitter.bone, pose) for pose in poses])
    return sound(compose(skins, turned_offset(emitter)))


def _edges(ribbon: Ribbon, layer: Layer | None, poses: Sequence[Pose | None]) -> Array:
    """[N, 3]: the ends of the newest edge of a ribbon in each pose. The older edges lie where the newest edge
    was in earlier poses.
    """
    curves = ribbon.curves(layer.animation if layer else None)
    return np.concatenate([NOTHING, *(_edge(ribbon, curves, pose) for pose in poses)])


def _edge(ribbon: Ribbon, curves: Curves, pose: Pose | None) -> Array:
    frame = _skin(ribbon.bone, pose)
    middle = frame[:, :3] @ np.asarray(ribbon.position, float) + frame[:, 3]
    tall = [sign * float(curves[name].values.max()) for name, sign in SIDES if name in curves]
    return np.array([middle + frame[:, 1] * each for each in (*tall, 0.0)])


def _skin(bone: int, pose: Pose | None) -> Array:
    """[3, 4]: the skin matrix of a bone; the identity for a missing bone."""
    return pose.skin[bone] if pose is not None and 0 <= bone < len(pose.skin) else IDENTITY
