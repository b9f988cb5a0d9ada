"""The table of all rules, and functions that choose rules by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from viewer.check.bones import binding, hitboxes, influences, skeleton, weights
from viewer.check.check_context import CheckContext
from viewer.check.clips import (
    clip,
    composition,
    events,
    foot_slide,
    keys,
    loops,
    spikes,
    targets,
    useless_keys,
)
from viewer.check.files import encoding, file, package, reported, unclaimed, versions
from viewer.check.materials import materials, textures
from viewer.check.meshes import bounds, clip_bounds, levels, mesh, orientation, shading, triangles
from viewer.check.rule import Found, Rule, RulePart
from viewer.family import registry
from viewer.scene.finding import Severity
from viewer.scene.names import find_name, unknown

CORE: tuple[Rule, ...] = (
    *file.RULES,
    *reported.RULES,
    *versions.RULES,
    *unclaimed.RULES,
    *encoding.RULES,
    *package.RULES,
    *skeleton.RULES,
    *binding.RULES,
    *hitboxes.RULES,
    *weights.RULES,
    *influences.RULES,
    *mesh.RULES,
    *triangles.RULES,
    *orientation.RULES,
    *shading.RULES,
    *levels.RULES,
    *bounds.RULES,
    *clip_bounds.RULES,
    *textures.RULES,
    *materials.RULES,
    *targets.RULES,
    *composition.RULES,
    *clip.RULES,
    *keys.RULES,
    *events.RULES,
    *loops.RULES,
    *spikes.RULES,
    *foot_slide.RULES,
    *useless_keys.RULES,
)
"""The rules that read values of every family."""
NO_SEVERITIES: Mapping[str, Severity] = {}
"""A table without changed severities: every rule keeps its own severity."""


def all_rules() -> tuple[Rule, ...]:
    """All rules in the order of their findings: those of the core, and those of the families behind the rules
    that they follow.
    """
    return _all_rules(registry.generation())


@lru_cache(maxsize=1)
def _all_rules(generation: int) -> tuple[Rule, ...]:
    found, parts, last = [*CORE], dict[str, list[RulePart]](), ("", "")
    for family, each in registry.rules():
        ids = [rule.id for rule in found]
        if isinstance(each, RulePart):
            parts.setdefault(each.id, []).append(each)
        elif each.id in ids:
            registry.complain(f"the family {family} names the rule {each.id}, which exists")
        elif isinstance(each, Rule):
            after = each.after or (last[1] if last[0] == family else "")
            found.insert(ids.index(after) + 1 if after in ids else len(ids), each)
            last = family, each.id
    return tuple(_joined(rule, parts[rule.id]) if rule.id in parts else rule for rule in found)


def _joined(rule: Rule, parts: Sequence[RulePart]) -> Rule:
    """The rule with the findings of its parts behind its own."""

    def find(context: CheckContext) -> Iterator[Found]:
        yield from rule.find(context)
        for part in parts:
            yield from part.find(context)

    return rule._replace(find=find)


def rule_named(name: str) -> Rule:
    """Return the rule with this id. ResourceError for an unknown id; the error lists similar ids."""
    return all_rules()[find_name("rule", name, [rule.id for rule in all_rules()])]


def rule_names() -> list[str]:
    """List the names by which rules are chosen: their ids, and their groups such as `animation`."""
    return sorted({name for rule in all_rules() for name in (rule.id, _group(rule))})


def chosen_rules(
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    severities: Mapping[str, Severity] = NO_SEVERITIES,
) -> tuple[Rule, ...]:
    """Return the rules that `select` names (all rules if it is empty), except the rules that `ignore` names.
    `severities` replace the severities of rules; a severity for an id overrides a severity for its group. An
    optional rule is left out unless `select` or `severities` have its id. ResourceError for an unknown name.
    """
    known = rule_names()
    for name in (*select, *ignore, *severities):
        if name not in known:
            raise unknown("rule", name, known)
    rules = (
        rule
        for rule in all_rules()
        if (not select or _named(rule, select))
        and not _named(rule, ignore)
        and (not rule.optional or rule.id in select or rule.id in severities)
    )
    return tuple(_with_severity(rule, severities) for rule in rules)


def _with_severity(rule: Rule, severities: Mapping[str, Severity]) -> Rule:
    severity = severities.get(rule.id, severities.get(_group(rule), rule.severity))
    return rule if severity is rule.severity else rule._replace(severity=severity)


def _named(rule: Rule, names: Collection[str]) -> bool:
    return rule.id in names or _group(rule) in names


def _group(rule: Rule) -> str:
    return rule.id.partition("/")[0]
