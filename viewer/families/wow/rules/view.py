"""Rules that compare the views of a WoW model with the model.

Measured on 1 709 models: all numbers in views lie inside the tables, and the bone windows lead to the bones
of the vertices.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, error_found
from viewer.families.wow.rules.files import m2_files
from viewer.scene.finding import Severity

if TYPE_CHECKING:
    from viewer.families.wow.rules.files import M2Files
    from viewer.families.wow.rules.model_views import ModelView

BYTE_BONES = 256
"""The number of bones that the bytes of a vertex can distinguish. In a model with more bones only the bone
windows of submeshes are right.
"""
SIGNED_NONE = 0xFFFF


def misfits(context: CheckContext) -> Iterator[Found]:
    """Report row numbers in a view that lie outside the tables of the view or the tables of the model."""
    files = context.once(m2_files)
    for view in files.views if files is not None else ():
        assert files is not None
        for text, table, row in (*_vertices(files, view), *_submeshes(files, view), *_batches(files, view)):
            yield error_found(view.error(text, table, row))


Misfit = tuple[str, str, int]


def _vertices(files: M2Files, view: ModelView) -> Iterator[Misfit]:
    """Yield two errors: at the first vertex of the view that the model lacks, and at the first index whose
    vertex the view lacks.
    """
    numbers, known = view.view.vertices, len(files.table("vertices"))
    lost = np.flatnonzero(numbers >= known)
    if len(lost):
        yield (
            f"{len(lost)} of {len(numbers)} vertices are not in the model, which has {known} vertices",
            "vertices",
            int(lost[0]),
        )
    lost = np.flatnonzero(view.view.indices >= len(numbers))
    if len(lost):
        text = f"{len(lost)} indices are not among the {len(numbers)} vertices of the view"
        yield text, "indices", int(lost[0])
    if len(view.view.joints) != len(numbers):
        yield f"{len(numbers)} vertices have {len(view.view.joints)} rows of bones", "joints", 0


def _submeshes(files: M2Files, view: ModelView) -> Iterator[Misfit]:
    """Yield the first submesh whose vertices, indices or bones lie outside their table."""
    rows = view.view.submeshes
    starts = rows["index_start"].astype(np.int64) + (rows["level"].astype(np.int64) << 16)
    windows = {
        "vertices": (rows["vertex_start"], rows["vertex_count"], len(view.view.vertices), "of the view"),
        "indices": (starts, rows["index_count"], len(view.view.indices), "of the view"),
        "bones": (rows["bone_start"], rows["bone_count"], len(files.table("bone_combos")), "bone_combos"),
    }
    for what, (begins, counts, size, of) in windows.items():
        yield from _outside(
            begins, counts, size, f"{what} {{}} to {{}} of submesh {{}}: {size} {of}", "submeshes"
        )


def _outside(begins: Array, counts: Array, size: int, text: str, table: str) -> Iterator[Misfit]:
    """Yield the first range [begin, begin + count) that ends outside a table of `size` rows."""
    ends = begins.astype(np.int64) + counts
    bad = np.flatnonzero((ends > size) & (counts > 0))
    if len(bad):
        row = int(bad[0])
        more = f", and {len(bad) - 1} more" if len(bad) > 1 else ""
        yield f"{text.format(begins[row], ends[row], row)}{more}", table, row


def _batches(files: M2Files, view: ModelView) -> Iterator[Misfit]:
    """Yield, for each column, the first batch in which the number refers to a row that does not exist."""
    rows: Any = view.view.batches
    single = np.ones(len(rows), np.int64)
    textures = rows["texture_count"].astype(np.int64)
    colors = rows["color"].astype(np.int64)
    weighted = np.where(rows["transparency"] == SIGNED_NONE, 0, single)
    columns = {
        "submesh": (single, len(view.view.submeshes), "submeshes"),
        "material": (single, len(files.table("materials")), "materials"),
        "color": (np.where(colors < 0, 0, single), len(files.table("colors")), "colors"),
        "texture": (textures, len(files.table("texture_lookup")), "entries of texture_lookup"),
        "transparency": (weighted, len(files.table("transparency_lookup")), "entries of transparency_lookup"),
    }
    for name, (counts, size, of) in columns.items():
        text = f"{name} {{}} to {{}} of batch {{}}: there are {size} {of}"
        yield from _outside(rows[name].astype(np.int64), counts, size, text, "batches")


def other_bones(context: CheckContext) -> Iterator[Found]:
    """Report views in which the influences of a vertex lead to other bones than in the model."""
    files = context.once(m2_files)
    if files is None or not 0 < len(files.table("bones")) <= BYTE_BONES:
        return
    for view in files.views:
        wrong, all_of = _differing(files, view)
        if len(wrong):
            share = f"{len(wrong)} of {all_of} influences"
            text = f"{share} lead to other bones than those of the model's vertices"
            yield error_found(view.error(text, "joints", int(wrong[0])))


def _differing(files: M2Files, view: ModelView) -> tuple[Array, int]:
    """Compare the bones of a view's vertices with the bones of the same vertices in the model. Return the row
    in `joints` of each influence with a different bone, and the number of compared influences.
    """
    stored, combos = files.table("vertices"), files.table("bone_combos").astype(np.int64)
    inside = view.view
    starts = np.full(len(inside.vertices), -1, np.int64)
    for row in inside.submeshes:
        begin = int(row["vertex_start"])
        starts[begin : begin + int(row["vertex_count"])] = int(row["bone_start"])
    rows = np.arange(min(len(inside.joints), len(inside.vertices)))
    rows = rows[(starts[rows] >= 0) & (inside.vertices[rows] < len(stored))]
    vertices = stored[inside.vertices[rows]]
    entries = starts[rows, None] + inside.joints[rows]
    used = vertices["weights"] > 0
    found = np.append(combos, -1)[np.minimum(entries, len(combos))]
    differs = used & (found != vertices["bones"])
    return np.repeat(rows, differs.sum(axis=1)), int(used.sum())


RULES = (
    Rule(
        "m2/view",
        Severity.ERROR,
        "A view does not fit its model",
        misfits,
        {"WoW": "The client reads unrelated memory, draws torn triangles, or stops."},
        "Take the .skin that was exported with this model.",
        "Rabbit00.skin: 12 of 300 vertices are not in the model, which has 154 vertices",
    ),
    Rule(
        "m2/view-bones",
        Severity.WARNING,
        "A view binds its vertices to other bones than the model",
        other_bones,
        {"WoW": "The client uses the bones of the view: if they belong to another model, the mesh tears."},
        "Take the .skin that was exported with this model.",
        "Rabbit00.skin: 120 of 300 influences lead to other bones than those of the model's vertices",
    ),
)
