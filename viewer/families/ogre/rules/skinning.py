"""The rule for submeshes without bone assignments in OGRE meshes with a skeleton."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, unskinned
from viewer.scene.finding import Severity


def no_assignments(context: CheckContext) -> Iterator[Found]:
    """Report submeshes without bone assignments in a mesh with a skeleton."""
    if context.family in ("OGRE", "OGRE-Next"):
        yield from unskinned(context)


RULES = (
    Rule(
        "weights/unassigned",
        Severity.NOTE,
        "A submesh of a mesh with a skeleton has no bone assignments",
        no_assignments,
        {"": "The submesh stays in its place while the bones move."},
        "Assign the submesh to bones, unless it is meant to stay.",
        "submesh 1 has no weights, and the model has 20 bones",
        after="weights/none",
    ),
)
