"""Keys and tracks of an animation as items of the document that it was read from."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from viewer.binary.span import Span
from viewer.scene.animation import Animation
from viewer.scene.document import Document, Item, items_of
from viewer.state import State

_NUMBERS: WeakKeyDictionary[Animation, dict[str, int]] = WeakKeyDictionary()


def track_item(state: State, animation: Animation, target: str) -> Item | None:
    """The item of the track that moves `target`, None where the file does not say where it is."""
    numbers = _NUMBERS.get(animation)
    if numbers is None:
        document = state.source(animation)
        numbers = _NUMBERS[animation] = _numbers(document) if document else {}
    return ("track", numbers[target]) if target in numbers else None


def _numbers(document: Document) -> dict[str, int]:
    """Names to track numbers; of two tracks of one name the later one counts, as in the animation."""
    table = document.origin.tables.get(("track",))
    rows = [span for span in items_of(table).children if span.name != "count"] if table else []
    return {str(span.value): number for number, span in enumerate(rows)}


def key_item(state: State, animation: Animation, target: str, number: int) -> Item | None:
    """The item of a key of `target`, None where the file does not say where it is."""
    track = track_item(state, animation, target)
    return ("key", track[1], number) if track else None


def span_of(state: State, animation: Animation, item: Item | None) -> Span | None:
    """The bytes of a track or key."""
    document = state.source(animation)
    return document.origin.span(item) if document and item is not None else None


def select(state: State, animation: Animation, item: Item | None) -> None:
    """Select a track or key, in the file that it is in."""
    if item is not None:
        document = state.source(animation)
        state.selection.pick(item, None if document is state.document else document)


def place(state: State, animation: Animation, item: Item | None) -> str:
    """`@ 0x3F21C  32 bytes  Walk.ani`, or nothing."""
    document, span = state.source(animation), span_of(state, animation, item)
    if document is None or span is None:
        return ""
    file = document.path.replace("\\", "/").rpartition("/")[2]
    return f"@ 0x{span.offset:X}   {span.size} bytes   {file}"
