"""Paths of the nodes of a tree, as `get` and `set` name them.

A path has the names of `tree --json` joined by `/`, without the root's. A name that repeats among siblings is
followed by its number from 0: `data of bones[1]`. A name that is only a number follows without a slash:
`bones[7]/name`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from viewer.binary.span import Rows, Span, number_at
from viewer.errors import ResourceError
from viewer.scene.document import items_of
from viewer.scene.names import unknown

NUMBER = re.compile(r"\[(\d+)\]")
ENDS = ("", "/", "[")
"""What may follow a name in a path."""
LISTED = 2000
"""The largest number of siblings whose names an error compares."""


class Node(NamedTuple):
    """A node of the tree: its span, and the beginning of the paths of its children."""

    span: Span
    stem: str

    @property
    def path(self) -> str:
        """The path of the node."""
        return self.stem.removesuffix("/")

    def child(self, label: str, span: Span) -> Node:
        """The node of a child with this label."""
        return Node(span, joined(self.stem, label))


def joined(path: str, label: str) -> str:
    """Append the label of a child to a path."""
    if not path or path.endswith("/") or label.startswith("["):
        return f"{path}{label}"
    return f"{path}/{label}"


def labelled(spans: Sequence[Span]) -> Iterator[tuple[str, Span]]:
    """Yield each span with its label: its name, and its number among the siblings of this name. A label ends
    with a slash if another one is the same but for a number, so that paths of its children differ from it.
    """
    if isinstance(spans, Rows):
        yield from ((span.name, span) for span in spans)
        return
    counts, seen = Counter(span.name for span in spans), Counter[str]()
    stems = {name.rpartition("[")[0] for name in counts if name.endswith("]")} - {""}
    for span in spans:
        number = f"[{seen[span.name]}]" if counts[span.name] > 1 else ""
        seen[span.name] += 1
        yield span.name + number + ("/" if span.name in stems else ""), span


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it. The spans are not cached."""
    yield node
    for label, span in labelled(node.span.passing_children):
        yield from walk(node.child(label, span))


def node_at(root: Span, path: str) -> Node:
    """Find the node of a path. ResourceError with similar paths if there is none.

    The path may begin with the name or the type of the root, as in errors, and may leave out the number of a
    repeated name if it then names one node.
    """
    spellings = [path]
    for prefix in (root.type, root.name):
        if prefix and path.startswith(f"{prefix}/"):
            spellings.append(path.removeprefix(f"{prefix}/"))
    for strict in (True, False):
        for each in spellings:
            found = list(_below(Node(root, ""), each, strict))
            exact = [node for node in found if node.path == each]
            if len(found) == 1 or exact:
                return (exact or found)[0]
            if found:
                listed = ", ".join(node.path for node in found[:3])
                raise ResourceError(f"the path {path!r} names {len(found)} nodes: {listed}")
    raise _missing(root, spellings[-1])


def node_of(root: Span, offset: int, size: int) -> Node:
    """Find the outermost node that has exactly these bytes; the innermost node around them if there is
    none. The root is not searched for.
    """
    node = Node(root, "")
    while True:
        spans = node.span.children
        number = number_at(spans, offset)
        if number is None or spans[number].end < offset + size:
            return node
        label = _label(spans, number)
        node = node.child(label, spans[number])
        if (node.span.offset, node.span.size) == (offset, size):
            return node


def _label(spans: Sequence[Span], number: int) -> str:
    """The label of one span among its siblings."""
    if isinstance(spans, Rows):
        return spans[number].name
    return next(label for place, (label, _) in enumerate(labelled(spans)) if place == number)


def like(path: str) -> str:
    """The path with `[]` in place of all numbers."""
    return NUMBER.sub("[]", path)


def nodes_like(root: Span, pattern: str) -> Iterator[Node]:
    """Yield the nodes whose paths are like a pattern, in which `[]` is any number."""

    def inside(node: Node, rest: str) -> Iterator[Node]:
        rest = rest.removeprefix("/")
        if not rest:
            yield node
            return
        for label, span in labelled(node.span.passing_children):
            name = like(label)
            if rest.startswith(name) and rest[len(name) : len(name) + 1] in ENDS:
                yield from inside(node.child(label, span), rest[len(name) :])

    return inside(Node(root, ""), pattern)


def _below(node: Node, rest: str, strict: bool) -> Iterator[Node]:
    """Yield the nodes below a node that the rest of a path names."""
    rest = rest.removeprefix("/")
    if not rest:
        yield node
        return
    spans, number = node.span.children, NUMBER.match(rest)
    if number is not None and isinstance(spans, Rows):
        row = int(number[1])
        if row < len(spans) and spans[row].name == number[0]:
            yield from _below(node.child(number[0], spans[row]), rest[number.end() :], strict)
            return
    for label, span in labelled(spans):
        name = label.removesuffix("/")
        for each in dict.fromkeys((name,) if strict else (name, span.name)):
            if rest.startswith(each) and rest[len(each) : len(each) + 1] in ENDS:
                yield from _below(node.child(label, span), rest[len(each) :], strict)
        if not strict and items_of(node.span) is span:
            yield from _below(node.child(label, span), rest, strict)


def _missing(root: Span, path: str) -> ResourceError:
    """The error of a path without a node. It lists similar paths beside the last part that exists."""
    node, rest = Node(root, ""), path
    while True:
        inner = [
            (node.child(label, span), rest[len(label) :])
            for label, span in _some(node.span)
            if rest.startswith(label) and rest[len(label) : len(label) + 1] in ENDS
        ]
        if not inner or not inner[0][1]:
            break
        node, rest = inner[0][0], inner[0][1].removeprefix("/")
    tail = rest.partition("/")[0]
    wanted = joined(node.stem, tail)
    return unknown("path", wanted, [joined(node.stem, label) for label, _ in _some(node.span)])


def _some(span: Span) -> list[tuple[str, Span]]:
    """The first children of a span with their labels."""
    spans = span.children
    return list(labelled(spans if len(spans) <= LISTED else spans[:LISTED]))
