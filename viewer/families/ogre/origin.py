"""Find the spans of an OGRE file's items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial

from viewer.binary import Chunk, Rows, Span, Struct
from viewer.families.ogre.extras_layout import POSE_SHAPE, POSES
from viewer.families.ogre.mesh_layout import MESH, SUBMESH
from viewer.families.ogre.skeleton_layout import (
    ANIMATION,
    BONE,
    KEY_LIST,
    KEYS,
    LISTED_KEYS,
    TRACK,
    TRACK_BONE,
)
from viewer.scene.items import BoneItem, ClipItem, GeometryItem, Item, KeyItem, MorphItem, TrackItem


def mesh_tables(root: Span, mesh: Chunk = MESH, submesh: Chunk = SUBMESH) -> dict[Item, Span]:
    """Return the spans with the submeshes (geometry items) and the poses (morph items) as children. `mesh`
    and `submesh` are the layouts of these chunks in the version of the file.
    """
    parts = (root.part(mesh) or root).children
    poses = [inner for span in parts if span.layout is POSES for inner in span.children]
    found = {GeometryItem(0): _table(parts, submesh), MorphItem(0): _table(poses, POSE_SHAPE)}
    return {first: table for first, table in found.items() if table is not None}


def skeleton_tables(root: Span, names: Mapping[int, str]) -> dict[Item, Span]:
    """Return the spans with the bones, animations, tracks and keys as children. The value of a track's span
    is the name of the track's bone. `names` are the names of bones by handle.
    """
    bones, clips = _table(root.children, BONE), _table(root.children, ANIMATION)
    tables: dict[Item, Span] = {} if bones is None else {BoneItem(0): bones}
    if clips is None:
        return tables
    tables[ClipItem(0)] = clips
    for number, clip in enumerate(clips.children):
        table = _table(clip.children, TRACK)
        if table is None:
            continue
        named = partial(_named, table, names)
        tables[TrackItem(number, 0)] = Span(table.name, table.offset, table.size, table.type, children=named)
        for row, track in enumerate(table.children):
            keys = Span("keys", track.offset, track.size, children=partial(_keys, track))
            tables[KeyItem(TrackItem(number, row), 0)] = keys
    return tables


def skeleton_tracks(record: Struct, names: Mapping[int, str]) -> dict[str, dict[str, TrackItem]]:
    """Return the track items by the name of the animation, then by the name of the bone. `names` are the
    names of bones by handle. If several animations have the same name, the first animation is used. If
    several tracks move a bone, the last track is used.
    """
    chunks = record.get("chunks")
    clips = enumerate(chunks.all(ANIMATION) if chunks else ())
    return {
        str(clip.get("name", "")): {
            names[track.bone]: TrackItem(number, row)
            for row, track in enumerate(clip.chunks.all(TRACK) if clip.get("chunks") else ())
            if track.get("bone") in names
        }
        for number, clip in reversed(list(clips))
    }


def _named(table: Span, names: Mapping[int, str]) -> list[Span]:
    """The spans of the tracks, each with its bone's name as value."""
    named = []
    for index, track in enumerate(table.children):
        handle = track.part(TRACK_BONE)
        own = _row(track, index)
        own.value = names.get(int(handle.value), track.value) if handle is not None else track.value
        named.append(own)
    return named


def _keys(track: Span) -> Sequence[Span]:
    """The spans of a track's keys; none unless they are one run in ascending order of time."""
    runs = [span for span in track.children if span.layout is KEYS]
    lists = [span.part(LISTED_KEYS) for span in track.children if span.layout is KEY_LIST]
    runs += [span for span in lists if span is not None]
    rows = runs[0].children if len(runs) == 1 else ()
    if not isinstance(rows, Rows) or rows.items is None:
        return ()
    times = rows.items["time"]
    return rows if (times[1:] >= times[:-1]).all() else ()


def _table(spans: Sequence[Span], kind: Chunk) -> Span | None:
    """Return one span with the children of all `spans` whose layout is `kind`. None if there are no such
    children.
    """
    groups = [span for span in spans if span.layout is kind and len(span.children)]
    if len(groups) < 2:
        return groups[0] if groups else None
    rows = [child for group in groups for child in group.children]
    start, end = rows[0].offset, rows[-1].end
    numbered = [_row(span, number) for number, span in enumerate(rows)]
    return Span(groups[0].name, start, end - start, groups[0].type, children=numbered)


def _row(span: Span, index: int) -> Span:
    """A copy of the span as row `index` of a table."""
    copied = copy(span)
    copied.name, copied.index = f"[{index}]", index
    return copied
