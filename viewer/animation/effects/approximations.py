"""Describes how the drawing of an emitter differs from what its file says, one line for each property."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from viewer.animation.effects import ribbon
from viewer.animation.effects.bone_path import BoneMotion, bone_motion
from viewer.animation.effects.carried import CARRIED_EMITTERS
from viewer.animation.effects.emission import Emission, emission
from viewer.animation.effects.model_particles import faces, tumbling
from viewer.animation.pose import Layer
from viewer.animation.track_sampling import filled
from viewer.budget import BUDGET
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curve, Emitter, ModelReference
from viewer.scene.model import Model
from viewer.scene.skeleton import Skeleton

KINDS = ("plane", "sphere", "spline")


def approximations(
    emitter: Emitter, skeleton: Skeleton | None, animation: Animation | None
) -> tuple[str, ...]:
    """Describe how an emitter's drawing differs from its file while an animation plays: omitted properties,
    approximations, invalid numbers, limits.
    """
    made = emission(emitter, animation)
    above = None
    if "model space" not in emitter.flags:
        above = bone_motion(skeleton, emitter.bone, [] if animation is None else [Layer(animation, 0.0)])
    lines = (
        *emitter.troubles,
        *_left_out(emitter),
        *_capped(emitter, emitter.curves(animation), made),
        *_approximate(emitter, made, above, animation),
    )
    return tuple(dict.fromkeys(lines))


def seams(model: Model | None, layers: Sequence[Layer], period: float) -> Iterator[str]:
    """Name the emitters and ribbons that do not repeat after `period` seconds while `layers` play, one line
    each.
    """
    if model is None:
        return
    animation, looped = (layers[0].animation, layers[0].looped) if layers else (None, True)
    for number, emitter in enumerate(model.emitters):
        made = emission(emitter, animation, looped, period=period)
        above = None
        if "model space" not in emitter.flags:
            above = bone_motion(model.skeleton, emitter.bone, layers)
        moved = above is None or filled(above.timings(), above.duration, above.looped, period) is not None
        if made.a_loop > 0 and not (made.loop and moved):
            yield f"emitter {number} does not repeat after {period:g} s, so the loop has a seam"
    for number, each in enumerate(model.ribbons):
        if not ribbon.repeats(each, model.skeleton, layers, period):
            yield f"ribbon {number} does not repeat after {period:g} s, so the loop has a seam"


def _left_out(emitter: Emitter) -> Iterator[str]:
    yield from of_shape(emitter)
    yield from of_carried(emitter.carries)
    if emitter.type not in KINDS:
        yield f"particles of an emitter of type {emitter.type} start on a plane"
    if not emitter.head and not emitter.tail:
        yield "the emitter draws neither heads nor tails, so its particles are invisible"


def _capped(emitter: Emitter, curves: Mapping[str, Curve], schedule: Emission) -> Iterator[str]:
    values = {name: curve.values for name, curve in curves.items()}
    broken = [name for name, each in values.items() if not np.isfinite(each).all()]
    if broken:
        yield f"keys that are not finite are read as 0: {', '.join(broken)}"
    if (values.get("rate", np.zeros(1)) > BUDGET.births_per_second).any():
        yield f"the rate is limited to {BUDGET.births_per_second:,.0f} particles a second"
    lifespan = values.get("lifespan", np.zeros(1))
    if (lifespan > BUDGET.lifespan).any():
        yield f"the lifespan is limited to {BUDGET.lifespan:,.0f} s"
    if schedule.longest <= 0:
        yield "the lifespan is 0, so nothing is visible"
    elif schedule.most > BUDGET.particles:
        yield f"only the newest {BUDGET.particles:,} of {schedule.most:,} particles are drawn"
    yield from capped(emitter, schedule)


def _approximate(
    emitter: Emitter, schedule: Emission, above: BoneMotion | None, animation: Animation | None
) -> Iterator[str]:
    gravity = emitter.curves(animation).get("gravity")
    if gravity is not None and np.ptp(np.nan_to_num(gravity.values)) > 0:
        yield "gravity changes with time, but each particle keeps the gravity at its birth"
    if emitter.rate_variation:
        yield f"the random variation of the rate repeats every {schedule.stretch.seconds:g} s"
    if not schedule.stretch.exact or len(schedule.times) == BUDGET.curve_nodes:
        yield _cut("births", schedule.stretch.seconds)
    if above is None:
        return
    if above.faces:
        yield "the bone faces the camera, but earlier births are computed with the present camera"


def _cut(what: str, seconds: float) -> str:
    within = BUDGET.curve_seconds
    return f"the loops have no common period within {within:g} s: {what} repeat after {seconds:g} s"


def of_shape(emitter: Emitter) -> Iterator[str]:
    """List what is drawn differently from the file if each particle of the emitter is a model."""
    shape: ModelReference[Model] | None = emitter.shape
    if shape is None:
        return
    if shape.model is None:
        yield f"each particle is the model {shape.name}, which {shape.trouble}; a quad is drawn instead"
        return
    model, name = shape.model, shape.bare_name
    if not model.geometries:
        yield f"each particle is the model {name}, which has no mesh, so nothing is drawn"
    if model.effects:
        yield f"the emitters and ribbons of {name} itself are not drawn"
    if faces(model.skeleton) and tumbling(emitter):
        yield f"bones of {name} that should face the camera turn with the particle instead"
    if any(each.motion is not None or each.uv_motion is not None for each in model.materials):
        yield f"colours and textures of {name} change for all particles alike, not by their ages"


def of_carried(carries: ModelReference[Model] | None) -> Iterator[str]:
    """List what is drawn differently from the file if each particle of the emitter carries emitters."""
    if carries is None:
        return
    if carries.model is None:
        trouble = f"which {carries.trouble}; no emitter is drawn"
        yield f"each particle carries the emitters of {carries.name}, {trouble}"
        return
    emitters, name = carries.model.emitters, carries.bare_name
    if not emitters:
        yield f"each particle carries the emitters of {name}, but this model has no emitters"
    if len(emitters) > CARRIED_EMITTERS:
        yield f"particles carry only the first {CARRIED_EMITTERS} of the {len(emitters):,} emitters of {name}"
    drawn = emitters[:CARRIED_EMITTERS]
    if any(each.shape or each.carries for each in drawn):
        yield f"models that the emitters of {name} refer to are drawn as quads"
    if any("model space" in each.flags for each in drawn):
        yield f"particles of {name} in model space move with the carrying particles, not with the emitter"
    if any("follows" in each.flags for each in drawn):
        yield f"particles of {name} do not follow the carrying particles"


def capped(emitter: Emitter, schedule: Emission) -> Iterator[str]:
    """Report each limit that an emitter exceeds: the limit of particles that are models, or the limit of
    carried particles. `schedule` are the emitter's births.
    """
    shape: ModelReference[Model] | None = emitter.shape
    carries: ModelReference[Model] | None = emitter.carries
    if shape is not None and shape.model is not None and schedule.most > BUDGET.particle_models:
        yield f"only the newest {BUDGET.particle_models:,} of {schedule.most:,} models are drawn"
    if carries is None or carries.model is None:
        return
    for each in carries.model.emitters[:CARRIED_EMITTERS]:
        own = emission(each, carries.animation)
        at_once = schedule.most_within(schedule.longest + own.longest)
        if at_once > BUDGET.carriers or at_once * own.most > BUDGET.carried_particles:
            yield (
                f"only the newest {BUDGET.carried_particles:,} carried particles "
                f"of the newest {BUDGET.carriers:,} carriers are drawn"
            )
