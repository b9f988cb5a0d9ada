"""Linglong as meshes: skin, fins and pearl, their poses, and the parts of the texture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from generate.linglong import body, coats, parts, skeleton
from generate.mesh import Influence, Mesh, Rect, Surface, join, patch, placed, shade, spread, tube
from generate.ogre import Submesh
from generate.paint import Area
from generate.rig import Rig, frame, turn
from viewer.arrays import Array

BODY = Rect(0.006, 0.006, 0.994, 0.400)
HEAD = Rect(0.006, 0.412, 0.540, 0.700)
JAW = Rect(0.552, 0.412, 0.994, 0.560)
LEG = Rect(0.552, 0.572, 0.760, 0.700)
WHISKER = Rect(0.772, 0.572, 0.994, 0.700)
EYE = Rect(0.006, 0.712, 0.290, 0.994)
LID = Rect(0.302, 0.712, 0.540, 0.850)
GOLD = Rect(0.302, 0.862, 0.540, 0.994)
CREST = Rect(0.0, 0.010, 30.0, 0.490)
PLUME = Rect(0.02, 0.512, 0.98, 0.990)
PEARL = Rect(0.0, 0.0, 1.0, 1.0)
HEAD_SPOT = Rect(0.26, 0.63, 0.29, 0.65)
"""A plain place of the muzzle's paint, for the nostrils' wings."""
STRAIGHT = frame((0, 0, 0))


class Piece(NamedTuple):
    """A surface in the model, its part of the texture, its influences, its cells down and across."""

    surface: Surface
    rect: Rect
    influence: Influence
    rows: Any
    columns: Any
    turned: bool = False

    @property
    def mesh(self) -> Mesh:
        return patch(self.surface, self.rows, self.columns, self.rect, self.influence, self.turned)


def submeshes(rig: Rig, shut: float = 0.0, smile: float = 0.0) -> list[Submesh]:
    """All submeshes; `shut` eyes and a `smile` from 0 to 1."""
    skin = [shade(piece.mesh) for piece in (*_body(rig), *_head(rig, shut, smile), *_legs(rig))]
    fins = [shade(piece.mesh) for piece in _fins(rig)]
    flames = [shade(_on(rig, "Pearl", each, PLUME, 6, 2).mesh) for each in parts.flames()]
    return [
        Submesh("skin", "Linglong/Skin", join(skin)),
        Submesh("fins", "Linglong/Fins", join(fins)),
        Submesh("flames", "Linglong/Flames", join(flames)),
        Submesh("pearl", "Linglong/Pearl", shade(_pearl(rig).mesh)),
    ]


def _on(
    rig: Rig, bone: str, surface: Surface, rect: Rect, rows: int, columns: int, turned: bool = False
) -> Piece:
    """A surface in the frame of a bone, which alone moves it."""
    place = rig.bind[rig[bone]]
    return Piece(
        lambda u, v: placed(place, surface(u, v)),
        rect,
        skeleton.rigid(rig, bone),
        spread(rows),
        spread(columns),
        turned,
    )


def _body(rig: Rig) -> list[Piece]:
    along = np.concatenate((spread(104, 0, 0.985)[:-1], spread(4, 0.985, 1)))
    return [Piece(body.skin(body.coil()), BODY, skeleton.along_spine(rig), spread(16), along)]


def _head(rig: Rig, shut: float, smile: float) -> list[Piece]:
    def on_head(surface: Surface, rect: Rect, rows: int, columns: int, turned: bool = False) -> Piece:
        return _on(rig, "Head", surface, rect, rows, columns, turned)

    jaw = _inside(rig, "Jaw", parts.loft(parts.JAW))
    pieces = [
        on_head(parts.loft(parts.SKULL, smile), HEAD, 22, 24),
        on_head(parts.ball((0, 0.060, 0.268), (0.05, 0.024, 0.022)), GOLD, 6, 10),
        _on(rig, "Jaw", jaw, JAW, 12, 16),
    ]
    for name, side in skeleton.SIDES.items():
        eye = Piece(
            _in_head(rig, _eye(side, shut)), EYE, skeleton.rigid(rig, f"Eye.{name}"), spread(12), spread(20)
        )
        pieces += [
            eye,
            on_head(parts.lid(side, True, shut, smile), LID, 7, 12, turned=True),
            on_head(parts.lid(side, False, shut, smile), LID, 7, 12),
            on_head(_limb(parts.HORN, (0.030, 0.026, 0.020, 0.004), side), GOLD, 8, 8),
            on_head(_limb(parts.BRANCH, (0.018, 0.015, 0.003), side), GOLD, 5, 6),
            on_head(_limb(parts.BROW, (0.006, 0.026, 0.024, 0.004), side, (0, 1, 0)), GOLD, 8, 8),
            on_head(parts.ball((0.048 * side, 0.072, 0.240), (0.042, 0.032, 0.040)), HEAD_SPOT, 6, 10),
            on_head(_limb(parts.FANG, (0.013, 0.010, 0.001), side), GOLD, 4, 6),
            *_sides(rig, name, side),
        ]
    return pieces


def _eye(side: int, shut: float) -> Surface:
    """An eyeball in the head; it makes room for lids that shut."""
    return parts.ball(
        parts.EYE * (side, 1, 1), parts.EYE_SIZE * (1 - 0.12 * shut), parts.eye_frame(side)[:, :3]
    )


def _sides(rig: Rig, name: str, side: int) -> list[Piece]:
    """An ear and a whisker."""
    ear = parts.ball(
        (0.055 * side, 0.035, -0.02), (0.085, 0.040, 0.014), turn(2, side * 28.0) @ turn(1, side * 18.0)
    )
    whisker = _in_head(rig, _limb(parts.WHISKER, (0.013, 0.012, 0.010, 0.008, 0.005, 0.001), side))
    return [
        _on(rig, f"Ear.{name}", ear, LEG, 8, 10),
        Piece(whisker, WHISKER, skeleton.along_whisker(rig, name), spread(18), spread(6)),
    ]


def _legs(rig: Rig) -> list[Piece]:
    pieces = []
    for name, (_, side) in skeleton.LEGS.items():
        leg = _limb(parts.LEG, (0.050, 0.046, 0.030, 0.026), side)
        paw = parts.ball(parts.PAW * (side, 1, 1) + (0, -0.008, 0.008), (0.038, 0.024, 0.036))
        pieces += [_on(rig, name, leg, LEG, 8, 10), _on(rig, name, paw, LEG, 6, 10)]
        pieces += [
            _on(rig, name, tube(points, radii, STRAIGHT, (1, 0, 0)), GOLD, 5, 6)
            for points, radii in parts.toes(side)
        ]
    return pieces


def _fins(rig: Rig) -> list[Piece]:
    crest = Piece(
        body.crest(body.coil()), CREST, skeleton.along_spine(rig, 0.015, 0.955), spread(2), spread(110)
    )
    plumes = []
    for surface, bone in parts.mane():
        plumes.append(_on(rig, bone, surface if bone == "Head" else _inside(rig, bone, surface), PLUME, 8, 3))
    last = f"Spine{skeleton.SPINE - 1}"
    tip = body.frames(body.coil(), np.array([0.5, 0.985]))[1]
    tails = [
        Piece(_placed(tip, surface), PLUME, skeleton.rigid(rig, last), spread(8), spread(3))
        for surface in parts.tail_plumes()
    ]
    return [crest, *plumes, *tails]


def _pearl(rig: Rig) -> Piece:
    return _on(rig, "Pearl", parts.ball((0, 0, 0), parts.PEARL_SIZE, turn(0, -90)), PEARL, 14, 24)


def _limb(points: Any, radii: Sequence[float], side: int = 1, up: Any = (0, 0, 1)) -> Surface:
    """A tapered pipe, v from the root to the tip."""
    return tube(parts.mirrored(points, side), radii, STRAIGHT, up)


def _placed(place: Array, surface: Surface) -> Surface:
    return lambda u, v: placed(place, surface(u, v))


def _in_head(rig: Rig, surface: Surface) -> Surface:
    return _placed(rig.bind[rig["Head"]], surface)


def _inside(rig: Rig, bone: str, surface: Surface) -> Surface:
    """A surface of the head's frame, moved to the frame of a bone of the head."""
    shift = rig.bind[rig[bone]][:, 3] - rig.bind[rig["Head"]][:, 3]
    back = rig.bind[rig["Head"]][:, :3].T @ shift
    return lambda u, v: surface(u, v) - back


def areas() -> list[Area]:
    """Every part of the skin's texture with its painter."""
    limb = _limb(parts.HORN, (0.030, 0.004))
    return [
        Area(BODY, body.skin(body.coil()), coats.body),
        Area(HEAD, parts.loft(parts.SKULL), coats.head),
        Area(JAW, parts.loft(parts.JAW), coats.jaw),
        Area(LEG, limb, coats.leg),
        Area(WHISKER, limb, coats.whisker),
        Area(EYE, parts.ball((0, 0, 0), 1.0), coats.eye),
        Area(LID, parts.lid(1, True), coats.lid),
        Area(GOLD, limb, coats.gold),
    ]
