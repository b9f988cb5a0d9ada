"""What of an emitter is not shown exactly as the file says, one line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from viewer.animation.along import LONGEST, MOST_NODES
from viewer.animation.chain import Chain, chain
from viewer.animation.emission import LONGEST_LIFE, MOST_RATE, Emission, emission
from viewer.animation.named_lines import capped, of_carried, of_shape
from viewer.animation.pose import Layer
from viewer.scene.animation import Animation
from viewer.scene.emitter import Curve, Emitter
from viewer.scene.skeleton import Skeleton

MOST = 1 << 20
"""Particles of one emitter that are drawn; of more, the newest."""
KINDS = ("plane", "sphere", "spline")


def approximations(
    emitter: Emitter, skeleton: Skeleton | None, animation: Animation | None
) -> tuple[str, ...]:
    """What to know about an emitter while an animation plays: what is left out or done otherwise, what is
    wrong with its numbers, and which of them are brought down."""
    made = emission(emitter, animation)
    above = None
    if "model space" not in emitter.flags:
        above = chain(skeleton, emitter.bone, [] if animation is None else [Layer(animation, 0.0)])
    lines = (
        *emitter.troubles,
        *_left_out(emitter),
        *_capped(emitter, emitter.curves(animation), made),
        *_approximate(emitter, made, above, animation),
    )
    return tuple(dict.fromkeys(lines))


def _left_out(emitter: Emitter) -> Iterator[str]:
    yield from of_shape(emitter)
    yield from of_carried(emitter.carries)
    if emitter.type not in KINDS:
        yield f"an emitter of type {emitter.type} emits as a plane"
    if "unlit" not in emitter.flags:
        yield "lights shine on it in the client, here they do not"
    if not emitter.head and not emitter.tail:
        yield "draws neither heads nor tails"


def _capped(emitter: Emitter, curves: Mapping[str, Curve], made: Emission) -> Iterator[str]:
    values = {name: curve.values for name, curve in curves.items()}
    broken = [name for name, each in values.items() if not np.isfinite(each).all()]
    if broken:
        yield f"keys that are not finite count as 0: {', '.join(broken)}"
    if (values.get("rate", np.zeros(1)) > MOST_RATE).any():
        yield f"the rate is brought down to {MOST_RATE:,.0f} particles a second"
    lifespan = values.get("lifespan", np.zeros(1))
    if (lifespan > LONGEST_LIFE).any():
        yield f"the lifespan is brought down to {LONGEST_LIFE:,.0f} s"
    if made.longest <= 0:
        yield "the lifespan is 0: nothing is seen"
    elif made.most > MOST:
        yield f"of {made.most:,} particles the newest {MOST:,} are drawn"
    yield from capped(emitter, made)


def _approximate(
    emitter: Emitter, made: Emission, above: Chain | None, animation: Animation | None
) -> Iterator[str]:
    gravity = emitter.curves(animation).get("gravity")
    if gravity is not None and np.ptp(np.nan_to_num(gravity.values)) > 0:
        yield "gravity changes with time: a particle keeps that of its birth"
    if emitter.rate_variation:
        yield f"the varied rate repeats every {made.stretch.seconds:g} s"
    if not made.stretch.exact or len(made.times) == MOST_NODES:
        yield _cut("births", made.stretch.seconds)
    if above is None:
        return
    if above.faces:
        yield "its bone faces the camera: particles were born where the camera of now has it"


def _cut(what: str, seconds: float) -> str:
    return f"loops do not meet again within {LONGEST:g} s: {what} repeat after {seconds:g} s"
