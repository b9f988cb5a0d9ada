"""Differences in meaning between two documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, IntEnum

from msgspec import Struct
from msgspec.structs import replace

from viewer.errors import counted
from viewer.scene.items import GeometryItem, Item, NumberedItem
from viewer.scene.parts import MODEL_PARTS


class DifferenceGroup(IntEnum):
    """The kinds of parts that can differ, the most important first."""

    CONTENT = 0
    BONES = 1
    GEOMETRIES = 2
    VERTICES = 3
    MATERIALS = 4
    TEXTURES = 5
    MORPHS = 6
    ANIMATIONS = 7
    EFFECTS = 8
    FILES = 9
    FIELDS = 10
    BOUNDS = 11
    VERSION = 12

    @property
    def word(self) -> str:
        """The name in lower case, as on the command line."""
        return self.name.lower()


class Change(Enum):
    """What happened to a part."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"


NOUNS = {kind.plural: kind.noun for kind in MODEL_PARTS} | {"files": "file", "fields": "field"}
"""The singular of the parts that a summary counts, by the plural, which is the word of their group."""


class Difference(Struct, frozen=True):
    """A difference of the part `name`. `text` has its numbers; it may be empty.

    `amount` is the largest deviation in `unit` (`units`, `degrees` or none), `times` are the times in seconds
    at which keys differ. `items` are the part's items in the first document, `other_items` the part's items
    in the second document. A `minor` difference changes nothing that is drawn.
    """

    group: DifferenceGroup
    change: Change
    name: str
    text: str = ""
    amount: float = 0.0
    unit: str = ""
    times: tuple[float, ...] = ()
    items: tuple[Item, ...] = ()
    other_items: tuple[Item, ...] = ()
    minor: bool = False


class Differences(Struct, frozen=True):
    """The differences between two documents: `found` is sorted first by group (the most important first),
    then by kind (removed, added, renamed, changed), then by amount (the largest first).

    `notes` say how the documents were compared and what could not be compared. `unequal_bytes` is the number
    of differing bytes (0: equal files). `tolerance` is the largest distance, in units of the first document,
    between positions that count as equal.
    """

    found: tuple[Difference, ...]
    notes: tuple[str, ...] = ()
    unequal_bytes: int = 0
    tolerance: float = 0.0

    @property
    def same(self) -> bool:
        """Whether both documents mean the same."""
        return not self.found

    @property
    def minor(self) -> bool:
        """Whether all differences are minor, so that both documents look the same."""
        return all(each.minor for each in self.found)

    @property
    def summary(self) -> str:
        """The differences in one line: `different: 2 bones, vertices of 1 geometry, version`."""
        if not self.unequal_bytes and not self.found:
            return "same bytes"
        if not self.found:
            return f"same meaning, {counted(self.unequal_bytes, 'byte differs', 'bytes differ')}"
        start = "same picture and motion, different" if self.minor else "different"
        return f"{start}: {', '.join(self._counts())}"

    def _counts(self) -> list[str]:
        groups: dict[DifferenceGroup, list[Difference]] = {}
        for each in self.found:
            groups.setdefault(each.group, []).append(each)
        return [_count(*each) for each in groups.items()]


def _count(group: DifferenceGroup, differences: list[Difference]) -> str:
    names = {each.name for each in differences}
    if group is DifferenceGroup.VERTICES:
        parts = {item for each in differences for item in each.items if isinstance(item, GeometryItem)}
        return f"vertices of {counted(len(parts), 'geometry', 'geometries')}"
    if (
        group in PART_OF_MODEL
        and len(names) == 1
        and not any(each.items + each.other_items for each in differences)
    ):
        return differences[0].name
    return counted(len(names), NOUNS[group.word], group.word) if group.word in NOUNS else group.word


PART_OF_MODEL = (DifferenceGroup.BONES, DifferenceGroup.TEXTURES, DifferenceGroup.MORPHS)
"""The groups that can differ as a whole; `Difference.name` is then `skeleton`, `picture` or `shapes`."""


def one_sided(
    group: DifferenceGroup,
    kind: type[NumberedItem],
    names: Sequence[Sequence[str]],
    pairs: Mapping[int, int],
    text: Callable[[int, int], str] = lambda side, number: "",
) -> Iterator[Difference]:
    """Yield the differences of the parts that only one document has: the removed parts, then the added parts.

    `names` has the names of all parts in each document, and `pairs` the numbers of the matching parts.
    `text(side, number)` describes a part of the first (side 0) or the second (side 1) document.
    """
    matched = pairs.keys(), set(pairs.values())
    for side, change in enumerate((Change.REMOVED, Change.ADDED)):
        for number, name in enumerate(names[side]):
            if number not in matched[side]:
                items: tuple[tuple[Item, ...], ...] = (kind(number),), ()
                found = Difference(group, change, name, text(side, number))
                yield replace(found, items=items[side], other_items=items[1 - side])


ORDER = {Change.REMOVED: 0, Change.ADDED: 1, Change.RENAMED: 2, Change.CHANGED: 3}


def in_order(differences: list[Difference]) -> tuple[Difference, ...]:
    """Sort differences in the order of `Differences`; the differences of one part stay together."""
    peaks: dict[tuple[DifferenceGroup, Change, str], float] = {}
    for each in differences:
        part = each.group, each.change, each.name
        peaks[part] = max(peaks.get(part, 0.0), each.amount)

    def sort_key(each: Difference) -> tuple[object, ...]:
        peak = peaks[each.group, each.change, each.name]
        last = each.minor, each.amount > 0, -each.amount
        return each.group, ORDER[each.change], -peak, each.name if peak else "", *last

    return tuple(sorted(differences, key=sort_key))
