"""Rules for the submeshes of M2 views: their declared numbers of bones and influences.

Source: measured on the files of the clients. In all of these files, `influences` is the largest number of
weights of a vertex in the submesh, and `bone_count` is at most the `bone_limit` of the view.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, error_found
from viewer.families.wow.rules.files import m2_files
from viewer.scene.finding import Severity

if TYPE_CHECKING:
    from viewer.families.wow.rules.model_views import ModelView


def _views(context: CheckContext) -> list[ModelView]:
    files = context.once(m2_files)
    return [] if files is None else files.views


def wide_windows(context: CheckContext) -> Iterator[Found]:
    """Report submeshes that use more bones than their view allows."""
    for view in _views(context):
        most = int(view.row["bone_limit"])
        for number, submesh in enumerate(view.view.submeshes):
            used = int(submesh["bone_count"])
            if used > most > 0:
                text = f"submesh {number} uses {used} bones; the view allows {most}"
                yield error_found(view.error(text, "submeshes", number))


def few_influences(context: CheckContext) -> Iterator[Found]:
    """Report submeshes that declare fewer influences than their vertices have."""
    files = context.once(m2_files)
    vertices = files.table("vertices") if files is not None else None
    if vertices is None or not len(vertices):
        return
    weights = np.asarray((vertices["weights"] > 0).sum(axis=1))
    for view in _views(context):
        for number, submesh in enumerate(view.view.submeshes):
            start, declared = int(submesh["vertex_start"]), int(submesh["influences"])
            rows = view.view.vertices[start : start + int(submesh["vertex_count"])]
            counts = weights[rows[rows < len(weights)]]
            off = int(np.count_nonzero(counts > declared))
            if off:
                which = f"{off} of {len(counts)} vertices have up to {int(counts.max())}"
                text = f"submesh {number} declares {declared} influences; {which}"
                yield error_found(view.error(text, "submeshes", number))


RULES = (
    Rule(
        "skeleton/view-limit",
        Severity.WARNING,
        "A submesh uses more bones than its view allows",
        wide_windows,
        {
            "WoW": "The client chooses the view by the number of bones that the graphics card supports: "
            "matrices past the limit are missing, and the vertices of these bones are drawn at wrong "
            "positions.",
        },
        "Split the submesh by bones, or raise the limit of the view.",
        "view 3: submesh 0 uses 24 bones; the view allows 21",
        after="skeleton/hitbox-far",
    ),
    Rule(
        "weights/few-influences",
        Severity.WARNING,
        "A submesh declares fewer influences than its vertices have",
        few_influences,
        {
            "WoW": (
                "The client chooses the shader by the declared number: further weights are dropped, and "
                "vertices move towards the origin."
            ),
        },
        "Set the number of influences to the largest number of weights of a vertex of the submesh.",
        "Rabbit00.skin: submesh 1 declares 1 influences; 96 of 800 vertices have up to 4",
    ),
)
