"""What the tests of the house read: the modules of the program, and what each of them names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

PACKAGE = Path(__file__).resolve().parents[2] / "viewer"
NAMED = re.compile(r"viewer\.[a-z_\d.]+(:\w+)?")
"""A string that names a module, `viewer.a.b`, or something in it, `viewer.a.b:thing`."""


class Named(Struct, frozen=True):
    """Something that a module names, by an import or in a string. `name` is dotted."""

    line: int
    name: str


KINDS = (ast.Import, ast.ImportFrom, ast.Call, ast.Constant, ast.Expr)


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    """The nodes of these kinds in the syntax tree of a module; all tests share one walk, which takes long."""
    return tuple(node for node in ast.walk(ast.parse(source)) if isinstance(node, KINDS))


def imports(source: str, package: tuple[str, ...]) -> Iterator[Named]:
    """Everything that is imported, wherever in the file. `package` is the module's own."""
    for node in nodes(source):
        if isinstance(node, ast.Import):
            yield from (Named(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *filter(None, [node.module])])
            yield from (Named(node.lineno, f"{base}.{alias.name}") for alias in node.names)


def strings(source: str) -> Iterator[Named]:
    """The modules that strings name; docstrings and other texts that stand alone are not read."""
    alone = {id(node.value) for node in nodes(source) if isinstance(node, ast.Expr)}
    for node in nodes(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            name = NAMED.fullmatch(node.value)
            yield from [Named(node.lineno, node.value.rstrip(".").replace(":", "."))] if name else []


@cache
def references(source: str, package: tuple[str, ...]) -> tuple[Named, ...]:
    """All that a module names, by imports and in strings."""
    return *imports(source, package), *strings(source)


@cache
def modules() -> dict[str, Path]:
    """Every module by its dotted name; a package has the name of its folder."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("viewer", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def package_of(path: Path) -> tuple[str, ...]:
    """The package that a module is in: what its relative imports begin from."""
    return "viewer", *path.relative_to(PACKAGE).parent.parts


def module_of(name: str) -> str | None:
    """The module that a dotted name is, or is in; None for names of other packages."""
    while name and name not in modules():
        name = name.rpartition(".")[0]
    return name or None
