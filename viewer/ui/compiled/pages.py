"""The pages that replace the picture for a document that is not drawn in 3D."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from viewer.scene.items import ByteItem
from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.scene.table import Table
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.kit.texts import grouped
from viewer.ui.kit.theme import ACCENT, ERROR
from viewer.ui.kit.widgets import colored, faint, hint, mono, wrapped

PageDrawer = Callable[[State, Post], None]
PAGES: dict[type, str] = {
    CompiledShader: "viewer.ui.compiled.shader_page:ShaderPage",
    CompiledScript: "viewer.ui.compiled.script_page:ScriptPage",
    Table: "viewer.ui.tables.table_page:TablePage",
}
"""The drawing code for each type of content, as `module:name`, imported at its first use."""
PICTURE = "viewer.ui.textures.texture_panel:PicturePage"
"""The drawing code of the page of a picture file. The 3D view draws a picture during a comparison."""
LISTED_ERRORS = 4
"""The largest number of errors on the page. The Problems panel lists all errors."""


def unread_page(state: State, post: Post) -> None:
    """Draw the page of a document that could not be read: its format, size and errors."""
    document = state.document
    if document is None:
        return
    colored(" ".join(filter(None, (document.format, document.version))), ACCENT)
    imgui.same_line()
    faint(f"{grouped(len(document.data))} bytes")
    errors = document.report.errors
    for number, error in enumerate(errors[:LISTED_ERRORS]):
        if not error.path and not error.offset:
            wrapped(error.why, ERROR)
            continue
        with mono():
            if imgui.small_button(f"0x{error.offset:X}##{number}"):
                state.view.selection.pick(ByteItem(min(error.offset, len(document.data) - 1)))
        hint("Show these bytes")
        imgui.same_line()
        colored(error.why, ERROR)
        imgui.same_line()
        faint(error.path)
    if len(errors) > LISTED_ERRORS:
        faint(f"and {len(errors) - LISTED_ERRORS} more, see the Problems panel")


class Pages:
    """The pages. Each page is imported when it is first shown; then the object is kept."""

    def __init__(self) -> None:
        self._drawn = LazyParts()

    def __call__(self, state: State) -> PageDrawer | None:
        """Return the page of the document in view; None if the document is drawn in 3D."""
        document = state.document
        if document is not None and document.unread:
            return unread_page
        if state.shows_picture:
            name: str | None = PICTURE
        else:
            name = PAGES.get(type(document.content)) if document else None
        return self._drawn(name) if name else None
