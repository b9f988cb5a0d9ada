"""Keys and tracks of an animation as items of the document that it was read from."""

from __future__ import annotations

from viewer.binary.span import Span
from viewer.errors import counted
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.items import Item, KeyItem, TrackItem
from viewer.session.state import State


def source(state: State, animation: Animation) -> Document | None:
    """The document that an animation was read from."""
    attached = state.document.attached if state.document else ()
    named = (each for each in attached if animation.source == each.path)
    return next(named, None) or state.source(animation)


def track_item(state: State, animation: Animation, target: str) -> TrackItem | None:
    """The item of the track that moves `target`, None if its bytes are unknown."""
    document = source(state, animation)
    return document.origin.tracks.get(animation.name, {}).get(target) if document else None


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


def file_location(state: State, animation: Animation, item: Item | None) -> str:
    """`@ 0x3F21C  32 bytes  Walk.ani`, or an empty text."""
    document, span = source(state, animation), span_of(state, animation, item)
    if document is None or span is None:
        return ""
    file = document.path.replace("\\", "/").rpartition("/")[2]
    return f"@ 0x{span.offset:X}   {counted(span.size, 'byte')}   {file}"
