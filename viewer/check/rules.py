"""All rules in the order in which they are performed, and their choice by name."""

from __future__ import annotations

from collections.abc import Collection

from viewer.check import (
    binding,
    encoding,
    file,
    keys,
    loops,
    mesh,
    package,
    picture,
    reported,
    skeleton,
    targets,
    unclaimed,
    useless_keys,
    versions,
    weights,
)
from viewer.check.rule import Rule
from viewer.scene.names import find, unknown

RULES: tuple[Rule, ...] = (
    *file.RULES,
    *reported.RULES,
    *versions.RULES,
    *unclaimed.RULES,
    *encoding.RULES,
    *package.RULES,
    *picture.RULES,
    *skeleton.RULES,
    *binding.RULES,
    *weights.RULES,
    *mesh.RULES,
    *targets.RULES,
    *keys.RULES,
    *loops.RULES,
    *useless_keys.RULES,
)


def rule_named(name: str) -> Rule:
    """The rule with that id; ResourceError lists similar ids."""
    return RULES[find("rule", name, [rule.id for rule in RULES])]


def chosen(select: Collection[str] = (), ignore: Collection[str] = ()) -> tuple[Rule, ...]:
    """The rules that `select` names (none: all), without those of `ignore`. A name is an id or the group of
    ids, such as `animation`. ResourceError for another name.
    """
    groups = {rule.id.partition("/")[0] for rule in RULES}
    ids = {rule.id for rule in RULES}
    for name in (*select, *ignore):
        if name not in ids | groups:
            raise unknown("rule", name, sorted(ids | groups))
    return tuple(rule for rule in RULES if (not select or _named(rule, select)) and not _named(rule, ignore))


def _named(rule: Rule, names: Collection[str]) -> bool:
    return rule.id in names or rule.id.partition("/")[0] in names
