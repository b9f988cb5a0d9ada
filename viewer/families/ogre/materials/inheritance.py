"""Resolve the inheritance of script blocks: merge a block over its parent, and replace variables.

Source: OGRE's `ScriptCompiler::overlayObject` and `processVariables`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from viewer.budget import BUDGET
from viewer.families.ogre.materials.script import ScriptBlock, ScriptLine


def overlay(child: ScriptBlock, base: ScriptBlock) -> ScriptBlock:
    """Return `child` with everything of `base` that the child does not override.

    The base's attributes come first, so that the child's attributes override them. A block of the child
    overrides the base block with the same name, which may contain `*`. If no name matches, the child's block
    overrides the next base block without a name.
    """
    own, pairs = _paired(child.blocks, base.blocks)
    merged: list[ScriptBlock] = list(own)
    at = 0
    index = list(range(len(own)))
    for number, block in enumerate(base.blocks):
        if number in pairs:
            at = index[pairs[number]]
            merged[at] = overlay(merged[at], block)
        else:
            merged.insert(at, block)
            index = [old + (old >= at) for old in index]
        at += 1
    return replace(
        child,
        lines=base.lines + child.lines,
        blocks=tuple(merged),
        variables=base.variables | child.variables,
        lacks_parent=child.lacks_parent or base.lacks_parent,
    )


def _paired(
    own: tuple[ScriptBlock, ...], bases: tuple[ScriptBlock, ...]
) -> tuple[list[ScriptBlock], dict[int, int]]:
    """Return the child's blocks, and a mapping of block numbers: from each overridden block of the base to
    the overriding block of the child. A child's block whose name has `*` is repeated for each base block that
    it matches.
    """
    blocks: list[ScriptBlock] = []
    pairs: dict[int, int] = {}
    floors: list[int] = []
    floor = 0
    for block in own:
        starred = "*" in block.name
        matched = [n for n, base in enumerate(bases) if n not in pairs and _matches(block, base)]
        for number in matched if starred else matched[:1]:
            pairs[number] = len(blocks)
            blocks.append(replace(block, name=bases[number].name))
            floors.append(-1)
            floor = max(floor, number)
        if not starred and not matched:
            blocks.append(block)
            floors.append(floor)
    for index, first in enumerate(floors):
        free = (n for n in range(max(first, 0), len(bases)) if n not in pairs and not bases[n].name)
        following = next((n for n in free if bases[n].kind == blocks[index].kind), None)
        if first >= 0 and following is not None:
            pairs[following] = index
    return blocks, pairs


def _matches(block: ScriptBlock, base: ScriptBlock) -> bool:
    """Whether a block overrides a base, by kind and name. The name `*` also matches a base without a name."""
    if block.kind != base.kind or not block.name:
        return False
    pattern = ".*".join(re.escape(part) for part in block.name.split("*"))
    return re.fullmatch(pattern, base.name, re.S) is not None


def substitute(
    block: ScriptBlock, outer: Mapping[str, str], unknown: Callable[[str, ScriptLine], None]
) -> ScriptBlock:
    """Return the block with each `$name` replaced by the words of the innermost `set`.

    A variable that is never set is left out, and `unknown` is called with the variable and its line.
    """
    known = {**outer, **block.variables}
    return replace(
        block,
        lines=tuple(
            line._replace(values=tuple(_values(line, line.values, known, unknown))) for line in block.lines
        ),
        blocks=tuple(substitute(inner, known, unknown) for inner in block.blocks),
    )


def _values(
    line: ScriptLine,
    words: tuple[str, ...],
    variables: Mapping[str, str],
    unknown: Callable[[str, ScriptLine], None],
    depth: int = 0,
) -> list[str]:
    values: list[str] = []
    for word in words:
        if not word.startswith("$"):
            values.append(word)
        elif word[1:] in variables and depth < BUDGET.variable_nesting:
            values += _values(line, tuple(variables[word[1:]].split()), variables, unknown, depth + 1)
        else:
            unknown(word, line)
        if len(values) > BUDGET.attribute_values:
            break
    return values[: BUDGET.attribute_values]
