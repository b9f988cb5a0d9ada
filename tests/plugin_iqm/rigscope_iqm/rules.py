"""Rules of `check` for Inter-Quake Models.

Source: `Mod_INTERQUAKEMODEL_Load` of DarkPlaces and its kin, and `makeneighbors` of the development kit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rigscope_iqm.layout import ADJACENCY, NO_TRIANGLE
from viewer.plugin import BoneItem, CheckContext, Found, Rows, Rule, Severity, counted, listed

FORMAT = "IQM model"
MOST_ITEMS = 100


def joint_order(context: CheckContext) -> Iterator[Found]:
    """Report joints that come before their parents."""
    skeleton = context.skeleton
    if context.document.format != FORMAT or skeleton is None:
        return
    early = np.flatnonzero(skeleton.parents > np.arange(len(skeleton))).tolist()
    if early:
        names = listed([skeleton.names[bone] or f"#{bone}" for bone in early])
        text = f"{counted(len(early), 'joint')} before the parent: {names}"
        yield Found(text, tuple(BoneItem(bone) for bone in early[:MOST_ITEMS]))


def adjacency(context: CheckContext) -> Iterator[Found]:
    """Report neighbours of triangles that do not exist, or that do not have the triangle as a neighbour."""
    span = context.document.root.part(ADJACENCY) if context.document.format == FORMAT else None
    if span is None or not isinstance(span.children, Rows):  # a cut table has no rows
        return
    stored = span.children.items["triangles"]
    missing = (stored >= len(stored)) & (stored != NO_TRIANGLE)
    known = stored < len(stored)
    back = stored[np.where(known, stored, 0)]
    one_way = known & ~(back == np.arange(len(stored))[:, None, None]).any(axis=2)
    for odd, what in (
        (missing, "a neighbour that does not exist"),
        (one_way, "a neighbour in only one direction"),
    ):
        rows = np.flatnonzero(odd.any(axis=1))
        if len(rows):
            first = int(rows[0])
            neighbour = int(stored[first][odd[first]][0])
            text = f"{len(rows)} of {counted(len(stored), 'triangle')} have {what}"
            yield Found(f"{text} (first #{first}: {neighbour})", span=span.children[first])


def rules() -> tuple[Rule, ...]:
    """Return the rules of the family."""
    return (
        Rule(
            "iqm/joint-order",
            Severity.ERROR,
            "A joint comes before its parent",
            joint_order,
            {
                "IQM": "Engines compute the joints in file order. DarkPlaces and its kin refuse the file; "
                "others use a parent that is not computed yet, and the vertices of the joint fly apart."
            },
            "Export the model again with a newer exporter, which writes parents before their children.",
            "2 joints before the parent: Hand.L, Hand.R",
            after="skeleton/several-roots",
        ),
        Rule(
            "iqm/adjacency",
            Severity.WARNING,
            "The neighbours of triangles are wrong",
            adjacency,
            {
                "IQM": "The edges of shadow volumes and outlines are wrong there. A neighbour that does not "
                "exist makes an engine read other data, or stop."
            },
            "Compile the model again, because the compiler computes the neighbours anew.",
            "3 of 5820 triangles have a neighbour in only one direction (first #12: 13)",
            after="mesh/duplicate-triangle",
        ),
    )
