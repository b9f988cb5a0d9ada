"""Rules for row numbers: fields of a WoW model that refer to rows of its tables.

Source: wowdev.wiki M2; measured on clients' files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from viewer.budget import BUDGET
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, listed
from viewer.errors import counted
from viewer.families.wow.m2.layout.fields import U16
from viewer.families.wow.rules.files import m2_files
from viewer.scene.finding import Severity

if TYPE_CHECKING:
    from viewer.families.wow.rules.files import M2Files

NUMBERS = (
    ("sequence_lookup", "", "sequences"),
    ("key_bone_lookup", "", "bones"),
    ("replaceable_lookup", "", "textures"),
    ("bone_combos", "", "bones"),
    ("texture_lookup", "", "textures"),
    ("transparency_lookup", "", "transparency"),
    ("transform_lookup", "", "transforms"),
    ("attachment_lookup", "", "attachments"),
    ("camera_lookup", "", "cameras"),
    ("sequences", "next_variation", "sequences"),
    ("bones", "parent", "bones"),
    ("attachments", "bone", "bones"),
    ("events", "bone", "bones"),
    ("lights", "bone", "bones"),
    ("ribbons", "bone", "bones"),
    ("ribbons", "textures", "textures"),
    ("ribbons", "materials", "materials"),
    ("particles", "bone", "bones"),
    ("particles", "texture", "textures"),
)
"""Each entry is a table, a field of its rows (empty if the rows are plain numbers), and the table to which
the field refers. A field may be a list of numbers.
"""
PACKED_TEXTURES = 265
"""From this version on, an emitter may pack three texture numbers into one."""
NAMED = (
    ("key_bone_lookup", "bones", "key_bone"),
    ("attachment_lookup", "attachments", "id"),
    ("camera_lookup", "cameras", "type"),
)
"""Each entry has three parts: a lookup; the table to which the lookup refers; and a field of that table,
which has the index of the lookup entry.
"""
SHOWN = 8
"""The largest number of wrong row numbers that are collected for the text of a finding."""


def row_numbers(context: CheckContext) -> Iterator[Found]:
    """Report row numbers that refer to no row. A number with all bits set means no row, and is not
    reported.
    """
    files = context.once(m2_files)
    if files is None or files.only:
        return
    for table, field, target in NUMBERS:
        rows = files.table(table)
        packed = field == "texture" and files.records.generation.version >= PACKED_TEXTURES
        if packed or not len(rows):
            continue
        stored = rows[field] if field else rows
        owners = np.arange(len(rows))
        if stored.dtype.names:
            lists = [files.records.items(each, U16)[: BUDGET.ribbon_layers] for each in stored]
            owners, stored = np.repeat(owners, [len(each) for each in lists]), np.concatenate(lists)
        none = stored.dtype.type(-1 if stored.dtype.kind == "i" else np.iinfo(stored.dtype).max)
        count = len(files.table(target))
        bad = np.flatnonzero((stored != none) & ((stored >= count) | (stored < 0)))
        if len(bad):
            names = [str(stored[row]) for row in bad[:SHOWN].tolist()] + [""] * (len(bad) - SHOWN)
            what = "1 entry leads" if len(bad) == 1 else f"{len(bad)} entries lead"
            height = counted(count, "row")
            text = f"{f'{table}.{field}'.strip('.')}: {what} outside {target} ({height}): {listed(names)}"
            yield finding_at(files, text, table, int(owners[bad[0]]), field)


def finding_at(files: M2Files, text: str, table: str, row: int, field: str = "") -> Found:
    """Make a finding at a row of a table, or at one of its fields."""
    file, offset = files.place(table, row, field)
    return Found(text, file=file, offset=offset)


def lookups(context: CheckContext) -> Iterator[Found]:
    """Report lookups whose entries lead to the wrong row."""
    files = context.once(m2_files)
    if files is None or files.only:
        return
    for lookup, table, field in NAMED:
        wanted, rows = files.table(lookup), files.table(table)
        known = np.flatnonzero((wanted >= 0) & (wanted < len(rows)))
        wrong = known[rows[field][wanted[known]] != known] if len(rows) else known[:0]
        if len(wrong):
            first = int(wrong[0])
            row = int(wanted[first])
            more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            text = (
                f"{lookup}[{first}] leads to row {row} of {table}, whose {field} is {rows[field][row]}{more}"
            )
            yield finding_at(files, text, lookup, first)


RULES = (
    Rule(
        "m2/number",
        Severity.ERROR,
        "A row number refers to a row that does not exist",
        row_numbers,
        {"WoW": "The client reads unrelated memory past the table, or stops."},
        "Export the model again, or set the row number to -1 if the field may be empty.",
        "texture_lookup: 1 entry leads outside textures (4 rows): 9",
    ),
    Rule(
        "m2/lookup",
        Severity.WARNING,
        "A lookup leads to the wrong row",
        lookups,
        {"WoW": "The client takes the wrong bone, attachment or camera."},
        "Export the model again, so that its lookups are built again.",
        "attachment_lookup[11] leads to row 2 of attachments, whose id is 17",
    ),
)
