"""Build emitters from their records. The fixed ramps of versions up to 263 are converted to the ramps of
version 264.

Sources: for the meaning of the fields Deamon87 WebWowViewerCpp and rkabachenko OpenWow, which agree; for the
flags MDX section PRE2. The rest is measured on 1 586 emitters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from viewer.arrays import Array
from viewer.binary.cursor import Dtype
from viewer.binary.tables import RecordTables
from viewer.budget import BUDGET
from viewer.families.wow.m2.effects.curves import Stretches, TableCurves
from viewer.families.wow.m2.effects.extras import parameters_of, triple
from viewer.families.wow.m2.effects.named_models import EmitterModels
from viewer.families.wow.m2.layout.fields import FIRST_CATACLYSM, HALF, I16, U16, vector
from viewer.families.wow.m2.layout.particles import PARTICLE
from viewer.families.wow.m2.mesh.materials import ALPHA_KEY, BLEND_MODES, FAINTEST, KEY
from viewer.scene.emitter import Emitter, Phases, Ramp

EMITTERS = {1: "plane", 2: "sphere", 3: "spline", 4: "bone"}
PARTICLE_FLAGS = {
    0x1: "unlit",
    0x2: "sorted",
    0x4: "line",
    0x8: "no fog",
    0x10: "model space",
    0x20: "inherits scale",
    0x40: "burst",
    0x80: "dies in the middle",
    0x100: "up only",
    0x200: "tumbles",
    0x400: "tail grows",
    0x800: "along the path",
    0x1000: "flat",
    0x2000: "on the ground",
    0x4000: "follows",
    0x8000: "one cell of the emitter",
    0x10000: "one cell of the particle",
    0x20000: "head",
    0x40000: "tail",
    0x80000: "uneven size",
}
"""The bits of an emitter's flags. Source: MDX section PRE2, Deamon87 WebWowViewerCpp."""
PACKED_GRAVITY, MULTI_TEXTURE = 0x800000, 0x10000000
TEXTURE_BITS = 0x1F
REPLACED_COLORS = (11, 12, 13)
HEAD, TAIL, BOTH = 0, 1, 2
CHANNEL = 255.0
NONE = (0.0, 0.0)


def emitters_of(
    records: RecordTables, stretches: Stretches, models: Sequence[EmitterModels] = ()
) -> tuple[Emitter, ...]:
    """Return the particle emitters, in file order. `models` are the models that each emitter names.
    Impossible numbers are reported.
    """
    rows = records.tables["particles"]
    parameters = parameters_of(records, PARTICLE, rows)
    curves = TableCurves(records, PARTICLE, "particles", stretches)
    if len(rows) > BUDGET.emitters:
        records.report.warn(f"only the first {BUDGET.emitters} of {len(rows)} emitters are drawn")
    faults = [_faults(records, row) for row in rows]
    for number, found in enumerate(faults):
        for text in found:
            records.report.warn(f"emitter {number}: {text}")
    return tuple(
        Emitter(
            bone=int(row["bone"]),
            position=triple(row["position"]),
            parameters=parameters[number],
            curves=curves.row(number),
            shape=models[number][0] if number < len(models) else None,
            carries=models[number][1] if number < len(models) else None,
            spline=records.items(row["spline"], vector(3))[: BUDGET.spline_points].astype(np.float64),
            troubles=(*faults[number], *_notes(records, row)),
            color_slot=_color_slot(row),
            **_kind(records, row),
            **_motion(row),
            **(_ramps(records, row) if records.generation.nested else _fixed_ramps(row)),
        )
        for number, row in enumerate(rows)
    )


def _kind(records: RecordTables, row: Any) -> dict[str, Any]:
    """The emitter's fields of type, texture, blending and flags."""
    flags, blend = int(row["flags"]), int(row["blend"])
    names = tuple(name for bit, name in PARTICLE_FLAGS.items() if flags & bit)
    several = _several(records, row)
    head, tail = int(row["head_or_tail"]) != TAIL, int(row["head_or_tail"]) in (TAIL, BOTH)
    if records.generation.nested:
        head, tail = "head" in names, "tail" in names
    return {
        "type": EMITTERS.get(int(row["type"]), f"type {int(row['type'])}"),
        "texture": int(row["texture"]) & TEXTURE_BITS if several else int(row["texture"]),
        "blend": blend,
        "flags": names,
        "blending": BLEND_MODES[blend] if blend < len(BLEND_MODES) else "alpha",
        "alpha_mask": KEY if blend == ALPHA_KEY else FAINTEST if blend else 0.0,
        "depth_write": blend <= ALPHA_KEY,
        "priority": int(row["priority"]),
        "rows": max(int(row["rows"]), 1),
        "columns": max(int(row["columns"]), 1),
        "head": head,
        "tail": tail,
    }


def _motion(row: Any) -> dict[str, Any]:
    """The constant fields of the emitter's motion. A number that exists only since version 264 is 0 in
    earlier versions.
    """
    names = row.dtype.names
    nested = "scale_variation" in names

    def number(name: str) -> float:
        return float(row[name]) if name in names else 0.0

    tumble, follow = row["tumble"].tolist(), row["follow"].tolist()
    return {
        "lifespan_variation": number("lifespan_variation"),
        "rate_variation": number("rate_variation"),
        "scale_variation": tuple(row["scale_variation"].tolist()) if nested else NONE,
        "tail_length": number("tail_length"),
        "twinkle": (number("twinkle_speed"), number("twinkle_share"), *row["twinkle_scale"].tolist()),
        "burst": number("burst"),
        "drag": number("drag"),
        "base_spin": (number("base_spin"), number("base_spin_variation")),
        "spin": (number("spin"), number("spin_variation")),
        "spins_by_life": not nested,
        "tumble": (tuple(tumble[:3]), tuple(tumble[3:])),
        "wind": triple(row["wind"]),
        "wind_time": number("wind_time"),
        "follow": (tuple(follow[:2]), tuple(follow[2:])),
    }


def _fixed_ramps(row: Any) -> dict[str, Any]:
    """The ramps up to version 263: the record has three colours, three sizes and two phases of cells."""
    middle = float(np.clip(np.nan_to_num(row["middle"]), 0, 1))
    thirds, ends = np.array((0.0, middle, 1.0)), np.array((0.0, middle, middle, 1.0))
    words = row["colors"].astype(np.uint32)
    colors = np.stack([words >> shift & 0xFF for shift in (16, 8, 0)], axis=-1) / CHANNEL
    head, tail = row["head_cells"].astype(np.float64), row["tail_cells"].astype(np.float64)
    return {
        "colors": Ramp(thirds, colors),
        "alphas": Ramp(thirds, (words >> 24)[:, None] / CHANNEL),
        "scales": Ramp(thirds, np.repeat(row["scales"].astype(np.float64)[:, None], 2, axis=1)),
        "head_cells": Ramp(ends, head[[0, 1, 3, 4]][:, None]),
        "tail_cells": Ramp(ends, tail[:, None]),
        "phases": Phases(middle, max(int(head[2]), 1), max(int(head[5]), 1)),
    }


def _ramps(records: RecordTables, row: Any) -> dict[str, Any]:
    """The ramps since version 264: each ramp is a list of keys over the particle's life."""
    return {
        "colors": _ramp(records, row["color_ramp"], vector(3), CHANNEL),
        "alphas": _ramp(records, row["alpha_ramp"], I16, HALF),
        "scales": _ramp(records, row["scale_ramp"], vector(2), 1.0),
        "head_cells": _ramp(records, row["head_cell_ramp"], U16, 1.0),
        "tail_cells": _ramp(records, row["tail_cell_ramp"], U16, 1.0),
    }


def _ramp(records: RecordTables, reference: Any, dtype: Dtype, whole: float) -> Ramp:
    times, values = records.items(reference["times"], I16), records.items(reference["values"], dtype)
    count = min(len(times), len(values), BUDGET.ramp_keys)
    ascending: Array = np.maximum.accumulate(times[:count].astype(np.float64) / HALF)
    return Ramp(ascending, values[:count].astype(np.float64).reshape(count, *(dtype.shape or (1,))) / whole)


def _color_slot(row: Any) -> int | None:
    """The number (0 to 2) of the particle colours that replace the emitter's colours; these particle colours
    are in the game's table. None if the emitter keeps its own colours.
    """
    index = int(row["color_index"]) if "color_index" in row.dtype.names else 0
    return REPLACED_COLORS.index(index) if index in REPLACED_COLORS else None


def _several(records: RecordTables, row: Any) -> bool:
    """Whether the texture field consists of three texture numbers of five bits."""
    return records.generation.version >= FIRST_CATACLYSM and bool(int(row["flags"]) & MULTI_TEXTURE)


def _faults(records: RecordTables, row: Any) -> list[str]:
    """List the faults of an emitter's constant numbers."""
    names, texture, bone = row.dtype.names, int(row["texture"]), int(row["bone"])
    floats = np.concatenate([np.ravel(row[name]) for name in names if row[name].dtype.base.kind == "f"])
    found = {
        f"texture {texture} does not exist": texture >= len(records.tables["textures"])
        and not _several(records, row),
        f"bone {bone} does not exist": bone >= len(records.tables["bones"]),
        "numbers that are not finite are read as 0": not np.isfinite(floats).all(),
    }
    return [text for text, holds in found.items() if holds]


def _notes(records: RecordTables, row: Any) -> list[str]:
    """List how the drawing of an emitter differs from the fields of its record."""
    packed = records.generation.version >= FIRST_CATACLYSM and int(row["flags"]) & PACKED_GRAVITY
    found = {
        "rows or columns of 0 are read as 1": int(row["rows"]) * int(row["columns"]) == 0,
        "only the first of several textures is drawn": _several(records, row),
        "a table of the game may replace its colours for each creature": _color_slot(row) is not None,
        "the direction of gravity is ignored: gravity points down": bool(packed),
    }
    return [text for text, holds in found.items() if holds]
