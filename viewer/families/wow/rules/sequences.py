"""Rules for the sequences of a WoW model: their lookup, aliases and variations.

Source: wowdev.wiki M2; the search in the lookup: whoa `CM2Model`, checked on clients' files.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.arrays import Array
from viewer.check.check_context import CheckContext
from viewer.check.rule import MOST_ITEMS, Found, Rule, listed
from viewer.errors import counted
from viewer.families.wow.rules.files import m2_files
from viewer.families.wow.rules.row_numbers import finding_at
from viewer.scene.finding import Severity
from viewer.scene.items import AnimationItem


def unfound(context: CheckContext) -> Iterator[Found]:
    """Report animation ids that the lookup does not find. A model without a lookup is skipped, because the
    client searches the rows of its sequences one by one.
    """
    files = context.once(m2_files)
    if files is None or not len(files.sequences) or not len(files.table("sequence_lookup")):
        return
    ids, entries = files.sequences["id"], files.table("sequence_lookup").tolist()
    lost = [wanted for wanted in np.unique(ids).tolist() if not _is_found(wanted, entries, ids)]
    if lost:
        names = listed([str(each) for each in lost])
        text = f"sequence_lookup leads to no sequence for {counted(len(lost), 'animation id')}: {names}"
        yield finding_at(files, text, "sequence_lookup", lost[0] % len(entries))


def _is_found(id: int, entries: list[int], ids: Array) -> bool:
    """Whether the lookup finds an id. The search begins at entry `id` modulo the number of entries,
    continues 1, 5, 14, … entries after the first entry, and ends at an entry without a sequence.
    """
    at = id % len(entries)
    for step in range(1, len(entries) + 1):
        row = entries[at]
        if not 0 <= row < len(ids):
            return False
        if ids[row] == id:
            return True
        at = (at + step * step) % len(entries)
    return False


def aliases(context: CheckContext) -> Iterator[Found]:
    """Report aliases that lead to no sequence: their row lies outside the table, or the aliases form a
    circle.
    """
    files = context.once(m2_files)
    if files is None or not len(files.sequences):
        return
    count = len(files.sequences)
    is_alias = files.aliases
    ahead = np.where(is_alias, files.sequences["alias"].astype(np.int64), np.arange(count))
    for row in np.flatnonzero(ahead >= count).tolist():
        text = f"sequence {row} is an alias of sequence {ahead[row]}; there are {count}"
        yield finding_at(files, text, "sequences", row, "alias")._replace(items=(AnimationItem(row),))
    circle = np.flatnonzero(np.append(is_alias, False)[_ends(ahead)])
    if len(circle):
        names = listed([str(row) for row in circle.tolist()])
        text = f"{counted(len(circle), 'alias', 'aliases')} lead in a circle: sequences {names}"
        found = finding_at(files, text, "sequences", int(circle[0]), "alias")
        yield found._replace(items=tuple(AnimationItem(row) for row in circle[:MOST_ITEMS].tolist()))


def _ends(ahead: Array) -> Array:
    """[S]: the sequence that each of the S sequences reaches if `ahead` is followed for at least S steps. If
    a sequence reaches none, its value is S.
    """
    count = len(ahead)
    ahead = np.append(np.where((ahead >= 0) & (ahead < count), ahead, count), count)
    for _ in range(count.bit_length()):
        ahead = ahead[ahead]
    return ahead[:count]


def variations(context: CheckContext) -> Iterator[Found]:
    """Report sequences whose next variation has another id, and variations that form a circle."""
    files = context.once(m2_files)
    if files is None or not len(files.sequences):
        return
    count, ids = len(files.sequences), files.sequences["id"]
    ahead = files.sequences["next_variation"].astype(np.int64)
    known = np.flatnonzero((ahead >= 0) & (ahead < count))
    for row in known[ids[ahead[known]] != ids[known]].tolist():
        other = int(ahead[row])
        text = f"the next variation of sequence {row} (id {ids[row]}) is sequence {other} (id {ids[other]})"
        found = finding_at(files, text, "sequences", row, "next_variation")
        yield found._replace(items=(AnimationItem(row),))
    circle = np.flatnonzero(_ends(ahead) < count)
    if len(circle):
        names = listed([str(row) for row in circle.tolist()])
        text = f"the next variations of sequences {names} lead in a circle"
        found = finding_at(files, text, "sequences", int(circle[0]), "next_variation")
        yield found._replace(items=tuple(AnimationItem(row) for row in circle[:MOST_ITEMS].tolist()))


RULES = (
    Rule(
        "m2/sequence-lookup",
        Severity.WARNING,
        "An animation is not found by its id",
        unfound,
        {"WoW": "The client plays Stand instead, or nothing."},
        "Export the model again, so that its sequence lookup is built again.",
        "sequence_lookup leads to no sequence for 1 animation id: 60",
    ),
    Rule(
        "m2/alias",
        Severity.ERROR,
        "An alias leads to no sequence",
        aliases,
        {"WoW": "The client reads unrelated memory, or follows the circle forever."},
        "Set the alias to the sequence whose keys it plays, or remove flag 0x40.",
        "2 aliases lead in a circle: sequences 3, 4",
    ),
    Rule(
        "m2/variation",
        Severity.WARNING,
        "The next variation belongs to another animation",
        variations,
        {"WoW": "The client plays another animation at random, or searches forever."},
        "Set each next variation to a sequence with the same id, and the next variation of the last "
        "sequence to -1.",
        "the next variation of sequence 3 (id 0) is sequence 4 (id 5)",
    ),
)
