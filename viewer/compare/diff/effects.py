"""Compares parts by their values, such as cameras and emitters, and the collision mesh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.values import changed_values
from viewer.errors import counted
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.items import Item
from viewer.scene.names import paired
from viewer.scene.parts import PartKind, PartOwner

EFFECTS = DifferenceGroup.EFFECTS
UNSEEN = ("name", "troubles", "parameters")


def part_differences(pair: DocumentPair, kind: PartKind) -> Iterator[Difference]:
    """Find the parts of a kind that only one of two models of one engine has, and compare the values of the
    others. Parts without names match by their order.
    """
    if not pair.related:
        return
    clips = ((None, None), *((one[1], other[1]) for one, other in pair.clip_pairs))
    parts = [kind.parts(PartOwner(model)) for model in (pair.first, pair.second)]
    names = [[kind.name(each) for each in side] for side in parts]
    pairs = paired(*names)
    there = set(pairs.values())
    for row in range(len(parts[0])):
        if row not in pairs:
            yield _difference(Change.REMOVED, kind, names[0], row, items=(kind.item(row),))
    for row in range(len(parts[1])):
        if row not in there:
            yield _difference(Change.ADDED, kind, names[1], row, other_items=(kind.item(row),))
    for row, partner in pairs.items():
        values = parts[0][row], parts[1][partner]
        texts = list(changed_values(*values, pair.tolerance, without=UNSEEN, clips=clips))
        if texts:
            items = (kind.item(row),), (kind.item(partner),)
            yield _difference(Change.CHANGED, kind, names[0], row, _joined(texts), *items)


def collision_difference(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences of the collision meshes in two models of one engine."""
    one, other = pair.first.collision, pair.second.collision
    for text in changed_values(one, other, pair.tolerance, "mesh") if pair.related else ():
        yield Difference(EFFECTS, Change.CHANGED, "collision", text)


def _joined(texts: Sequence[str]) -> str:
    more = f", {counted(len(texts) - 8, 'more value')}" if len(texts) > 8 else ""
    return ", ".join(texts[:8]) + more


def _difference(
    change: Change,
    kind: PartKind,
    names: Sequence[str],
    row: int,
    text: str = "",
    items: tuple[Item, ...] = (),
    other_items: tuple[Item, ...] = (),
) -> Difference:
    name = f"{kind.item.kind} {names[row] or row}"
    return Difference(EFFECTS, change, name, text, items=items, other_items=other_items)
