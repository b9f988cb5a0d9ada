"""The spans of the items of an OGRE file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from viewer.binary import Rows, Span
from viewer.formats.ogre.skeleton_layout import KEY_LIST, KEYS
from viewer.scene.items import BoneItem, ClipItem, GeometryItem, Item, KeyItem, MorphItem, TrackItem

OWN: dict[str, Item] = {"submesh": GeometryItem(0), "pose": MorphItem(0)}


def mesh_tables(root: Span) -> dict[Item, Span]:
    """Submeshes as geometries, poses as morphs."""
    mesh = next((span for span in root.children if span.name == "mesh"), root)
    groups = [
        *mesh.children,
        *(inner for span in mesh.children if span.name == "poses" for inner in span.children),
    ]
    return dict(_tables(groups, OWN))


def skeleton_tables(root: Span, names: Mapping[int, str]) -> dict[Item, Span]:
    """Bones, animations, tracks and keys. A track's value is the name that its bone handle has in `names`."""
    tables = dict(_tables(root.children, {"bone": BoneItem(0), "animation": ClipItem(0)}))
    clips = tables.get(ClipItem(0))
    for number, clip in enumerate(clips.children if clips else ()):
        for _, table in _tables(clip.children, {"track": TrackItem(number, 0)}):
            tables[TrackItem(number, 0)] = Span(
                table.name, table.offset, table.size, table.type, children=partial(_named, table, names)
            )
            for row, track in enumerate(table.children):
                tables[KeyItem(TrackItem(number, row), 0)] = Span(
                    "keys", track.offset, track.size, children=partial(_keys, track)
                )
    return tables


def _named(table: Span, names: Mapping[int, str]) -> list[Span]:
    """The tracks, each with the name of its bone as value."""
    named = []
    for track in table.children:
        handle = next((span.value for span in track.children if span.name == "bone"), None)
        own = _copied(track, track.name)
        own.value = names.get(int(handle), track.value) if handle is not None else track.value
        named.append(own)
    return named


def _keys(track: Span) -> Sequence[Span]:
    """The keys of a track, if it has a single run of keys in the order of time."""
    runs = [span for span in track.children if span.name == KEYS.name]
    lists = [span for span in track.children if span.name == KEY_LIST.name]
    runs += [span for each in lists for span in each.children if span.name == "keys"]
    rows = runs[0].children if len(runs) == 1 else ()
    if not isinstance(rows, Rows) or rows.items is None:
        return ()
    times = rows.items["time"]
    return rows if (times[1:] >= times[:-1]).all() else ()


def _tables(spans: Sequence[Span], kinds: Mapping[str, Item]) -> Iterator[tuple[Item, Span]]:
    """The groups of chunks of each kind; several groups of one kind are joined in one table."""
    for name, first in kinds.items():
        groups = [span for span in spans if span.name == name and len(span.children)]
        if len(groups) == 1:
            yield first, groups[0]
        elif groups:
            rows = [child for group in groups for child in group.children]
            numbered = [_copied(span, f"[{number}]") for number, span in enumerate(rows)]
            start, end = rows[0].offset, rows[-1].end
            yield first, Span(name, start, end - start, groups[0].type, children=numbered)


def _copied(span: Span, name: str) -> Span:
    inner = span.children
    return Span(
        name,
        span.offset,
        span.size,
        span.type,
        span.value,
        span.note,
        inner,
        span.error,
        span.warning,
    )
