"""Keys, tracks and bones of a mesh whose skeleton is a file of its own, in its panels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ogre_files import NEWEST, rich_mesh
from tests.ogre_skeletons import rich_skeleton
from viewer.scene.items import BoneItem, KeyItem, TrackItem
from viewer.storage.documents import open_document
from viewer.ui.bytes.bytes_panel import BytesPanel
from viewer.ui.timeline import dope_sheet
from viewer.ui.timeline.keys import file_location, key_item, select, track_item
from viewer.ui.timeline.timeline_panel import TimelinePanel


@pytest.fixture
def linked(desk: Any, tmp_path: Path) -> Any:
    """A desk with a mesh and its skeleton, whose clip `bend` plays."""
    (tmp_path / "bones.skeleton").write_bytes(rich_skeleton())
    (tmp_path / "body.mesh").write_bytes(rich_mesh(NEWEST))
    desk.state.put(open_document(tmp_path / "body.mesh"))
    desk.state.playback.choose(desk.state.playback.animation("bend"))
    return desk


def test_a_key_of_one_of_several_clips_is_selected_in_its_file(linked: Any) -> None:
    state = linked.state
    bend, listed = state.playback.animation("bend"), state.playback.animation("list")
    assert track_item(state, bend, "tip") == TrackItem(0, 1)
    assert track_item(state, listed, "tip") == TrackItem(1, 0)
    select(state, bend, key_item(state, bend, "tip", 1))
    state.purge()
    assert state.view.selection.picked == KeyItem(TrackItem(0, 1), 1)
    assert state.view.selection.source.path.endswith("bones.skeleton")
    assert file_location(state, bend, state.view.selection.picked).endswith("50 bytes   bones.skeleton")


def test_the_bytes_of_a_key_and_of_a_bone_are_shown_in_their_file(linked: Any) -> None:
    state, chunks = linked.state, BytesPanel()
    linked.show(chunks)
    linked.frames(2)
    bend = state.playback.animation("bend")
    select(state, bend, key_item(state, bend, "root", 1))
    linked.frames(2)
    assert "keyframes" in chunks.marked[0]
    state.view.selection.pick(BoneItem(1))
    linked.frames(2)
    name, start, _ = chunks.marked
    assert "bone" in name
    data = Path(state.document.path).with_name("bones.skeleton").read_bytes()
    assert data[start:].find(b"tip") in range(12)


def test_the_timeline_marks_the_key_of_the_clip_that_it_shows(
    linked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked: list[str] = []
    plot = dope_sheet.implot.plot_scatter
    monkeypatch.setattr(
        dope_sheet.implot, "plot_scatter", lambda name, *more: (marked.append(name), plot(name, *more))
    )
    state = linked.state
    for clip, shown in (("bend", True), ("list", False)):
        select(
            state, state.playback.animation(clip), key_item(state, state.playback.animation(clip), "tip", 1)
        )
        marked.clear()
        linked.show(TimelinePanel())
        assert ("##chosen" in marked) is shown
