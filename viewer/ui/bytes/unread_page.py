"""The page of a file without readable content: the recognised format, and the reason why reading stopped."""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene.items import ByteItem
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, ERROR
from viewer.ui.kit.widgets import colored, faint, hint, mono, wrapped

MOST_ERRORS = 20
"""The number of errors on the page; the Messages panel has them all."""


def unread_page(state: State, post: Post) -> None:
    """Draw the page of the document in view."""
    document = state.document
    if document is None:
        return
    colored(" ".join(filter(None, (document.format, document.version))), ACCENT)
    imgui.same_line()
    faint(f"{len(document.data):,} bytes".replace(",", " "))
    errors = document.report.errors
    for number, error in enumerate(errors[:MOST_ERRORS]):
        wrapped(error.why, ERROR)
        if not error.path and not error.offset:
            continue
        faint(error.path)
        imgui.same_line()
        with mono():
            if imgui.button(f"0x{error.offset:X}##{number}"):
                state.selection.pick(ByteItem(min(error.offset, len(document.data) - 1)))
                state.interface.bring("chunks")
        hint("Show these bytes")
    if len(errors) > MOST_ERRORS:
        faint(f"and {len(errors) - MOST_ERRORS} more errors in Messages")
    if imgui.button("Show the bytes"):
        state.interface.bring("chunks")
