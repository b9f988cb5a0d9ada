"""A desk: one panel in a window of a headless ImGui context, and a hand at its mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from imgui_bundle import ImVec2, imgui
from msgspec import Struct, field

from tests.desktop import unrasterized
from tests.synthetic import animation_bytes, track, write_pair
from viewer.gpu.target import RenderTarget
from viewer.session.requests import Request
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.kit import tree_table, widgets
from viewer.ui.kit.host import Host

SIZE = (400, 300)


class Desk(Struct, dict=True):
    """`draw(state, post)` is called in a window without padding over all of the screen."""

    host: Host
    state: State
    posted: list[Request] = field(default_factory=list)
    draw: Callable[[State, Any], None] = lambda state, post: None

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.host.new_frame(1 / 60, SIZE, SIZE)
            imgui.set_next_window_pos(ImVec2(0, 0))
            imgui.set_next_window_size(ImVec2(*SIZE))
            imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0, 0))
            imgui.begin("desk", None, imgui.WindowFlags_.no_decoration)
            imgui.pop_style_var()
            self.draw(self.state, self.posted.append)
            imgui.end()
            self.host.render()

    def show(self, draw: Callable[[State, Any], None]) -> None:
        self.draw = draw
        self.frames(2)

    def move(self, x: float, y: float) -> None:
        self.host.input.pointer(x, y)
        self.frames()

    def press(self, button: str = "left", held: str = "") -> None:
        self.host.input.button(button, True, frozenset(filter(None, [held])))
        self.frames()

    def release(self, button: str = "left") -> None:
        self.host.input.button(button, False)
        self.frames()

    def click(self, x: float, y: float, button: str = "left") -> None:
        self.move(x, y)
        self.press(button)
        self.release(button)

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], button: str = "left", held: str = ""
    ) -> None:
        self.move(*start)
        self.press(button, held)
        self.move(*end)
        self.release(button)

    def key(self, name: str, held: str = "") -> None:
        modifiers = frozenset(filter(None, [held]))
        self.host.input.key(name, True, modifiers)
        self.frames(2)
        self.host.input.key(name, False)
        self.frames()

    @property
    def line(self) -> float:
        """The height of a line of a list."""
        return imgui.get_style().font_size_base + imgui.get_style().item_spacing.y


@pytest.fixture
def desk(ctx: Any) -> Iterator[Desk]:
    """A desk with nothing open."""
    target = RenderTarget(ctx, SIZE)
    target.framebuffer.use()
    host = Host()
    with unrasterized(ctx):
        yield Desk(host, State())
    host.release()
    target.release()


@pytest.fixture
def post(desk: Desk, tmp_path: Path) -> Desk:
    """A desk with the little post of two bones and its animation `Bend`."""
    desk.state.put(open_document(write_pair(tmp_path)))
    return desk


@pytest.fixture
def bent(desk: Any, tmp_path: Path) -> Any:
    """A desk with the post, `Bend` playing; `Other` has a track for a bone that is missing, and an event."""
    path = write_pair(tmp_path)
    tracks = [track("tip", [0.25, 0.5], position=[[0, 1, 0]] * 2), track("wing", [0], scale=[[1, 1, 1]])]
    path.with_name("Post_Other.ani").write_bytes(animation_bytes("Other", 1.0, tracks))
    path.with_name("Post_Other.xml").write_text('<animation><trigger time="0.5" value="step"/></animation>')
    desk.state.put(open_document(path))
    desk.state.playback.choose(desk.state.playback.animation("Bend"))
    desk.state.view.clock.play()
    return desk


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """The words of filters that are marked from now on, by the texts in which they are."""
    found: dict[str, set[str]] = {}
    mark = widgets.mark_ranges

    def note(ranges: Sequence[tuple[int, int]], text: str, corner: ImVec2) -> None:
        if ranges:
            found.setdefault(text, set()).update(text[first:end] for first, end in ranges)
        mark(ranges, text, corner)

    for module in (widgets, tree_table):
        monkeypatch.setattr(module, "mark_ranges", note)
    return found
