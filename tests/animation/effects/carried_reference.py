"""Particles that others carry, in float64 from the facts, on top of the reference for those that do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from tests.animation.effects.particle_reference import (
    MASK,
    Array,
    Case,
    births,
    closed,
    draw,
    mixed,
    moved,
)

TINY = 1e-7


def life_of(case: Case, seed: int, n: int, born: float) -> float:
    """How long a particle of this number lives."""
    return case.track("lifespan", born) + case.number("lifespan_variation") * (2 * draw(seed, n, 5) - 1)


def longest(case: Case) -> float:
    """How long any lives."""
    return float(np.max(case.tracks["lifespan"][1])) + abs(case.number("lifespan_variation"))


def carried(
    owner: Case, own: Case, now: float, seeds: tuple[int, int], cold: bool = False
) -> list[Mapping[str, Any]]:
    """The live particles that those of `owner` carry: of the newest carrier first, the oldest of each first.
    `seeds` are those of both emitters."""
    found = []
    for n, born in reversed(births(owner, now, now - longest(owner) - longest(own))):
        life, age = life_of(owner, seeds[0], n, born), now - born
        if life <= 0 or (cold and n < 0):
            continue
        seed = mixed((n & MASK) ^ seeds[1])
        for k, at in births(own, min(age, life), 0.0):
            lived = age - at
            if at > min(age, life) or lived > life_of(own, seed, k, at):
                continue
            when = max(min(age, life) if "model space" in own.flags else at, TINY)
            state = moved(owner, n, born, born + when, seeds[0], closed)
            assert state is not None
            position, velocity = own_way(own, k, at, lived, seed, (owner.pose_at(born + when)[0], *state))
            found.append(
                {"carrier": n, "number": k, "age": lived, "position": position, "velocity": velocity}
            )
    return found


def own_way(
    own: Case, k: int, at: float, lived: float, seed: int, state: tuple[Array, Array, Array]
) -> tuple[Array, Array]:
    """Where one of them is and goes; `state` are the axes, the place and the velocity of its carrier."""
    axes, origin, velocity = state
    local = "model space" in own.flags
    space = (np.eye(3), np.zeros(3)) if local else (axes, origin)
    frame = np.concatenate((space[0] @ TURNED_BACK, space[1][:, None]), axis=1)
    plain = replace(own, flags=tuple(each for each in own.flags if each not in ("burst", "model space")))
    still = replace(plain, frame=lambda time: frame, position=(0.0, 0.0, 0.0))
    way = moved(still, k, at, at + lived, seed, closed)
    assert way is not None
    if local:
        return axes @ way[0] + origin, axes @ way[1]
    if "burst" in own.flags:
        pushed = closed(
            np.zeros(3), own.number("burst", 1.0) * velocity, np.zeros(3), own.number("drag"), lived
        )
        return way[0] + pushed[0], way[1] + pushed[1]
    return way


TURNED_BACK = np.array(((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
"""`Case.pose_at` turns by a quarter, which the frame of a carrier has already."""
