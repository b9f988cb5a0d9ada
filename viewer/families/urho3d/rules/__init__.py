"""Rules of `check` for Urho3D files."""

from __future__ import annotations

from viewer.check.rule import Rule, RulePart
from viewer.families.urho3d.rules import shaders, skinning, versions


def rules() -> tuple[Rule | RulePart, ...]:
    """Return the rules that only files of Urho3D have."""
    return *versions.PARTS, *shaders.RULES, *skinning.RULES
