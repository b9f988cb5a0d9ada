"""Linglong's bones, in English and in Chinese, and the weight of each bone at each point."""

from __future__ import annotations

from typing import Any

import numpy as np

from generate.curves import bspline, lerp, smoothstep, spline_weights
from generate.linglong import body, parts
from generate.mesh import Influence, placed
from generate.rig import Rig, frame
from viewer.arrays import Array

SPINE = 12
WHISKER = 3
LEGS = {"Leg.FL": (0.155, 1), "Leg.FR": (0.155, -1), "Leg.BL": (0.50, 1), "Leg.BR": (0.50, -1)}
"""Where on the body, on which side."""
SIDES = {"L": 1, "R": -1}

CHINESE = {
    "Root": "根",
    "Pearl": "龙珠",
    "Spine": "脊",
    "Head": "头",
    "Jaw": "下颌",
    "Eye": "眼",
    "Ear": "耳",
    "Whisker": "龙须",
    "Leg": "腿",
    ".FL": "前左",
    ".FR": "前右",
    ".BL": "后左",
    ".BR": "后右",
    ".L": "左",
    ".R": "右",
}


def places() -> Array:
    """[12]: the middles of the spine's bones along the body."""
    return (np.arange(SPINE) + 0.5) / SPINE


def spine_bone(s: float) -> str:
    """The bone of the spine that holds a place."""
    return f"Spine{min(int(s * SPINE), SPINE - 1)}"


def build_rig() -> Rig:
    """Root, pearl, spine from the nape to the tail, head and face, legs. Parents come first."""
    spine = body.frames(body.coil(), places())
    head = body.frames(body.coil(), np.zeros(1))[0]
    bones: list[tuple[str, str, Array]] = [
        ("Root", "", frame((0, 0, 0))),
        ("Pearl", "Root", frame(body.PEARL)),
        ("Spine0", "Root", spine[0]),
        *((f"Spine{b}", f"Spine{b - 1}", spine[b]) for b in range(1, SPINE)),
        ("Head", "Spine0", head),
        ("Jaw", "Head", _inside(head, (0, -0.06, -0.03))),
    ]
    for name, side in SIDES.items():
        bones += _face(head, name, side)
    bones += [(name, spine_bone(s), leg_frame(s, side)) for name, (s, side) in LEGS.items()]
    names = tuple(name for name, _, _ in bones)
    parents = tuple(names.index(above) if above else -1 for _, above, _ in bones)
    return Rig(names, parents, np.stack([place for _, _, place in bones]))


def _face(head: Array, name: str, side: int) -> list[tuple[str, str, Array]]:
    whisker = bspline(parts.mirrored(parts.WHISKER, side), np.arange(WHISKER) / WHISKER)
    chain = ["Head", *(f"Whisker{k}.{name}" for k in range(WHISKER))]
    return [
        (f"Eye.{name}", "Head", _within(head, parts.eye_frame(side))),
        (f"Ear.{name}", "Head", _inside(head, (0.135 * side, 0.10, -0.06))),
        *((chain[k + 1], chain[k], _inside(head, whisker[k])) for k in range(WHISKER)),
    ]


def leg_frame(s: float, side: int) -> Array:
    """[3, 4]: on the flank, as the body lies there."""
    place = body.frames(body.coil(), np.array([s, 0.5]))[0]
    thick = float(body.radius(np.array(s)))
    return frame(place[:, 3] + place[:, 0] * side * 0.78 * thick - place[:, 1] * 0.35 * thick, place[:, :3])


def _inside(above: Array, at: Any) -> Array:
    return frame(placed(above, np.asarray(at, float)), above[:, :3])


def _within(above: Array, below: Array) -> Array:
    return frame(placed(above, below[:, 3]), above[:, :3] @ below[:, :3])


def chinese(name: str) -> str:
    """`Eye.L` → 左眼; numbers stay."""
    stem, dot, side = name.partition(".")
    word = stem.rstrip("0123456789")
    return CHINESE.get(dot + side, "") + CHINESE[word] + stem[len(word) :]


def rigid(rig: Rig, name: str) -> Influence:
    """The whole surface follows one bone."""
    return lambda u, v, points: np.broadcast_to(np.eye(len(rig))[rig[name]], (*u.shape, len(rig)))


def along_spine(rig: Rig, first: float = 0.0, last: float = 1.0) -> Influence:
    """From the head, smoothly from bone to bone; `first` and `last` are the places at u = 0 and 1."""
    bones = [rig[f"Spine{b}"] for b in range(SPINE)]

    def influence(u: Array, v: Array, points: Array) -> Array:
        s = lerp(first, last, u)
        chain = spline_weights(s * SPINE - 0.5, SPINE) @ np.eye(len(rig))[bones]
        return lerp(np.eye(len(rig))[rig["Head"]], chain, smoothstep(0.0, 0.06, s)[..., None])

    return influence


def along_whisker(rig: Rig, name: str) -> Influence:
    """From the head, smoothly from bone to bone of a side (v along the whisker)."""
    bones = [rig["Head"], *(rig[f"Whisker{k}.{name}"] for k in range(WHISKER))]
    return lambda u, v, points: spline_weights(v * WHISKER + 0.2, WHISKER + 1) @ np.eye(len(rig))[bones]
