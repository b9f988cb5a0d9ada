"""Problems as a tree of rules."""

from __future__ import annotations

from viewer.scene.finding import Finding, Severity
from viewer.scene.text_filter import EVERYTHING, TextFilter
from viewer.ui.problems.problem_rows import OPEN, Node, ProblemGroup, ProblemRow, path_of, problem_tree

WARNING, NOTE = Severity.WARNING, Severity.NOTE


def row(rule: str, text: str, severity: Severity = WARNING, title: str = "Something is wrong") -> ProblemRow:
    return ProblemRow(Finding(rule, severity, text, "/x/y.mdl", title=title))


def texts(nodes: list[Node]) -> list[str]:
    return [each.title if isinstance(each, ProblemGroup) else each.text for each in nodes]


def drawn(*rows: ProblemRow, text: str = "", hidden: frozenset[Severity] = frozenset()) -> list[str]:
    tree = problem_tree(rows, TextFilter(text), hidden, {})
    return texts([each.node for each in tree.rows(0, len(tree))])


def test_a_rule_with_several_findings_is_a_group() -> None:
    found = drawn(row("a/b", "one"), row("a/c", "two"), row("a/b", "three"))
    assert found == ["Something is wrong", "one", "three", "two"]


def test_the_severity_tells_groups_apart() -> None:
    assert drawn(row("a/b", "one"), row("a/b", "two", NOTE)) == ["one", "two"]


def test_messages_of_readers_are_groups_too() -> None:
    assert drawn(row("a/b", "one", title=""), row("a/b", "two", title=""))[0] == "a/b"


def test_large_groups_are_closed_at_first_and_stay_as_the_user_leaves_them() -> None:
    many = [row("a/b", str(number)) for number in range(OPEN + 1)]
    assert len(problem_tree(many, EVERYTHING, (), {})) == 1
    assert len(problem_tree(many, EVERYTHING, (), {(WARNING, "a/b"): True})) == OPEN + 2
    assert len(problem_tree(many[:2], EVERYTHING, (), {(WARNING, "a/b"): False})) == 1


def test_a_row_is_found_again_by_its_finding() -> None:
    rows = [row("a/b", "one"), row("a/c", "two"), row("a/b", "three")]
    tree = problem_tree(rows, EVERYTHING, (), {})
    for each, path in ((rows[0], (0, 0)), (rows[1], (1,)), (rows[2], (0, 1))):
        assert path_of(tree, each.finding) == path
    assert path_of(tree, None) == path_of(tree, row("a/b", "four").finding) == ()


def test_words_are_searched_in_texts_rules_and_files() -> None:
    rows = (row("a/b", "one"), row("a/c", "two", NOTE))
    assert drawn(*rows, text="TWO") == ["two"]
    assert drawn(*rows, text="y.mdl a/b") == ["one"]
    assert drawn(*rows, text="note") == ["two"]
    assert drawn(*rows, text="three") == []


def test_hidden_severities_are_left_out() -> None:
    assert drawn(row("a/b", "one"), row("a/c", "two", NOTE), hidden=frozenset({NOTE})) == ["one"]
