"""The table of rules: ids, texts, and the choice by name."""

from __future__ import annotations

import re

import pytest

from viewer.check.rule import Rule, listed, rounded
from viewer.check.rules import all_rules, chosen_rules, rule_named
from viewer.errors import ResourceError
from viewer.scene.finding import Severity


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_a_rule_is_explained(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+/[a-z]+(-[a-z0-9]+)*", rule.id)
    assert rule.title and not rule.title.endswith(".")
    assert rule.remedy.endswith(".") and all(text.endswith(".") for text in rule.effects.values())
    assert rule.effects.keys() <= {"Urho3D", "OGRE", "OGRE-Next", "WoW", ""}
    for part in (rule.id, rule.title, rule.remedy, rule.example, *rule.effects.values()):
        assert part in rule.page


def test_ids_are_unique() -> None:
    assert len({rule.id for rule in all_rules()}) == len(all_rules())


def test_the_effect_is_that_of_the_engine() -> None:
    rule = rule_named("skeleton/duplicate-name")
    assert (
        "exception" in rule.effect("OGRE")
        and rule.effect("WoW") == "Tracks find only the first bone of this name."
    )


def test_rules_are_chosen_by_group_and_by_id() -> None:
    weights = {rule.id for rule in all_rules() if rule.id.startswith("weights/")}
    usual = tuple(rule for rule in all_rules() if not rule.optional)
    assert chosen_rules() == usual and {"weights/sum", "weights/none"} < weights
    assert {rule.id for rule in chosen_rules(["weights"])} == weights
    assert {rule.id for rule in chosen_rules(["weights"], ["weights/none"])} == weights - {"weights/none"}
    assert len(chosen_rules(["mesh/stale-bounds"])) == 1
    assert len(chosen_rules((), ["weights"])) == len(usual) - len(weights)


def test_an_optional_rule_is_on_only_by_its_id() -> None:
    rule = "animation/foot-slide"
    assert rule_named(rule).optional and "off by default" in rule_named(rule).page
    for chosen in (
        chosen_rules(),
        chosen_rules(["animation"]),
        chosen_rules((), (), {"animation": Severity.ERROR}),
    ):
        assert rule not in [each.id for each in chosen]
    assert [each.id for each in chosen_rules([rule])] == [rule]
    severe = {each.id: each.severity for each in chosen_rules((), (), {rule: Severity.WARNING})}
    assert severe[rule] is Severity.WARNING and len(severe) > 50
    assert rule not in [each.id for each in chosen_rules((), [rule], {rule: Severity.NOTE})]


def test_an_unknown_rule_has_near_ones() -> None:
    with pytest.raises(ResourceError, match="weights/sum"):
        chosen_rules(["weights/sums"])
    with pytest.raises(ResourceError, match="no rule 'sum'"):
        chosen_rules((), ["sum"])
    with pytest.raises(ResourceError, match="animation/loop-jump"):
        rule_named("loop-jump")


def test_texts_list_some_names_and_round_numbers() -> None:
    assert listed(["a", "b"]) == "a, b"
    assert listed([*"abcdef"]) == "a, b, c, d and 2 more"
    assert rounded(1 / 3) == "0.3333"


@pytest.mark.parametrize(
    "rule", [each for each in all_rules() if each.id.endswith("/missing")], ids=lambda rule: rule.id
)
def test_the_remedy_of_a_missing_file_is_two_sentences(rule: Rule) -> None:
    assert len(re.findall(r"[.](?: |$)", rule.remedy)) <= 2
