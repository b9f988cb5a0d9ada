"""Compares parts by their values, such as cameras and emitters, and the collision mesh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.values import changed_values
from viewer.errors import counted
from viewer.scene.difference import Change, Difference, DifferenceGroup, one_sided
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
    pairs = paired(*([kind.name(part) for part in side] for side in parts))
    names = [[f"{kind.noun} {kind.name(part) or row}" for row, part in enumerate(side)] for side in parts]
    yield from one_sided(EFFECTS, kind.item, names, pairs)
    for row, partner in pairs.items():
        values = parts[0][row], parts[1][partner]
        texts = list(changed_values(*values, pair.tolerance, without=UNSEEN, clips=clips))
        if texts:
            items = (kind.item(row),), (kind.item(partner),)
            text = _joined(texts)
            yield Difference(EFFECTS, Change.CHANGED, names[0][row], text, 0.0, "", (), *items)


def collision_difference(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences of the collision meshes in two models of one engine."""
    one, other = pair.first.collision, pair.second.collision
    for text in changed_values(one, other, pair.tolerance, "mesh") if pair.related else ():
        yield Difference(EFFECTS, Change.CHANGED, "collision", text)


def _joined(texts: Sequence[str]) -> str:
    more = f", {counted(len(texts) - 8, 'more value')}" if len(texts) > 8 else ""
    return ", ".join(texts[:8]) + more
