"""An evaluator of the part of the ImHex pattern language that `viewer.binary.hexpat` writes.

It gives the offset and size of every number, text and plain array.
"""

from __future__ import annotations

import re
from functools import cache
from types import CodeType
from typing import Any

import numpy as np

SIZES = {
    "u8": 1,
    "s8": 1,
    "char": 1,
    "u16": 2,
    "s16": 2,
    "u32": 4,
    "s32": 4,
    "float": 4,
    "s64": 8,
    "double": 8,
}
KINDS = {"float": "f4", "double": "f8", "char": "u1"}
NAME = re.compile(r"(?<![\w.\"])([A-Za-z_]\w*)(?![\w\"(:])")
WORDS = (("&&", " and "), ("||", " or "), ("!(", " not ("), ("/", "//"), ("$", "here()"), ("std::mem::", ""))
WORDS += (
    ("addressof(this)", "addressof_this"),
    ("std::math::", ""),
    ("std::core::", ""),
    ("true", "True"),
    ("false", "False"),
)


@cache
def compiled(expression: str) -> CodeType:
    """An expression as Python."""
    made = re.sub(r"\((.+?) \? (.+) : (.+?)\)", r"((\2) if (\1) else (\3))", " ".join(expression.split()))
    for word, python in WORDS:
        made = made.replace(word, python)
    return compile(made.strip(), expression, "eval")


class Pattern:
    """Structs by name, each a list of statements; the root's type."""

    def __init__(self, text: str) -> None:
        text = re.sub(r"//.*", "", text)
        self.functions = dict(re.findall(r"fn (\w+)\(\) \{\s*return ([^;]+);\s*\};", text))
        self.structs = {
            name: block([line.strip() for line in body.splitlines() if line.strip()])
            for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", text, re.DOTALL | re.MULTILINE)
        }
        root = re.search(r"^(\w+) \w+ @ 0x00;", text, re.MULTILINE)
        assert root is not None
        self.root = root[1]
        self.swaps = "choose_order();" in text

    @cache  # noqa: B019
    def alike(self, name: str, depth: int = 1) -> bool:
        """Whether all rows of a struct lie alike: nothing in it depends on its own fields."""
        return all(self._alike(each, depth) for each in self.structs[name])

    def _alike(self, statement: Any, depth: int) -> bool:
        if statement[0] == "if":
            return all(
                outside(test, depth) and all(self._alike(each, depth) for each in body)
                for test, body in statement[1]
            )
        _, type, _, count = statement
        if count == "" or count.startswith("while") or type in ("str", "Line"):
            return False
        if count is not ONE and not outside(count, depth):
            return False
        return type in SIZES or self.alike(type, depth + 1)


ONE = "one"


def outside(expression: str, depth: int) -> bool:
    """Whether all names of an expression are fields of structs so many levels around."""
    names = re.findall(r"(?<![\w:.])[A-Za-z_][\w.]*(?!\w*\()", expression)
    return all(name.startswith("parent." * depth) for name in names if not name.startswith("std"))


def block(lines: list[str]) -> list[Any]:
    """The statements of a block; its lines are used up to the closing brace."""
    statements: list[Any] = []
    while lines:
        line = lines.pop(0)
        if line == "}":
            break
        if found := re.fullmatch(r"(?:else )?(?:if \((.*)\) )?\{|else \{", line):
            body = found[1] or "true", block(lines)
            if line.startswith("else"):
                statements[-1][1].append(body)
            else:
                statements.append(("if", [body]))
        elif found := re.fullmatch(r"str (\w+) = (.*);", line):
            statements.append(("value", "str", found[1], found[2]))
        else:
            found = re.fullmatch(r"(\w+) (\w+)(?:\[(.*)\])?;", line)
            assert found is not None, line
            statements.append(("value", found[1], found[2], ONE if found[3] is None else found[3]))
    return statements


class Place(dict[str, Any]):
    """The fields of one struct, and the struct around it."""

    def __init__(self, parent: Place | None) -> None:
        super().__init__()
        if parent is not None:
            self["parent"] = parent

    def __getattr__(self, name: str) -> Any:
        return self[name]


class Rows:
    """Rows of a struct that lie alike; each is read when it is asked for."""

    def __init__(self, run: Run, name: str, start: int, stride: int, parent: Place) -> None:
        self.run, self.name, self.start, self.stride, self.parent = run, name, start, stride, parent

    def __getitem__(self, index: int) -> Place:
        run = self.run
        kept = run.at, run.leaves
        run.at, run.leaves = self.start + index * self.stride, []
        made = run.struct(self.name, self.parent)
        run.at, run.leaves = kept
        return made


class Run:
    """A pattern over a file. `leaves`: arrays [N, 2] of offset and size, in file order."""

    def __init__(self, pattern: Pattern, data: bytes) -> None:
        self.pattern, self.data, self.at = pattern, data, 0
        self.order = ">" if pattern.swaps and data[0] == 0x10 else "<"
        self.leaves: list[Any] = []
        self.indices: list[int] = []
        self.scope: dict[str, Any] = {
            "here": lambda: self.at,
            "size": lambda: len(data),
            "min": min,
            "read_unsigned": lambda at, size: int.from_bytes(data[at : at + size], "little"),
            "read_string": lambda at, size: data[at : at + size].decode("latin-1"),
            "array_index": lambda: self.indices[-1],
        }
        for name, body in pattern.functions.items():
            self.scope[name] = lambda body=body: eval(compiled(body), self.scope)
        self.struct(pattern.root, None)

    @property
    def spans(self) -> Any:
        """[N, 2] offset and size of all leaves that are not empty, in file order."""
        every = np.concatenate([np.atleast_2d(each) for each in self.leaves])
        every = every[every[:, 1] > 0]
        return every[np.argsort(every[:, 0], kind="stable")]

    def struct(self, name: str, parent: Place | None) -> Place:
        """Read a struct at the present offset."""
        place = Place(parent)
        start = place["addressof_this"] = self.at
        if name == "Line":
            self.at = self.data.index(b"\n", self.at) + 1
            place["text"] = self.data[start : self.at - 1].decode("latin-1")
            self.leaves.append((start, self.at - start))
            return place
        for statement in self.pattern.structs[name]:
            self.statement(statement, place)
        return place

    def statement(self, statement: Any, place: Place) -> None:
        """Run one statement of a struct."""
        if statement[0] == "if":
            for test, body in statement[1]:
                if self.value(test, place):
                    for each in body:
                        self.statement(each, place)
                    break
            return
        _, type, name, count = statement
        if type == "str":
            place[name] = self.value(count, place)
        elif type in SIZES:
            place[name] = self.plain(type, count, place)
        elif count is ONE:
            place[name] = self.struct(type, place)
        elif count.startswith("while"):
            self.repeat(type, count.removeprefix("while"), place)
        else:
            place[name] = self.rows(type, int(self.value(count, place)), place)

    def plain(self, type: str, count: str, place: Place) -> Any:
        """A number, a text, or an array of numbers: one leaf."""
        size, start = SIZES[type], self.at
        if count == "":
            self.at = self.data.index(b"\0", start) + 1
        else:
            self.at += size * (1 if count is ONE else int(self.value(count, place)))
        assert self.at <= len(self.data), f"{self.at} is behind the end"
        self.leaves.append((start, self.at - start))
        if type == "char":
            return self.data[start : self.at].decode("latin-1")
        kind = KINDS.get(type, type.replace("s", "i")[0] + str(size))
        return np.frombuffer(self.data, self.order + kind, 1, start)[0].item() if count is ONE else None

    def repeat(self, type: str, test: str, place: Place) -> None:
        """Structs as long as a condition holds."""
        while self.value(test, place):
            start = self.at
            self.struct(type, place)
            assert self.at > start, f"{type} takes no bytes"

    def rows(self, type: str, count: int, place: Place) -> Any:
        """So many structs; those that lie alike are not read one by one."""
        numbered = "array_index" in str(self.pattern.structs[type])
        alike, start = count > 0 and not numbered and self.pattern.alike(type), self.at
        if not alike:
            made = []
            for index in range(count):
                self.indices.append(index)
                made.append(self.struct(type, place))
                self.indices.pop()
            return made
        kept, self.leaves = self.leaves, []
        self.indices.append(0)
        self.struct(type, place)
        self.indices.pop()
        stride = self.at - start
        rows = (
            np.concatenate([np.atleast_2d(each) for each in self.leaves])
            if self.leaves
            else np.empty((0, 2), int)
        )
        self.leaves = kept
        steps = np.arange(count)[:, None, None] * np.array([stride, 0])
        self.leaves.append((rows[None] + steps).reshape(-1, 2))
        self.at = start + stride * count
        assert self.at <= len(self.data), f"{self.at} is behind the end"
        return Rows(self, type, start, stride, place)

    def value(self, expression: str, place: Place) -> Any:
        """The value of an expression inside of a struct."""
        return eval(compiled(expression), self.scope, place)
