"""Build ribbons and their materials from ribbon records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

from viewer.binary.tables import RecordTables
from viewer.budget import BUDGET
from viewer.families.wow.m2.clips.tracks import TrackColumns
from viewer.families.wow.m2.effects.curves import Stretches, TableCurves
from viewer.families.wow.m2.effects.extras import parameters_of, triple
from viewer.families.wow.m2.effects.motion import transform_of
from viewer.families.wow.m2.layout.fields import U16
from viewer.families.wow.m2.layout.particles import RIBBON
from viewer.families.wow.m2.mesh.materials import (
    ALPHA_KEY,
    BLEND_MODES,
    FAINTEST,
    KEY,
    NO_DEPTH_TEST,
    NO_DEPTH_WRITE,
    OPAQUE,
    UNLIT,
)
from viewer.scene.emitter import Ribbon
from viewer.scene.material import Material, Texture
from viewer.scene.names import file_name

NUMBERS = ("edges_per_second", "edge_lifetime", "gravity")
TRANSFORMED = 0x20000
"""Header flag of a model whose ribbons have texture transforms. Source: Deamon87 WebWowViewerCpp."""
NO_TRANSFORM = -1


def ribbons_of(
    path: PurePath, records: RecordTables, textures: Sequence[Texture], stretches: Stretches
) -> tuple[Ribbon, ...]:
    """Return the ribbons, in file order. Impossible numbers are listed in their `troubles`."""
    rows = records.tables["ribbons"]
    parameters = parameters_of(records, RIBBON, rows)
    curves = TableCurves(records, RIBBON, "ribbons", stretches)
    columns = TrackColumns(records)
    made = []
    for number, row in enumerate(rows):
        pictures = records.items(row["textures"], U16)[: BUDGET.ribbon_layers].tolist()
        materials = records.items(row["materials"], U16)[: BUDGET.ribbon_layers].tolist()
        made.append(
            Ribbon(
                bone=int(row["bone"]),
                position=triple(row["position"]),
                textures=tuple(pictures),
                materials=tuple(materials),
                parameters=parameters[number],
                curves=curves.row(number),
                layers=tuple(
                    _material(path, records, textures, picture, _matching(materials, layer))
                    for layer, picture in enumerate(pictures)
                ),
                rate=float(row["edges_per_second"]),
                lifetime=float(row["edge_lifetime"]),
                gravity=float(row["gravity"]),
                rows=max(int(row["rows"]), 1),
                columns=max(int(row["columns"]), 1),
                priority=int(row["priority"]) if "priority" in row.dtype.names else 0,
                texture_transform=transform_of(columns, _transform(records, row), stretches),
                troubles=_troubles(records, row, pictures, materials),
            )
        )
    return tuple(made)


def _matching(materials: Sequence[int], layer: int) -> int | None:
    """The number of a layer's material. If the ribbon has fewer materials than layers, the last material is
    used for all further layers. None if the ribbon has no materials.
    """
    return materials[min(layer, len(materials) - 1)] if materials else None


def _material(
    path: PurePath, records: RecordTables, textures: Sequence[Texture], picture: int, number: int | None
) -> Material:
    """The material of one layer. The material is two-sided, and the colours of the edges tint it. A layer
    without a material record is unlit and opaque.
    """
    rows = records.tables["materials"]
    flags, blend = UNLIT, OPAQUE
    if number is not None and number < len(rows):
        flags, blend = int(rows[number]["flags"]), int(rows[number]["blend"])
    known = picture < len(textures)
    name = file_name(textures[picture].name) if known else ""
    return Material(
        name=name.partition(".")[0] or "no texture",
        found=str(path),
        units={"diffuse": picture} if known else {},
        blend=BLEND_MODES[blend] if blend < len(BLEND_MODES) else "alpha",
        alpha_mask=None if blend == OPAQUE else KEY if blend == ALPHA_KEY else FAINTEST,
        cull="none",
        unlit=bool(flags & UNLIT),
        vertex_color=True,
        depth_test=not flags & NO_DEPTH_TEST,
        depth_write=blend <= ALPHA_KEY and not flags & NO_DEPTH_WRITE,
    )


def _transform(records: RecordTables, row: Any) -> int:
    """The number of the ribbon's texture transform, or -1 if it has none. If the ribbon's entry in the lookup
    does not exist, the number is past the last transform.
    """
    if "transform_index" not in row.dtype.names or not int(records.header["flags"]) & TRANSFORMED:
        return NO_TRANSFORM
    lookup, index = records.tables["transform_lookup"], int(row["transform_index"])
    if index >= len(lookup):
        return len(records.tables["transforms"])
    return int(lookup[index].astype(np.int16)) if index >= 0 else NO_TRANSFORM


def _troubles(
    records: RecordTables, row: Any, pictures: Sequence[int], materials: Sequence[int]
) -> tuple[str, ...]:
    """List the faults of a ribbon's constant numbers and of its textures and materials."""
    numbers = np.array([*row["position"].tolist(), *(float(row[name]) for name in NUMBERS)])
    missing = [each for each in pictures if each >= len(records.tables["textures"])]
    found = {
        f"bone {int(row['bone'])} does not exist": int(row["bone"]) >= len(records.tables["bones"]),
        f"texture {max(missing, default=0)} does not exist": bool(missing),
        "its texture transform does not exist": _transform(records, row) >= len(records.tables["transforms"]),
        "the ribbon has no texture": not pictures,
        "the ribbon has no material": not materials,
        "rows or columns of 0 are read as 1": int(row["rows"]) * int(row["columns"]) == 0,
        "numbers that are not finite are read as 0": not np.isfinite(numbers).all(),
    }
    return tuple(text for text, holds in found.items() if holds)
