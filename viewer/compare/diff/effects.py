"""Compares cameras, lights, attachments, events, emitters, ribbons and the collision mesh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from viewer.compare.diff.pair import DocumentPair
from viewer.compare.diff.values import changed_values
from viewer.errors import counted
from viewer.scene.difference import Change, Difference, DifferenceGroup
from viewer.scene.items import (
    AttachmentItem,
    CameraItem,
    EmitterItem,
    EventItem,
    Item,
    LightItem,
    NumberedItem,
    RibbonItem,
)
from viewer.scene.names import paired

EFFECTS = DifferenceGroup.EFFECTS
PARTS: tuple[tuple[str, type[NumberedItem]], ...] = (
    ("cameras", CameraItem),
    ("lights", LightItem),
    ("attachments", AttachmentItem),
    ("events", EventItem),
    ("emitters", EmitterItem),
    ("ribbons", RibbonItem),
)
UNSEEN = ("name", "troubles", "parameters")


def effect_differences(pair: DocumentPair) -> Iterator[Difference]:
    """Find the differences of cameras, lights, effects and other such parts in two models of one engine.
    Parts without names match by their order.
    """
    if not pair.related:
        return
    clips = ((None, None), *((one[1], other[1]) for one, other in pair.clip_pairs))
    for field, kind in PARTS:
        first, second = getattr(pair.first, field), getattr(pair.second, field)
        yield from _parts(pair, kind, (first, second), clips)
    one, other = pair.first.collision, pair.second.collision
    for text in changed_values(one, other, pair.tolerance, "mesh"):
        yield Difference(EFFECTS, Change.CHANGED, "collision", text)


def _parts(
    pair: DocumentPair, kind: type[NumberedItem], parts: tuple[Sequence[Any], Sequence[Any]], clips: Any
) -> Iterator[Difference]:
    """Compare the two lists in `parts`, one from each model, with elements such as cameras. `kind` is the
    item type of the elements.
    """
    names = [[str(getattr(each, "name", "")) for each in side] for side in parts]
    pairs = paired(*names)
    there = set(pairs.values())
    for row in range(len(parts[0])):
        if row not in pairs:
            yield _difference(Change.REMOVED, kind, names[0], row, items=(kind(row),))
    for row in range(len(parts[1])):
        if row not in there:
            yield _difference(Change.ADDED, kind, names[1], row, other_items=(kind(row),))
    for row, partner in pairs.items():
        values = parts[0][row], parts[1][partner]
        texts = list(changed_values(*values, pair.tolerance, without=UNSEEN, clips=clips))
        if texts:
            items = (kind(row),), (kind(partner),)
            yield _difference(Change.CHANGED, kind, names[0], row, _joined(texts), *items)


def _joined(texts: Sequence[str]) -> str:
    more = f", {counted(len(texts) - 8, 'more value')}" if len(texts) > 8 else ""
    return ", ".join(texts[:8]) + more


def _difference(
    change: Change,
    kind: type[NumberedItem],
    names: Sequence[str],
    row: int,
    text: str = "",
    items: tuple[Item, ...] = (),
    other_items: tuple[Item, ...] = (),
) -> Difference:
    name = f"{kind.kind} {names[row] or row}"
    return Difference(EFFECTS, change, name, text, items=items, other_items=other_items)
