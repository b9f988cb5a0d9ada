"""Small files of all formats that are edited, and edits of their nodes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from tests.fuzzing.samples import Sample, samples_of
from viewer.binary import Rows
from viewer.edit.paths import Node, labelled
from viewer.edit.rules import value_of
from viewer.scene.document import Document
from viewer.storage.documents import open_undressed

WRITTEN_ANEW = ("mdl", "ani", "shader", "mesh", "ogre-next", "skeleton", "dbc")
"""The formats whose layouts describe whole files."""
IN_PLACE = ("m2", "skin", "anim", "skel", "blp")
"""The formats of which only the changed bytes are written."""
ROWS = 3
"""The rows of a table that are visited."""


def samples(*formats: str) -> list[Sample]:
    return [each for format in formats for each in samples_of(format)]


def sample_name(sample: Sample) -> str:
    return f"{sample.format}-{sample.name}"


def opened(folder: Path, sample: Sample) -> Document:
    """The sample and the files beside it, opened from a folder."""
    for name, data in {**sample.beside, sample.name: sample.data}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return open_undressed(folder / sample.name)


def nodes(node: Node) -> Iterator[Node]:
    """A node and all nodes below it, but of large tables only some rows."""
    yield node
    spans = node.span.passing_children
    if isinstance(spans, Rows) and len(spans) > ROWS:
        numbers = sorted({0, len(spans) // 2, len(spans) - 1})
        parts = [(spans[each].name, spans[each]) for each in numbers]
    else:
        parts = list(labelled(spans))
    for label, span in parts:
        yield from nodes(node.child(label, span))


def leaves(document: Document) -> list[Node]:
    """The nodes with a value and without children."""
    return [
        each
        for each in nodes(Node(document.root, ""))
        if not len(each.span.passing_children) and value_of(document, each) is not None
    ]


def other_value(value: str, chance: random.Random) -> str:
    """Another value of the same kind: of a text or of numbers."""
    words = value.split()
    try:
        numbers = [float(each) for each in words]
    except ValueError:
        return value + chance.choice("xyz") * chance.randint(1, 30) if chance.random() < 0.5 else value[:-1]
    return " ".join(
        str(int(number) ^ chance.choice((1, 2, 16)))
        if word.lstrip("-").isdecimal()
        else repr(number + chance.random())
        for word, number in zip(words, numbers, strict=True)
    )
