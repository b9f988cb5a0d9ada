"""Chooses the page that replaces the picture for a document that cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable

from viewer.scene.script import CompiledScript
from viewer.scene.shader import CompiledShader
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.kit.lazy import LazyParts

Page = Callable[[State, Post], None]
PAGES: dict[type, str] = {
    CompiledShader: "viewer.ui.compiled.shader_page:ShaderPage",
    CompiledScript: "viewer.ui.compiled.script_page:ScriptPage",
}
"""The code that draws each kind of content, imported when it is first needed."""


UNREAD = "viewer.ui.bytes.unread_page:unread_page"
"""The code that draws a document of bytes alone."""


class Pages:
    """The pages, each kept once it was shown."""

    def __init__(self) -> None:
        self._drawn = LazyParts()

    def __call__(self, state: State) -> Page | None:
        """The page of the document in view; None if the picture is shown."""
        document = state.document
        name = PAGES.get(type(document.content)) if document else None
        if document is not None and document.unread:
            name = UNREAD
        return self._drawn(name) if name else None
