"""Turns the acting of Beacon into bone transforms: the body first, then arms on the floor, then hanging
parts.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from generate.beacon import arms, body
from generate.beacon.skeleton import arm_bone
from generate.rig import Clip, Rig, quaternions, turn
from viewer.arrays import Array


class Acting(Struct, frozen=True, eq=False):
    """The movements at K `times`. Angles in degrees, [K] or for arms [K, 8, 7] (per bone); metres [K, 3].

    `shift` moves the body; `heading` turns it, `roll` leans it to the left hand, `nod` forward. `tilt` is the
    head's own roll. `stretch` is the mantle's height against the bind pose, `flop` [K, 2] its nod and roll.
    `look` (yaw, pitch) [K, 2] turns the eyes, `lids` shut the upper ones from 0 to 1. `pitch` and `yaw` are
    the arms' bends before those that stand are laid on the floor; `swing` (nod, roll) [K, 2] of the lantern
    is against the vertical.
    """

    times: Array
    shift: Array
    heading: Array
    roll: Array
    nod: Array
    tilt: Array
    stretch: Array
    flop: Array
    look: Array
    lids: Array
    pitch: Array
    yaw: Array
    swing: Array


def perform(rig: Rig, name: str, acting: Acting, events: tuple[tuple[float, str], ...] = ()) -> Clip:
    """The clip of all bones."""
    count = len(acting.times)
    turns = np.broadcast_to(rig.local[:, :, :3], (count, len(rig), 3, 3)).copy()
    places = np.broadcast_to(rig.local[:, :, 3], (count, len(rig), 3)).copy()
    scales = np.ones((count, len(rig), 3))
    places[:, rig["Body"]] += acting.shift
    _bend_body(rig, acting, turns)
    _squash(rig, acting, scales)
    _move_face(rig, acting, turns)
    _place_arms(rig, acting, turns)
    return Clip(name, acting.times, places, quaternions(turns), scales, events)


def _bend_body(rig: Rig, acting: Acting, turns: Array) -> None:
    """The lean is shared out along the spine; the mantle's end and the cap come late (`flop`)."""
    lean = turn(2, acting.roll) @ turn(0, acting.nod)
    turns[:, rig["Body"]] = turn(1, acting.heading) @ lean
    turns[:, rig["Head"]] = turn(2, acting.tilt)
    late = turn(2, acting.flop[:, 1]) @ turn(0, acting.flop[:, 0])
    turns[:, rig["Mantle"]] = late
    turns[:, rig["Crown"]] = late
    turns[:, rig["Cap"]] = late @ turns[:, rig["Cap"]]


def _squash(rig: Rig, acting: Acting, scales: Array) -> None:
    """The mantle keeps its volume; the cap keeps its shape."""
    wide = acting.stretch**-0.5
    scales[:, rig["Mantle"]] = np.stack((wide, acting.stretch, wide), axis=-1)
    scales[:, rig["Cap"]] = 1 / scales[:, rig["Mantle"]]


def _move_face(rig: Rig, acting: Acting, turns: Array) -> None:
    gaze = turn(1, acting.look[:, 0]) @ turn(0, -acting.look[:, 1])
    for side in "RL":
        turns[:, rig[f"Eye.{side}"]] = gaze @ turns[:, rig[f"Eye.{side}"]]
        closing = acting.lids * (body.LIDS_OPEN[0] - body.LIDS_SHUT[0])
        turns[:, rig[f"Lid.{side}"]] = turns[:, rig[f"Lid.{side}"]] @ turn(0, closing)


def _place_arms(rig: Rig, acting: Acting, turns: Array) -> None:
    """The arms' bends are against the world, whatever the body does."""
    trunk = turns[:, rig["Body"]]
    roots = np.einsum("kij,aj->kai", trunk, arms.roots() - rig.bind[rig["Body"], :, 3])
    height = roots[..., 1] + (rig.bind[rig["Body"], 1, 3] + acting.shift[:, 1])[:, None]
    pitch = acting.pitch.copy()
    pitch[:, arms.STANDING] = arms.planted(pitch[:, arms.STANDING], height[:, arms.STANDING])
    heading = arms.AZIMUTHS[:, None] + np.radians(acting.heading)[:, None, None]
    world = arms.frames(pitch, acting.yaw, heading)
    above = np.concatenate(
        (np.broadcast_to(trunk[:, None, None], (*world.shape[:2], 1, 3, 3)), world[:, :, :-1]), axis=2
    )
    local = np.swapaxes(above, -1, -2) @ world
    for arm in range(arms.ARMS):
        first = rig[arm_bone(arm, 0)]
        turns[:, first : first + arms.BONES] = local[:, arm]
    hanging = turn(2, acting.swing[:, 1]) @ turn(0, acting.swing[:, 0])
    turns[:, rig["Lantern"]] = np.swapaxes(world[:, arms.HOLDING, -1], -1, -2) @ hanging
