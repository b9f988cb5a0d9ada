"""Brings the items or the bytes of a problem into view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from viewer.actions.animations import play_picked
from viewer.scene.document import Document
from viewer.scene.items import AnimationItem, ByteItem, Item
from viewer.scene.parts import PART_KINDS
from viewer.session.requests import FitView, Post
from viewer.session.state import State
from viewer.ui.item_text import item_bytes
from viewer.ui.problems.problem_rows import ProblemRow
from viewer.ui.timeline.keys import moved_bones


def problem_items(state: State, row: ProblemRow) -> tuple[Item, ...]:
    """Return the items of a problem, converted to items of the document in view."""
    return tuple(_located(state, row))


def select_problem(state: State, row: ProblemRow, bring: bool = True) -> None:
    """Select the first item of a problem in its document and mark all items. Without items, select the bytes.

    With `bring`, a panel for the problem comes to the front, unless it would cover the focused panel. For a
    missing file this is the Properties panel, in which the user can choose the file; for a problem without
    items it is the Chunks panel.
    """
    if row.owner not in state.documents.opened or row.owner is None:
        return
    _come_to(state, row.owner)
    items = problem_items(state, row)
    source = None if row.document is state.document else row.document
    state.view.selection.group = _marked(state, row)
    if items:
        state.view.selection.pick(items[0], source)
    elif row.need is not None:
        state.view.selection.pick(None)
    if bring and row.need is not None and (not items or _is_file(items[0])):
        state.interface.bring("properties", cover=False)
    byte = _byte(row)
    if not items and byte is not None:
        state.view.selection.pick(byte, source)
        if bring:
            state.interface.bring("chunks", cover=False)


def select_problems(state: State, rows: Sequence[ProblemRow]) -> None:
    """Select the first of several problems.

    Mark the items of all these problems that are in the same document.
    """
    select_problem(state, rows[0], bring=False)
    if rows[0].owner is None or rows[0].owner not in state.documents.opened:
        return
    together = (row for row in rows if row.owner is rows[0].owner)
    state.view.selection.group = tuple(
        dict.fromkeys(item for row in together for item in _marked(state, row))
    )


def show_bytes(state: State, row: ProblemRow) -> None:
    """Select a problem and bring the Chunks panel to the front.

    If the problem's item begins at another offset, select the byte of the problem instead.
    """
    select_problem(state, row, bring=False)
    byte, selection = _byte(row), state.view.selection
    found = item_bytes(state, selection.picked) if selection.picked is not None else None
    if byte is not None and (found is None or (found[0], found[1].offset) != (row.document, byte.number)):
        selection.pick(byte, row.document if row.document is not state.document else None)
    state.interface.bring("chunks")


def _byte(row: ProblemRow) -> ByteItem | None:
    """The byte of a problem; None if its offset is unknown or its file is not open."""
    if row.finding.offset is None or row.document is None or not len(row.document.data):
        return None
    return ByteItem(min(row.finding.offset, len(row.document.data) - 1))


def present_problem(state: State, post: Post, row: ProblemRow) -> None:
    """Select a problem and present it: frame its items, play its animation, or bring its bytes to the
    front.
    """
    select_problem(state, row)
    picked = state.view.selection.picked
    if isinstance(picked, ByteItem):
        show_bytes(state, row)
    elif isinstance(picked, AnimationItem):
        play_picked(state)
    elif picked is not None and picked.placed:
        post(FitView(selected=True))


def _marked(state: State, row: ProblemRow) -> tuple[Item, ...]:
    """The items to mark for a problem: its own items, and the bones that its tracks move."""
    items = problem_items(state, row)
    bones = moved_bones(row.document, state.skeleton, items) if row.document is not None else ()
    return (*items, *bones)


def _is_file(item: Item) -> bool:
    """Whether the item has the name of a file, for which the user can choose another."""
    return type(item) in PART_KINDS and PART_KINDS[type(item)].is_file


def _come_to(state: State, owner: Document) -> None:
    """Show a document. A file with clips for the document in view does not come into view."""
    if owner is not state.document and not state.gives_clips(owner):
        state.show(state.documents.opened.index(owner))


def _located(state: State, row: ProblemRow) -> Iterator[Item]:
    """Yield the items of a problem. Animations are numbered as in the document in view."""
    numbers = {id(clip): number for number, clip in enumerate(state.playback.animations)}
    for item in row.finding.items:
        if not isinstance(item, AnimationItem):
            yield item
        elif row.checked is not None and id(row.checked.clip(item)) in numbers:
            yield AnimationItem(numbers[id(row.checked.clip(item))])
