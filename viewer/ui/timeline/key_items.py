"""Keys and tracks of an animation as items of the document that it was read from."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from viewer.binary.span import Span
from viewer.dataclass import dataclass
from viewer.errors import counted
from viewer.scene.animation import Animation
from viewer.scene.document import Document, items_of
from viewer.scene.items import ClipItem, Item, KeyItem, TrackItem
from viewer.session.state import State


@dataclass(frozen=True, slots=True, eq=False)
class _Tracks:
    """The tracks of an animation: `first` is the first one, `numbers` are by the names of what they move."""

    first: TrackItem
    numbers: dict[str, int]


_TRACKS: WeakKeyDictionary[Animation, _Tracks] = WeakKeyDictionary()


def source(state: State, animation: Animation) -> Document | None:
    """The document that an animation was read from."""
    attached = state.document.attached if state.document else ()
    named = (each for each in attached if animation.source == each.path)
    return next(named, None) or state.source(animation)


def track_item(state: State, animation: Animation, target: str) -> TrackItem | None:
    """The item of the track that moves `target`, None if its bytes are unknown."""
    tracks = _TRACKS.get(animation)
    if tracks is None:
        document = source(state, animation)
        tracks = _TRACKS[animation] = (
            _tracks(document, animation) if document else _Tracks(TrackItem(None, 0), {})
        )
    return tracks.first.sibling(tracks.numbers[target]) if target in tracks.numbers else None


def _tracks(document: Document, animation: Animation) -> _Tracks:
    """The tracks of a file with one animation, or of the animation with the same name.

    Of two tracks with one name the later counts, as in the animation.
    """
    tables = document.origin.tables
    clips = tables.get(ClipItem(0))
    names = [clip.value for clip in items_of(clips).children] if clips else []
    first = TrackItem(names.index(animation.name) if animation.name in names else None, 0)
    table = tables.get(first)
    rows = [span for span in items_of(table).children if span.name != "count"] if table else []
    return _Tracks(first, {str(span.value): number for number, span in enumerate(rows)})


def key_item(state: State, animation: Animation, target: str, number: int) -> KeyItem | None:
    """The item of a key of `target`, None if its bytes are unknown."""
    track = track_item(state, animation, target)
    item = KeyItem(track, number) if track else None
    return item if span_of(state, animation, item) is not None else None


def span_of(state: State, animation: Animation, item: Item | None) -> Span | None:
    """The bytes of a track or key."""
    document = source(state, animation)
    return document.origin.span(item) if document and item is not None else None


def select(state: State, animation: Animation, item: Item | None) -> None:
    """Select a track or key in its own file."""
    if item is not None:
        document = source(state, animation)
        state.selection.pick(item, None if document is state.document else document)


def place(state: State, animation: Animation, item: Item | None) -> str:
    """`@ 0x3F21C  32 bytes  Walk.ani`, or an empty text."""
    document, span = source(state, animation), span_of(state, animation, item)
    if document is None or span is None:
        return ""
    file = document.path.replace("\\", "/").rpartition("/")[2]
    return f"@ 0x{span.offset:X}   {counted(span.size, 'byte')}   {file}"
