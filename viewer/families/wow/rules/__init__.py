"""Rules of `check` for files of World of Warcraft."""

from __future__ import annotations

from viewer.check.rule import Rule, RulePart
from viewer.families.wow.rules import (
    displays,
    keys,
    looks,
    overlap,
    picture,
    row_numbers,
    sequences,
    submeshes,
    texture_sizes,
    view,
)


def rules() -> tuple[Rule | RulePart, ...]:
    """Return the rules that only files of World of Warcraft have."""
    return (
        *overlap.PARTS,
        *picture.RULES,
        *row_numbers.RULES,
        *sequences.RULES,
        *overlap.RULES,
        *view.RULES,
        *keys.RULES,
        *looks.RULES,
        RulePart("look/missing-file", displays.missing_pictures),
        *submeshes.RULES,
        *texture_sizes.RULES,
    )
