"""The head of the page of a file of bytes alone: the recognised format, and the reasons why reading stopped.
The bytes follow below it.
"""

from __future__ import annotations

from imgui_bundle import imgui

from viewer.scene.items import ByteItem
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.theme import ACCENT, ERROR
from viewer.ui.kit.widgets import colored, faint, hint, mono, wrapped

LISTED_ERRORS = 4
"""The number of errors on the page; the list of problems has them all, and the bytes need the room."""


def unread_page(state: State, post: Post) -> None:
    """Draw the page of the document in view."""
    document = state.document
    if document is None:
        return
    colored(" ".join(filter(None, (document.format, document.version))), ACCENT)
    imgui.same_line()
    faint(f"{len(document.data):,} bytes".replace(",", " "))
    errors = document.report.errors
    for number, error in enumerate(errors[:LISTED_ERRORS]):
        if not error.path and not error.offset:
            wrapped(error.why, ERROR)
            continue
        with mono():
            if imgui.small_button(f"0x{error.offset:X}##{number}"):
                state.selection.pick(ByteItem(min(error.offset, len(document.data) - 1)))
        hint("Show these bytes")
        imgui.same_line()
        colored(error.why, ERROR)
        imgui.same_line()
        faint(error.path)
    if len(errors) > LISTED_ERRORS:
        faint(f"and {len(errors) - LISTED_ERRORS} more, see the problems below")
