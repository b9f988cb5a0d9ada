"""Inheritance: which block overrides which, and what variables become."""

from __future__ import annotations

from viewer.budget import BUDGET
from viewer.families.ogre.materials.inheritance import overlay, substitute
from viewer.families.ogre.materials.script import ScriptBlock, parse_script


def block(text: str) -> ScriptBlock:
    (found,) = parse_script(f"material M {{ {text} }}".encode(), "m.material").blocks
    return found


def written(found: ScriptBlock) -> str:
    """The block in one line, attributes before blocks."""
    lines = "".join(f"{line.keyword} {' '.join(line.values)}; " for line in found.lines)
    inner = "".join(f"{each.kind}{each.name and ' ' + each.name} ({written(each)}) " for each in found.blocks)
    return (lines + inner).strip()


def laid(child: str, base: str) -> str:
    return written(overlay(block(child), block(base)))


def test_attributes_of_the_child_come_last() -> None:
    assert laid("b 2\nc 3", "a 1\nb 1") == "a 1; b 1; b 2; c 3;"


def test_unnamed_blocks_are_overridden_in_order() -> None:
    assert laid("pass { x 2\n }", "pass { x 1\n } pass { y 1\n }") == "pass (x 1; x 2;) pass (y 1;)"


def test_named_blocks_are_overridden_by_name() -> None:
    found = laid("pass B { x 2\n }", "pass A { x 1\n } pass B { y 1\n }")
    assert found == "pass A (x 1;) pass B (y 1; x 2;)"


def test_a_new_name_overrides_nothing_that_has_a_name() -> None:
    assert laid("unit C { x 2\n }", "unit A { x 1\n }") == "unit A (x 1;) unit C (x 2;)"


def test_a_new_name_takes_the_next_block_without_one() -> None:
    assert laid("unit C { x 2\n }", "unit { x 1\n } unit { y 1\n }") == "unit C (x 1; x 2;) unit (y 1;)"


def test_behind_a_match_by_name_counting_goes_on_there() -> None:
    base = "unit { a 1\n } unit N { b 1\n } unit { c 1\n }"
    assert laid("unit N { x 1\n } unit { y 1\n }", base) == "unit (a 1;) unit N (b 1; x 1;) unit (c 1; y 1;)"


def test_kinds_do_not_mix() -> None:
    assert laid("pass { x 1\n }", "unit { a 1\n }") == "unit (a 1;) pass (x 1;)"


def test_a_star_overrides_all_that_it_matches_and_nothing_else() -> None:
    base = "unit tex1 { a 1\n } unit other { b 1\n } unit tex2 { c 1\n }"
    assert (
        laid("unit tex* { x 1\n }", base) == "unit tex1 (a 1; x 1;) unit other (b 1;) unit tex2 (c 1; x 1;)"
    )
    assert laid("unit no* { x 1\n }", "unit tex { a 1\n }") == "unit tex (a 1;)"
    assert laid("unit * { x 1\n }", "unit { a 1\n }") == "unit (a 1; x 1;)"


def test_blocks_deep_inside_are_overridden_too() -> None:
    base = "technique { pass { unit { file a\n } } }"
    assert laid("technique { pass { unit { file b\n } } }", base) == (
        "technique (pass (unit (file a; file b;)))"
    )


def expand(found: ScriptBlock, **outer: str) -> tuple[str, list[str]]:
    unknown: list[str] = []
    return written(substitute(found, outer, lambda word, line: unknown.append(word))), unknown


def test_the_innermost_variable_counts() -> None:
    found = block("set $a 1\nx $a $b\npass { set $a 2\nx $a $b\n }")
    assert expand(found, a="0", b="9 8") == ("x 1 9 8; pass (x 2 9 8;)", [])


def test_a_childs_variable_changes_what_it_inherits() -> None:
    merged = overlay(block("set $file b.png"), block("set $file a.png\nunit { texture $file\n }"))
    assert expand(merged) == ("unit (texture b.png;)", [])


def test_unknown_variables_are_told_and_left_out() -> None:
    assert expand(block("x 1 $no 2")) == ("x 1 2;", ["$no"])


def test_variables_of_variables_come_to_an_end() -> None:
    many = {"a": " ".join(["$b"] * 99), "b": " ".join(["$c"] * 99), "c": " ".join(["1"] * 99), "l": "$l"}
    text, _ = expand(block("x $a\ny $l"), **many)
    assert text.count("1") == BUDGET.attribute_values
