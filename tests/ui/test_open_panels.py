"""Which panels show for the file in view."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.synthetic import model_bytes, write_pair
from viewer.scene.choices import CompareMode
from viewer.session.documents import OpenDocuments
from viewer.session.layouts import DIFFERENCES, FILES, LOOKS, MANUAL, PANELS
from viewer.session.state import State
from viewer.storage.documents import open_document
from viewer.ui.kit.lazy import LazyParts
from viewer.ui.kit.overlays import OVERLAYS
from viewer.ui.layout import fronts, open_panels
from viewer.ui.panel_code import OVERLAY_CODE, PANEL_CODE


def names(state: State, kind: str = "wide") -> list[str]:
    return [panel.name for panel in open_panels(state, kind)]


def test_panels_come_with_the_first_file_and_go_when_they_are_hidden(tmp_path: Path) -> None:
    state = State()
    assert names(state) == []
    state.put(open_document(write_pair(tmp_path)))
    assert names(state) == [
        panel.name for panel in PANELS if panel.name not in (FILES, LOOKS, DIFFERENCES, MANUAL)
    ]
    state.files.root = str(tmp_path)
    assert names(state) == [panel.name for panel in PANELS if panel.name not in (LOOKS, DIFFERENCES, MANUAL)]
    state.interface.toggle("outline")
    assert "outline" not in names(state)
    assert names(state, "tiny") == ["transport"]
    state.interface.hidden = True
    assert names(state) == []


def test_differences_show_while_documents_are_compared(tmp_path: Path) -> None:
    state = State()
    state.put(open_document(write_pair(tmp_path)))
    assert state.document is not None
    state.adopt(State(OpenDocuments([replace(state.document, path="/somewhere/Second.mdl")])))
    assert DIFFERENCES not in names(state)
    state.compare(CompareMode.SIDE)
    assert DIFFERENCES in names(state)
    state.interface.toggle(DIFFERENCES)
    assert DIFFERENCES not in names(state)


def test_a_file_that_shows_only_bytes_has_no_panels(tmp_path: Path) -> None:
    path = tmp_path / "Cut.mdl"
    path.write_bytes(model_bytes()[:40])
    state = State()
    state.put(open_document(path))
    assert state.document is not None and state.document.unread
    assert names(state) == []


def test_the_first_panel_of_each_dock_is_in_front() -> None:
    homes = {panel.name: panel.dock for panel in PANELS}
    expected = {"files", "animations", "properties", "transport", "timeline"}
    assert set(fronts(PANELS, homes)) == expected
    homes = {"problems": "right"} | {**homes, "problems": "right"}
    assert set(fronts(PANELS, homes)) == expected - {"properties"} | {"problems"}, "the first of its dock"


def test_every_panel_and_overlay_has_its_code() -> None:
    assert list(PANEL_CODE) == [panel.name for panel in PANELS]
    assert list(OVERLAY_CODE) == [overlay.window for overlay in OVERLAYS]


def test_panels_with_a_badge_are_counted() -> None:
    parts = LazyParts()
    badges = {panel.name for panel in PANELS if hasattr(parts(PANEL_CODE[panel.name]), "badge")}
    assert badges == {panel.name for panel in PANELS if panel.counted}


def test_the_manual_opens_with_and_without_a_file(tmp_path: Path) -> None:
    state = State()
    state.interface.read("keys")
    assert names(state) == [MANUAL]
    state.put(open_document(write_pair(tmp_path)))
    assert MANUAL in names(state) and len(names(state)) > 1
    state.files.root, state.files.wall = str(tmp_path), True
    assert names(state) == [MANUAL]
    state.interface.arrange("view")
    assert names(state) == []
    state.interface.read("keys")
    assert names(state) == [MANUAL]
