"""Which page takes the place of the picture: that of a document that has none."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from viewer.requests import Post
from viewer.scene.script import Script
from viewer.scene.shader import Shader
from viewer.state import State

Page = Callable[[State, Post], None]
PAGES: dict[type, str] = {
    Shader: "viewer.ui.compiled.shader_page:ShaderPage",
    Script: "viewer.ui.compiled.script_page:ScriptPage",
}
"""What draws a kind of content; made, and imported, when the first is in view."""


class Pages:
    """The pages that were shown, each kept."""

    def __init__(self) -> None:
        self._made: dict[type, Page] = {}

    def __call__(self, state: State) -> Page | None:
        """The page of the document in view; None where the picture is shown."""
        kind = type(state.document.content) if state.document else type(None)
        if kind in PAGES and kind not in self._made:
            module, _, name = PAGES[kind].partition(":")
            made: Any = getattr(import_module(module), name)
            self._made[kind] = made()
        return self._made.get(kind)
