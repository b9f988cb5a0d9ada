"""How files are read is an argument: no module of the readers keeps a choice of the user.

A module value that one function sets and others read is a hidden argument: it reaches other threads, but no
other process.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.meta.modules import modules

ROOMS = ("viewer.storage.", "viewer.families.", "viewer.library.")
SETTERS = re.compile(r"_?(give|given|prefer|limit)_\w+|_?(leave_out|choose_file)")
"""Names of functions that set or return a choice of the user."""


def kept_choices(source: str) -> Iterator[str]:
    """Yield the functions with such names that change or return a value of their module."""
    tree = ast.parse(source)
    values = {name for node in tree.body for name in _assigned(node)}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and SETTERS.fullmatch(function.name):
            own = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
            used = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)} - own
            if used & values or any(isinstance(each, ast.Global) for each in ast.walk(function)):
                yield function.name


def _assigned(node: ast.stmt) -> Iterator[str]:
    """Yield the names to which a statement of a module assigns, without constants in capitals."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    for each in (name for target in targets for name in ast.walk(target)):
        if isinstance(each, ast.Name) and not each.id.strip("_").isupper():
            yield each.id


def changed_globals(source: str) -> Iterator[str]:
    """Yield the names that functions declare as `global`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Global):
            yield from node.names


@pytest.mark.parametrize("name", [name for name in modules() if f"{name}.".startswith(ROOMS)])
def test_no_function_keeps_a_choice_of_the_user(name: str) -> None:
    source = modules()[name].read_text("utf-8")
    assert [*kept_choices(source)] == [] == [*changed_globals(source)]


HIDDEN = """
class _Given:
    resources = ()

_given = _Given()
limit: int | None = None

def give_resources(paths):
    _given.resources = tuple(paths)

def given_resources():
    return _given.resources

def limit_sizes(size):
    global limit
    limit = size
"""


def test_a_kept_choice_is_seen() -> None:
    assert [*kept_choices(HIDDEN)] == ["give_resources", "given_resources", "limit_sizes"]
    assert [*changed_globals(HIDDEN)] == ["limit"]


@pytest.mark.parametrize("source", ["def give_up(self): self.x = 1", "A = 2\ndef limit_of(x): return A * x"])
def test_functions_of_their_arguments_are_no_choices(source: str) -> None:
    assert [*kept_choices(source)] == []
