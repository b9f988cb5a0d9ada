"""Which bytes the items of an OGRE file came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.binary import Span
from viewer.scene.document import Item

OWN = {"submesh": "geometry", "pose": "morph"}


def mesh_tables(root: Span) -> dict[Item, Span]:
    """Submeshes as geometries, poses as morphs."""
    mesh = next((span for span in root.children if span.name == "mesh"), root)
    groups = [
        *mesh.children,
        *(inner for span in mesh.children if span.name == "poses" for inner in span.children),
    ]
    return dict(_tables(groups, OWN))


def skeleton_tables(root: Span) -> dict[Item, Span]:
    """Bones, animations, the tracks of animation n as ("track", n, …)."""
    tables = dict(_tables(root.children, {"bone": "bone", "animation": "clip"}))
    clips = tables.get(("clip",))
    for number, clip in enumerate(clips.children if clips else ()):
        for _, table in _tables(clip.children, {"track": "track"}):
            tables["track", number] = table
    return tables


def _tables(spans: Sequence[Span], kinds: dict[str, str]) -> Iterator[tuple[Item, Span]]:
    """The groups of chunks of each kind; several groups of one kind count as one table."""
    for name, kind in kinds.items():
        groups = [span for span in spans if span.name == name and len(span.children)]
        if len(groups) == 1:
            yield (kind,), groups[0]
        elif groups:
            rows = [child for group in groups for child in group.children]
            numbered = [_renamed(span, number) for number, span in enumerate(rows)]
            start, end = rows[0].offset, rows[-1].end
            yield (kind,), Span(name, start, end - start, groups[0].type, children=numbered)


def _renamed(span: Span, number: int) -> Span:
    inner = span.children
    return Span(
        f"[{number}]",
        span.offset,
        span.size,
        span.type,
        span.value,
        span.note,
        inner,
        span.error,
        span.warning,
    )
