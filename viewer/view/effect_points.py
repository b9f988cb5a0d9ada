"""Finds points around particles and ribbons while clips play, for framing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viewer.animation.effects.bone_path import posed_path, sound, turned_offset
from viewer.animation.effects.carried import particle_size
from viewer.animation.effects.emission import emission
from viewer.animation.effects.particle_motion import particle_sample
from viewer.animation.effects.random_hash import seed_of
from viewer.animation.pose import Layer, Pose
from viewer.animation.track_sampling import BakeInterval
from viewer.arrays import Array
from viewer.scene.emitter import Curves, Ribbon
from viewer.scene.items import EmitterItem, RibbonItem
from viewer.scene.maths import IDENTITY, compose
from viewer.scene.model import Model
from viewer.view.effect_bounds import carried_reach, shape_size
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


def effect_points(view: ViewSnapshot, times: Array, poses: Sequence[Pose | None]) -> Array:
    """[N, 3] in the file's axes: points around particles, and the edges of ribbons, between the first and the
    last of `times` [T] seconds. `poses` are the poses at these times.
    """
    model, shown = view.model, view.display.effects
    if model is None or not view.options.with_materials:
        return NOTHING
    emitters = [number for number in range(len(model.emitters)) if shown.draws(EmitterItem(number))]
    ribbons = [each for number, each in enumerate(model.ribbons) if shown.draws(RibbonItem(number))]
    layer = next(iter(view.playback.layers(float(times[0]))), None)
    found = [_particles(view, model, number, layer, times, poses) for number in emitters[:SAMPLED_EMITTERS]]
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
) -> Array:
    """[N, 3]: the outermost points of the particles of one emitter."""
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
    first, last = effects.time(item, float(times[0])), effects.time(item, float(times[-1]))
    if looped and item not in effects.frozen and len(times) > 1:
        last = max(last, first + min(schedule.longest, WATCHED))
    points, radii = particle_sample(emitter, schedule, seed, way, (first, last), effects.cold)
    if not len(points):
        return NOTHING
    scale = max(particle_size(emitter, effects.size(item), frame) for frame in frames)
    radii = radii * scale * shape_size(emitter) + carried_reach(emitter)
    plain = emitter.shape is None and emitter.carries is None
    if plain and 2 * radii.max() < TINIEST * float(np.ptp(points, axis=0).max()):
        return NOTHING
    return outermost(points, radii)


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
