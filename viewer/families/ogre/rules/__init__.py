"""Rules of `check` for OGRE files."""

from __future__ import annotations

from viewer.check.rule import Rule, RulePart
from viewer.families.ogre.rules import linked, next_arrays, skinning, versions


def rules() -> tuple[Rule | RulePart, ...]:
    """Return the rules that only files of OGRE and OGRE-Next have."""
    return *versions.PARTS, *next_arrays.RULES, *linked.RULES, *skinning.RULES
