"""The table of all rules, and functions that choose rules by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from viewer.check.bones import binding, hitboxes, influences, skeleton, submeshes, weights
from viewer.check.clips import clip, composition, events, keys, linked, loops, targets, useless_keys
from viewer.check.files import encoding, file, package, picture, reported, unclaimed, versions
from viewer.check.m2 import keys as m2_keys
from viewer.check.m2 import looks as m2_looks
from viewer.check.m2 import overlap as m2_overlap
from viewer.check.m2 import row_numbers
from viewer.check.m2 import sequences as m2_sequences
from viewer.check.m2 import view as m2_view
from viewer.check.materials import materials, shaders, textures
from viewer.check.meshes import (
    bounds,
    clip_bounds,
    levels,
    mesh,
    next_arrays,
    orientation,
    shading,
    triangles,
)
from viewer.check.rule import Rule
from viewer.scene.finding import Severity
from viewer.scene.names import find_name, unknown

RULES: tuple[Rule, ...] = (
    *file.RULES,
    *reported.RULES,
    *versions.RULES,
    *unclaimed.RULES,
    *encoding.RULES,
    *package.RULES,
    *picture.RULES,
    *row_numbers.RULES,
    *m2_sequences.RULES,
    *m2_overlap.RULES,
    *m2_view.RULES,
    *m2_keys.RULES,
    *m2_looks.RULES,
    *skeleton.RULES,
    *binding.RULES,
    *hitboxes.RULES,
    *submeshes.RULES,
    *weights.RULES,
    *influences.RULES,
    *mesh.RULES,
    *triangles.RULES,
    *orientation.RULES,
    *shading.RULES,
    *levels.RULES,
    *next_arrays.RULES,
    *bounds.RULES,
    *clip_bounds.RULES,
    *textures.RULES,
    *materials.RULES,
    *shaders.RULES,
    *targets.RULES,
    *linked.RULES,
    *composition.RULES,
    *clip.RULES,
    *keys.RULES,
    *events.RULES,
    *loops.RULES,
    *useless_keys.RULES,
)
NO_SEVERITIES: Mapping[str, Severity] = {}
"""A table without changed severities: every rule keeps its own severity."""


def rule_named(name: str) -> Rule:
    """Return the rule with this id. ResourceError for an unknown id; the error lists similar ids."""
    return RULES[find_name("rule", name, [rule.id for rule in RULES])]


def rule_names() -> list[str]:
    """List the names by which rules are chosen: their ids, and their groups such as `animation`."""
    return sorted({name for rule in RULES for name in (rule.id, _group(rule))})


def chosen_rules(
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    severities: Mapping[str, Severity] = NO_SEVERITIES,
) -> tuple[Rule, ...]:
    """Return the rules that `select` names (all rules if it is empty), except the rules that `ignore` names.
    `severities` replace the severities of rules; a severity for an id overrides a severity for its group.
    ResourceError for an unknown name.
    """
    known = rule_names()
    for name in (*select, *ignore, *severities):
        if name not in known:
            raise unknown("rule", name, known)
    rules = (rule for rule in RULES if (not select or _named(rule, select)) and not _named(rule, ignore))
    return tuple(_with_severity(rule, severities) for rule in rules)


def _with_severity(rule: Rule, severities: Mapping[str, Severity]) -> Rule:
    severity = severities.get(rule.id, severities.get(_group(rule), rule.severity))
    return rule if severity is rule.severity else rule._replace(severity=severity)


def _named(rule: Rule, names: Collection[str]) -> bool:
    return rule.id in names or _group(rule) in names


def _group(rule: Rule) -> str:
    return rule.id.partition("/")[0]
