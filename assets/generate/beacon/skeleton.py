"""Beacon's bones, and the weight of each bone at each point."""

from __future__ import annotations

import numpy as np

from generate.beacon import arms, body, gear
from generate.curves import lerp, linear_weights, smoothstep, spline_weights
from generate.mesh import Influence
from generate.rig import Rig, frame
from viewer.arrays import Array

SPINE = ("Body", "Head", "Mantle", "Crown")
SPINE_HEIGHTS = (0.262, 0.390, 0.560, 0.760)
HANGER_BONE = 6
"""The arm bone at whose beginning the lantern hangs."""


def arm_bone(arm: int, bone: int) -> str:
    """`Arm3.5`: arms are counted from the front right arm, bones from the body."""
    return f"Arm{arm}.{bone}"


def build_rig() -> Rig:
    """Root, spine, face, cap, eight arms and the lantern; frames are rotations, parents come first."""
    bones: list[tuple[str, str, Array]] = [
        ("Root", "", frame((0, 0, 0))),
        ("Body", "Root", frame((0, 0.205, 0))),
        ("Head", "Body", frame((0, 0.330, 0))),
        ("Mantle", "Head", frame((0, 0.500, 0))),
        ("Crown", "Mantle", frame((0, 0.680, -0.020))),
        ("Cap", "Crown", gear.CAP_SEAT),
    ]
    for name, side in (("R", 1), ("L", -1)):
        bones += [
            (f"Eye.{name}", "Head", body.eye_frame(side)),
            (f"Lid.{name}", "Head", body.eye_frame(side)),
        ]
    for arm, chain in enumerate(arms.bind_frames()):
        above = ["Body", *(arm_bone(arm, bone) for bone in range(arms.BONES - 1))]
        bones += [(arm_bone(arm, bone), above[bone], chain[bone]) for bone in range(arms.BONES)]
    hanger = frame(arms.bind_frames()[arms.HOLDING, HANGER_BONE, :, 3])
    bones.append(("Lantern", arm_bone(arms.HOLDING, HANGER_BONE), hanger))
    names = tuple(name for name, _, _ in bones)
    parents = tuple(names.index(above) if above else -1 for _, above, _ in bones)
    return Rig(names, parents, np.stack([place for _, _, place in bones]))


def rigid(rig: Rig, name: str) -> Influence:
    """The whole surface follows one bone."""
    return lambda u, v, points: np.broadcast_to(np.eye(len(rig))[rig[name]], (*u.shape, len(rig)))


def spine(rig: Rig) -> Influence:
    """The head and the skirt: by height; at the arms only the body's bone."""
    bones = [rig[name] for name in SPINE]

    def influence(u: Array, v: Array, points: Array) -> Array:
        place = np.interp(points[..., 1], SPINE_HEIGHTS, range(len(SPINE)))
        place = np.where(v > body.NECK, place * (1 - smoothstep(body.NECK, 0.9, v)), place)
        return linear_weights(place, len(SPINE)) @ np.eye(len(rig))[bones]

    return influence


def along_arm(rig: Rig, arm: int) -> Influence:
    """From the body, smoothly from bone to bone."""
    bones = [rig[arm_bone(arm, bone)] for bone in range(arms.BONES)]

    def influence(u: Array, v: Array, points: Array) -> Array:
        chain = spline_weights(u * arms.BONES - 0.5, arms.BONES) @ np.eye(len(rig))[bones]
        return lerp(np.eye(len(rig))[rig["Body"]], chain, smoothstep(0.0, 0.16, u)[..., None])

    return influence
