"""Notes about the models that an emitter names: the differences from the client, one line each."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.animation.effects.carried import CARRIED_EMITTERS
from viewer.animation.effects.emission import Emission, emission
from viewer.animation.effects.model_particles import faces, tumbling
from viewer.budget import BUDGET
from viewer.scene.emitter import Emitter
from viewer.scene.model import Model
from viewer.scene.reference import ModelReference


def of_shape(emitter: Emitter) -> Iterator[str]:
    """Notes about the model that each particle shows."""
    shape: ModelReference[Model] | None = emitter.shape
    if shape is None:
        return
    if shape.model is None:
        yield f"each particle is the model {shape.name}, which {shape.trouble}; a quad is drawn instead"
        return
    model, name = shape.model, shape.bare_name
    if not model.geometries:
        yield f"each particle is the model {name}, which has no mesh: nothing is drawn"
    if model.effects:
        yield f"the emitters and ribbons of {name} itself are not drawn"
    if faces(model.skeleton) and tumbling(emitter):
        yield f"bones of {name} that face the camera tumble with the particle"
    if any(each.motion is not None or each.uv_motion is not None for each in model.materials):
        yield f"colours and textures of {name} move for all particles at once, not by their ages"


def of_carried(carries: ModelReference[Model] | None) -> Iterator[str]:
    """Notes about the model whose emitters each particle carries."""
    if carries is None:
        return
    if carries.model is None:
        yield f"each particle carries the emitters of {carries.name}, which {carries.trouble}; none is drawn"
        return
    emitters, name = carries.model.emitters, carries.bare_name
    if not emitters:
        yield f"each particle carries the emitters of {name}, which has none"
    if len(emitters) > CARRIED_EMITTERS:
        yield f"particles carry only the first {CARRIED_EMITTERS} of the {len(emitters):,} emitters of {name}"
    drawn = emitters[:CARRIED_EMITTERS]
    if any(each.shape or each.carries for each in drawn):
        yield f"models that the emitters of {name} name in turn are drawn as quads"
    if any("model space" in each.flags for each in drawn):
        yield f"particles of {name} in model space move with their carriers, not with the emitter"
    if any("follows" in each.flags for each in drawn):
        yield f"particles of {name} do not follow their carriers"


def capped(emitter: Emitter, made: Emission) -> Iterator[str]:
    """Notes about the limits on the number of models and carried particles; `made` is the emitter's
    schedule.
    """
    shape: ModelReference[Model] | None = emitter.shape
    carries: ModelReference[Model] | None = emitter.carries
    if shape is not None and shape.model is not None and made.most > BUDGET.particle_models:
        yield f"only the newest {BUDGET.particle_models:,} of {made.most:,} models are drawn"
    if carries is None or carries.model is None:
        return
    for each in carries.model.emitters[:CARRIED_EMITTERS]:
        own = emission(each, carries.animation)
        at_once = made.most_within(made.longest + own.longest)
        if at_once > BUDGET.carriers or at_once * own.most > BUDGET.carried_particles:
            yield (
                f"only the newest {BUDGET.carried_particles:,} carried particles "
                f"and {BUDGET.carriers:,} carriers of them are drawn"
            )
