"""Compares compiled shaders and scripts: parameters, texture units, instructions, texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.values import changed_values
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.parts import SHADER_PARTS, PartOwner
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader

FIELDS = DifferenceGroup.FIELDS
LISTED_LINES = 1000
"""The largest number of listed lines or texts."""
PLAIN = ("stage", "model", "buffers", "element_hash")
SCRIPT = ("stripped", "enums", "opaque")


def compiled_differences(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences between two compiled shaders or two compiled scripts."""
    one, other = pair.one.content, pair.other.content
    if isinstance(one, CompiledShader) and isinstance(other, CompiledShader):
        yield from _shaders(pair, one, other)
    elif isinstance(one, CompiledScript) and isinstance(other, CompiledScript):
        for text in changed_values(one, other, pair.tolerance, only=SCRIPT):
            yield Difference(FIELDS, Change.CHANGED, "script", text)
        names = [[each.name for each in script.classes or ()] for script in (one, other)]
        yield from _text_differences("class", *names)
        yield from _text_differences(
            "text", *([each.text for each in script.literals] for script in (one, other))
        )


def _shaders(pair: DocumentPair, one: CompiledShader, other: CompiledShader) -> Iterator[Difference]:
    for text in changed_values(one, other, pair.tolerance, only=PLAIN):
        yield Difference(FIELDS, Change.CHANGED, "shader", text)
    owners = PartOwner.shown(pair.one), PartOwner.shown(pair.other)
    for row in SHADER_PARTS:
        kind = row.noun
        first, second = ({each.name: each.register for each in row.parts(owner)} for owner in owners)
        yield from _text_differences(kind, list(first), list(second))
        for name in first:
            if name in second and first[name] != second[name]:
                text = f"{first[name]} → {second[name]}"
                yield Difference(FIELDS, Change.CHANGED, f"{kind} {name}", text)
    programs = {each.name: each for each in one.programs}, {each.name: each for each in other.programs}
    yield from _text_differences("program", list(programs[0]), list(programs[1]))
    for name, program in programs[0].items():
        if name in programs[1]:
            title = f"{name} code".strip()
            lines = [[line.text.strip() for line in each.lines] for each in (program, programs[1][name])]
            yield from _text_differences(title, *lines)
            if lines[0] != lines[1] and sorted(lines[0]) == sorted(lines[1]):
                yield Difference(FIELDS, Change.CHANGED, title, "another order of the instructions")


def _text_differences(kind: str, one: Sequence[str], other: Sequence[str]) -> Iterator[Difference]:
    """Find the texts that occur more often in one list than in the other list, once for each additional
    occurrence.
    """
    for change, texts, others in ((Change.REMOVED, one, other), (Change.ADDED, other, one)):
        more = Counter(texts) - Counter(others)
        listed = 0
        for text in texts:
            if more[text] > 0 and listed < LISTED_LINES:
                more[text] -= 1
                listed += 1
                yield Difference(FIELDS, change, f"{kind} {text}")
