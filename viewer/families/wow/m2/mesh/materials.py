"""Build materials from batches: blend modes, flags, layers, texture coordinates, texture combiners.

Source: wowdev.wiki M2 and M2/.skin; wowserhq for the alpha of an opaque material.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from viewer.arrays import Array
from viewer.binary.tables import RecordTables
from viewer.errors import Report, counted
from viewer.families.wow.m2.clips.tracks import TrackColumns
from viewer.families.wow.m2.effects.curves import Stretches
from viewer.families.wow.m2.effects.motion import BatchTracks, motion_of
from viewer.families.wow.m2.layout.fields import FIRST_CATACLYSM
from viewer.families.wow.m2.mesh.textures import textures_of
from viewer.families.wow.m2.model_files import ModelFiles
from viewer.scene.material import COMBINES, Appearance, ClipTime, Material, MaterialSet, Texture, TextureStage
from viewer.scene.names import file_name

UNLIT, TWO_SIDED, NO_DEPTH_TEST, NO_DEPTH_WRITE = 1, 4, 8, 16
KEY, FAINTEST = 128 / 255, 1 / 255
FULL_WEIGHT = 0x40
"""Batch flag: the texture weight does not change the alpha."""
SPHERE = -1
NEVER_DRAWN = 0x8000
"""Bit of a shader number: the batch is not drawn. Since version 265 the other bits are then a row number of a
table in the client.
"""
BLEND_MODES = (
    "replace",
    "replace",
    "alpha",
    "add",
    "addalpha",
    "multiply",
    "dst_color src_color",
    "premulalpha",
)
"""Blends by blend mode. Mode 1 is opaque like mode 0, but with an alpha test."""
OPAQUE, ALPHA_KEY = 0, 1
MIDDLE_ORDER = 128
"""Render order of priority plane 0."""
NOTHING = -1
UNITS = ("diffuse", "second")


class BatchMaterials(NamedTuple):
    """A material set, and for each group of batches the numbers of its materials."""

    material_set: MaterialSet
    groups: list[tuple[int, ...]]


class MaterialTracks(NamedTuple):
    """A batch's appearance at time 0, and its motion (None if the batch never changes)."""

    now: Appearance
    motion: BatchTracks | None


ReadTracks = Callable[[int, int, int, int], MaterialTracks]
"""Reads the tracks of a batch by row numbers: colour, texture weight, first and second texture transform."""


class TextureStages(NamedTuple):
    """The textures of a batch by unit. The first and the second unit also have a coordinate set and a
    transform number.
    """

    units: dict[str, int]
    sets: list[int]
    transforms: list[int]


def read_materials(
    files: ModelFiles,
    records: RecordTables,
    groups: Sequence[Sequence[Any]],
    stretches: Stretches,
) -> BatchMaterials:
    """Read the textures, and make a material for each drawn batch. A group of `groups` holds the batches of
    one geometry, lowest layer first.
    """
    textures = textures_of(files, records)
    many = sum(int(batch["texture_count"]) > len(UNITS) for group in groups for batch in group)
    if many:
        have = "1 batch has" if many == 1 else f"{many} batches have"
        files.report.note(f"{have} more than two textures: only the first two are shown")
    tracks_of: ReadTracks = cache(partial(_material_tracks, TrackColumns(records), stretches))
    materials: list[Material] = []
    numbers = []
    for drawn in drawn_batches(groups, records.generation.version, files.report):
        numbers.append(tuple(range(len(materials), len(materials) + len(drawn))))
        made = (material_of(records, batch, textures, tracks_of) for batch in drawn)
        materials += [replace(material, found=str(files.path)) for material in made]
    firsts = tuple(own[0] if own else None for own in numbers)
    return BatchMaterials(MaterialSet(tuple(materials), textures, firsts), numbers)


def drawn_batches(groups: Sequence[Sequence[Any]], version: int, report: Report) -> Sequence[Sequence[Any]]:
    """Return the batches of each group that are drawn. If all batches of a group have the bit `NEVER_DRAWN`,
    the first batch is kept and a note is reported: converted models have the bit on batches that are meant to
    be seen.
    """
    if version >= FIRST_CATACLYSM:
        return groups
    kept = [[batch for batch in group if not int(batch["shader"]) & NEVER_DRAWN] for group in groups]
    hidden = sum(bool(group) and not left for group, left in zip(groups, kept, strict=True))
    if hidden:
        text = f"every batch of {counted(hidden, 'geometry', 'geometries')} has the shader bit 0x8000, which"
        report.note(f"{text} hides a batch: the first batch is drawn")
    return [left or group[:1] for group, left in zip(groups, kept, strict=True)]


def material_of(
    records: RecordTables, batch: Any, textures: Sequence[Texture], tracks_of: ReadTracks
) -> Material:
    """Return the material of a batch. Numbers of missing rows are ignored."""
    flags, blend = _flags(records, int(batch["material"]))
    stages = _stages(records, batch, len(textures))
    combines = _combines(records, int(batch["shader"]), blend)
    weight = _looked_up(records, "transparency_lookup", int(batch["transparency"]), NOTHING)
    weight = NOTHING if int(batch["flags"]) & FULL_WEIGHT else weight
    now, motion = tracks_of(int(batch["color"]), weight, *stages.transforms)
    mode = BLEND_MODES[blend] if blend < len(BLEND_MODES) else "alpha"
    fades = mode == "replace" and now.diffuse[3] < 1 and motion is None
    return Material(
        name=_name(textures, stages.units),
        units=stages.units,
        diffuse=now.diffuse,
        blend="alpha" if fades else mode,
        alpha_mask=None if blend == OPAQUE else KEY if blend == ALPHA_KEY else FAINTEST,
        cull="none" if flags & TWO_SIDED else "back",
        unlit=bool(flags & UNLIT),
        depth_test=not flags & NO_DEPTH_TEST,
        depth_write=not flags & NO_DEPTH_WRITE,
        render_order=MIDDLE_ORDER + int(batch["priority"]),
        u_offset=now.u_offset,
        v_offset=now.v_offset,
        uv_set=max(stages.sets[0], 0),
        motion=motion,
        opaque_texture=combines[0] == "opaque" and blend != ALPHA_KEY,
        sphere=stages.sets[0] == SPHERE,
        second=_second(stages, combines[1], now),
        layer=int(batch["layer"]),
    )


def _material_tracks(
    columns: TrackColumns, stretches: Stretches, color: int, weight: int, first: int, second: int
) -> MaterialTracks:
    motion = motion_of(columns, color, weight, (first, second), stretches)
    return MaterialTracks(motion(ClipTime(0.0)), None if motion.still else motion)


def _stages(records: RecordTables, batch: Any, textures: int) -> TextureStages:
    def each(table: str, index: str, absent: int) -> list[int]:
        return [_looked_up(records, table, int(batch[index]) + stage, absent) for stage in (0, 1)]

    named = each("texture_lookup", "texture", NOTHING)[: int(batch["texture_count"])]
    found = zip(UNITS, named, strict=False)
    units = {unit: number for unit, number in found if 0 <= number < textures}
    transforms = each("transform_lookup", "transform", NOTHING)
    if "second" not in units:
        transforms[1] = NOTHING
    return TextureStages(units, each("uv_lookup", "uv", 0), transforms)


def _second(stages: TextureStages, combine: str, now: Appearance) -> TextureStage | None:
    if "second" not in stages.units:
        return None
    coordinates = stages.sets[1]
    return TextureStage(combine, max(coordinates, 0), coordinates == SPHERE, now.second_u, now.second_v)


def _name(textures: Sequence[Texture], units: dict[str, int]) -> str:
    """The material's name, taken from its texture because the file does not name materials."""
    if "diffuse" not in units:
        return "no texture"
    return file_name(textures[units["diffuse"]].name).partition(".")[0]


def _flags(records: RecordTables, number: int) -> tuple[int, int]:
    """Flags and blend mode of a material row; 0 and 0 (opaque) if the row does not exist."""
    rows = records.tables["materials"]
    return (int(rows[number]["flags"]), int(rows[number]["blend"])) if number < len(rows) else (0, 0)


def _looked_up(records: RecordTables, table: str, index: int, absent: int) -> int:
    row: Array = records.tables[table]
    return int(row[index].astype(np.int16)) if 0 <= index < len(row) else absent


def _combines(records: RecordTables, shader: int, blend: int) -> tuple[str, str]:
    """The texture combination modes of a batch, from the model's `combiners`, or from the blend mode if there
    are no combiners.
    """
    listed = records.tables.get("combiners", np.empty(0, np.uint16))
    found = [int(each) for each in listed[shader : shader + 2]] if shader < len(listed) else []
    usual = "opaque" if blend == OPAQUE else "mod"
    names = [COMBINES[each] if each < len(COMBINES) else "mod" for each in found]
    return names[0] if names else usual, names[1] if len(names) > 1 else "mod"
