"""Expressions, names and the fixed parts of ImHex patterns.

Source: ImHex pattern language, https://docs.werwolv.net/pattern-language.
"""

from __future__ import annotations

import ast
from typing import Any

from viewer.binary.expression import Expression
from viewer.binary.record import Field

RESERVED = {"in", "out", "str", "char", "bool", "float", "double", "parent", "this", "match", "fn", "auto"}
OPERATORS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.BitAnd: "&",
    ast.Mult: "*",
    ast.Sub: "-",
    ast.Add: "+",
    ast.FloorDiv: "/",
}
PRELUDE = """#pragma endian {order}
#pragma array_limit 0x10000000
#pragma pattern_limit 0x10000000

import std.mem;
import std.core;
import std.math;
"""
CHUNKS = """
// The first byte of the file is 0x10 where the file is big-endian, else 0.
fn big_endian() { return std::mem::read_unsigned(0, 1) / 16; };
fn chunk_id() {
    return std::mem::read_unsigned($ + 1 - big_endian(), 1) * 256 +
        std::mem::read_unsigned($ + big_endian(), 1);
};
fn choose_order() { if (big_endian() == 1) std::core::set_endian(std::mem::Endian::Big); };
choose_order();

struct Line {
    char text[while(std::mem::read_unsigned($, 1) != 0x0A)];
    char line_feed;
};

struct UnknownChunk {
    u16 id;
    u32 declared;
    u8 data[declared - 6];
};
"""
LINE = "text up to a line feed"


class UntranslatableError(Exception):
    """A field for which there is no pattern."""


class StructScope:
    """A struct that is being written: its fields' names, the references to them, and the enclosing struct."""

    def __init__(self, outer: StructScope | None, names: dict[str, str]) -> None:
        self.outer, self.names = outer, names
        self.lines: list[str] = []
        self.indent = "    "

    def path(self, name: str) -> str:
        """The expression by which this struct refers to one of its fields, or to a field of an enclosing
        struct.
        """
        scope: StructScope | None = self
        steps = ""
        while scope is not None:
            if name in scope.names:
                return steps + scope.names[name]
            scope, steps = scope.outer, steps + "parent."
        raise UntranslatableError(f"no field {name}")

    def add(self, line: str, note: str = "") -> None:
        """Append a line."""
        self.lines.append(self.indent + line + (f"  // {note}" if note else ""))


def translated(expression: Expression, scope: StructScope) -> str:
    """An expression in the pattern language."""
    return _code(ast.parse(expression.source, mode="eval").body, scope)


def _code(node: ast.AST, scope: StructScope) -> str:
    if isinstance(node, ast.Constant):
        return f'"{node.value}"' if isinstance(node.value, str) else str(node.value)
    if isinstance(node, ast.Name):
        return scope.path(node.id)
    if isinstance(node, ast.BinOp):
        return f"({_code(node.left, scope)} {OPERATORS[type(node.op)]} {_code(node.right, scope)})"
    if isinstance(node, ast.BoolOp):
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return "(" + sign.join(_code(value, scope) for value in node.values) + ")"
    if isinstance(node, ast.Call):
        return f"{_code(node.args[0], scope)}_count"
    if isinstance(node, ast.IfExp):
        return f"({_code(node.test, scope)} ? {_code(node.body, scope)} : {_code(node.orelse, scope)})"
    if isinstance(node, ast.Compare):
        left, right = _code(node.left, scope), node.comparators[0]
        if isinstance(right, ast.Tuple):
            outside = isinstance(node.ops[0], ast.NotIn)
            tests = [f"{left} {'!=' if outside else '=='} {_code(each, scope)}" for each in right.elts]
            return "(" + (" && " if outside else " || ").join(tests) + ")" if tests else str(outside).lower()
        return f"{left} {OPERATORS[type(node.ops[0])]} {_code(right, scope)}"
    raise UntranslatableError(ast.dump(node))


def reference(field: Field) -> str:
    """The expression that refers to the value of a field."""
    name = identifier(field.name)
    return f"{name}.text" if field.kind == LINE else name


def identifier(name: str) -> str:
    """A name that a pattern may use."""
    made = "".join(letter if letter.isalnum() else "_" for letter in name)
    return made + "_" if made in RESERVED else made


def plain_type(dtype: Any) -> str:
    """The built-in type of a number."""
    kind, size = dtype.kind, dtype.itemsize
    if kind == "f":
        return {4: "float", 8: "double"}[size]
    return f"{'s' if kind == 'i' else 'u'}{8 * size}"
