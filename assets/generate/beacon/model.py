"""Beacon as meshes: skin and gear in each level of detail, the morphs, and the parts of the texture."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from generate.beacon import arms, body, coats, gear, skeleton
from generate.mesh import Mesh, Rect, join, patch, shade, spread
from generate.paint import Area
from generate.rig import Rig, frame
from viewer.arrays import Array

MANTLE = Rect(0.004, 0.004, 0.996, 0.420)
ARM = Rect(0.004, 0.430, 0.996, 0.680)
LID = Rect(0.004, 0.690, 0.200, 0.840)
GEAR = {
    "eye": Rect(0.210, 0.690, 0.510, 0.990),
    "crown": Rect(0.520, 0.690, 0.770, 0.860),
    "band": Rect(0.520, 0.870, 0.770, 0.930),
    "visor": Rect(0.520, 0.940, 0.770, 0.996),
    "glass": Rect(0.780, 0.690, 0.990, 0.860),
    "brass": Rect(0.780, 0.870, 0.990, 0.990),
}


class Detail(Struct, frozen=True):
    """Cells across a half arm and down the parts; `gear` divides the cells of the gear."""

    across: int
    head: int
    skirt: int
    arm: int
    lid: tuple[int, int]
    gear: int


DETAILS = (Detail(7, 24, 8, 32, (9, 14), 1), Detail(4, 10, 4, 15, (5, 8), 2))


def skin(rig: Rig, detail: Detail, shut: float = 0.0, smile: float = 0.0) -> Mesh:
    """Head, arms, underside and lids as one smooth mesh."""
    rows = np.concatenate((spread(detail.head, 0, body.NECK), spread(detail.skirt, body.NECK, 1)[1:]))
    around = spread(arms.ARMS * detail.across)
    mantle = patch(body.mantle_surface(smile), rows, around, MANTLE, skeleton.spine(rig), turned=True)
    parts = [mantle]
    for arm in range(arms.ARMS):
        parts += [_arm(rig, detail, arm), _sole(rig, detail, arm)]
    return shade(join([shade(join(parts)), *(shade(lid) for lid in _lids(rig, detail, shut, smile))]))


def _arm(rig: Rig, detail: Detail, arm: int) -> Mesh:
    along = spread(detail.arm) ** 0.92
    around = spread(2 * detail.across)
    return patch(arms.arm_surface(arm), around, along, ARM, skeleton.along_arm(rig, arm), turned=True)


def _sole(rig: Rig, detail: Detail, arm: int) -> Mesh:
    pale = Rect(ARM.left + 0.004, ARM.top + 0.18, ARM.left + 0.008, ARM.top + 0.20)
    return patch(
        body.sole_surface(arm),
        spread(3),
        spread(detail.across),
        pale,
        skeleton.rigid(rig, "Body"),
        turned=True,
    )


def _lids(rig: Rig, detail: Detail, shut: float, smile: float) -> list[Mesh]:
    rows, columns = spread(detail.lid[0]) ** 1.3, spread(detail.lid[1])
    lids = []
    for side, name in ((1, "R"), (-1, "L")):
        for upper, bone in ((True, f"Lid.{name}"), (False, "Head")):
            surface = body.lid_surface(side, upper, shut, smile)
            lids.append(patch(surface, rows, columns, LID, skeleton.rigid(rig, bone), turned=not upper))
    return lids


def equipment(rig: Rig, detail: Detail, shut: float = 0.0) -> Mesh:
    """Eyes, cap and lantern; every piece is smooth by itself."""
    meshes = []
    for piece in gear.pieces(_hanger(rig), shut):
        rows, columns = (
            spread(max(piece.rows // detail.gear, 3)),
            spread(max(piece.columns // detail.gear, 4)),
        )
        follows = skeleton.rigid(rig, piece.bone)
        meshes.append(shade(patch(piece.surface, rows, columns, GEAR[piece.paint], follows, piece.turned)))
    return join(meshes)


def _hanger(rig: Rig) -> Array:
    return frame(rig.bind[rig["Lantern"]][:, 3])


def areas(rig: Rig) -> list[Area]:
    """Every part of the texture with its painter."""
    shown = {piece.paint: piece.surface for piece in reversed(gear.pieces(_hanger(rig)))}
    return [
        Area(MANTLE, body.mantle_surface(), coats.mantle),
        Area(ARM, arms.straight_surface, coats.arm),
        Area(LID, body.lid_surface(1, True), coats.lid),
        *(Area(rect, shown[name], coats.GEAR[name]) for name, rect in GEAR.items()),
    ]
