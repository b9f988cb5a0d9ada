"""The page takes the picture's place while its document is in view, and the bytes come to the front."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.desktop import Desktop
from tests.shader_files import shader_bytes
from tests.synthetic import write_pair
from viewer.scene.items import InstructionItem
from viewer.scene.shader import CompiledShader
from viewer.ui.compiled.pages import Pages
from viewer.ui.compiled.shader_page import ShaderPage


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    path = tmp_path / "a.vs3"
    path.write_bytes(shader_bytes())
    made = Desktop(ctx, path)
    yield made
    made.close()


def test_a_shader_has_a_page_and_a_model_the_picture(desktop: Desktop, tmp_path: Path) -> None:
    pages = Pages()
    first = pages(desktop.state)
    assert isinstance(first, ShaderPage) and pages(desktop.state) is first
    from viewer.storage.documents import open_document

    desktop.state.put(open_document(write_pair(tmp_path)))
    assert pages(desktop.state) is None


def test_lines_and_the_hex_view_select_each_other(desktop: Desktop) -> None:
    chunks = desktop.app._workspace.panel("chunks")
    assert chunks is not None  # its tab is in front
    desktop.state.view.selection.pick(InstructionItem(0, 5))
    desktop.frames(3)
    span = desktop.state.document.origin.span(InstructionItem(0, 5))  # type: ignore[union-attr]
    assert span is not None
    assert chunks.marked == ("code/instructions/[5]", span.offset, span.end)  # type: ignore[attr-defined]
    view = chunks._views[desktop.state.document.path]  # type: ignore[attr-defined,union-attr]
    view.move_cursor(span.end + 1)
    desktop.frames(2)
    assert desktop.state.view.selection.picked == InstructionItem(0, 6)


def test_every_size_draws(ctx: Any, tmp_path: Path) -> None:
    (tmp_path / "a.vs3").write_bytes(shader_bytes())
    for size in ((700, 500), (320, 240)):
        small = Desktop(ctx, tmp_path / "a.vs3", size=size)
        small.frames(3)
        document, pixels = small.state.document, small.pixels()[..., :3]
        assert document is not None and isinstance(document.content, CompiledShader)
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20, "letters, not an empty ground"
        small.close()
