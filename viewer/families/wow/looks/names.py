"""The names that the game's tables give to a model and to its animations.

Source: wowdev.wiki AnimationData, SpellVisualEffectName, GameObjectDisplayInfo; measured on tables of 1.12.1
and 3.3.5a.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import force_setattr

from viewer.budget import BUDGET
from viewer.families.wow.looks.tables import TableLog, places, rows_naming
from viewer.families.wow.m2.names import ANIMATIONS
from viewer.scene.document import Document
from viewer.scene.table import Table

EFFECTS, OBJECTS, CLIPS = "SpellVisualEffectName", "GameObjectDisplayInfo", "AnimationData"
NO_FALLBACK = -1


def names_of(path: str, log: TableLog) -> tuple[str, ...]:
    """The names of a model in the nearest tables of spell effects and of objects: the effect's name, or
    `object 31` for an object with the display 31.
    """
    objects = (f"object {id}" for id in _names(path, OBJECTS, "id", log))
    return tuple(dict.fromkeys((*_names(path, EFFECTS, "name", log), *objects)))


def _names(path: str, name: str, column: str, log: TableLog) -> Iterator[str]:
    """Find the nearest table with rows that name a model; yield the texts of a column in these rows."""
    for place in places(path, name, log):
        table = place.table(name, "id", "model", column)
        if table is None:
            continue
        rows = rows_naming(table, "model", path)
        if len(rows):
            values = table.values(table.column(column) or 0, rows[: BUDGET.kept_names])
            yield from filter(None, map(str, values))
            return


def name_clips(document: Document, log: TableLog) -> None:
    """Name the clips of a newly opened document after the nearest table of animations. Tag each clip with its
    fallback, the animation that the game plays if a model lacks the animation of the clip.

    The clips keep their identity, because the document's motions are looked up by clip.
    """
    ids = {each: int(each.facts["id"]) for each in document.animations if "id" in each.facts}
    if not ids:
        return
    place = next(places(document.path, CLIPS, log), None)
    table = place.table(CLIPS, "id", "name", "fallback") if place is not None else None
    if table is None:
        return
    for clip, id in ids.items():
        name, fallback = _clip(table, id)
        if name and (id >= len(ANIMATIONS) or name != ANIMATIONS[id]):
            variation = int(clip.facts.get("variation", 0))
            force_setattr(clip, "name", f"{name} {variation}" if variation else name)
        if fallback:
            force_setattr(clip, "tags", (*clip.tags, f"fallback {fallback}"))


def _clip(table: Table, id: int) -> tuple[str, str]:
    """The name of an animation, and the name of its fallback; empty texts without a row or a fallback."""
    row = table.row_of(id)
    if row is None:
        return "", ""
    fallback = int(table.records["fallback"][row])
    named = table.row_of(fallback) if fallback not in (NO_FALLBACK, id) else None
    number = table.column("name") or 0
    return str(table.value(row, number)), "" if named is None else str(table.value(named, number))
