"""What is found of compared documents in the background."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace
from PIL import Image

from tests.compared_files import two_engines
from tests.desktop import Desktop
from tests.synthetic import animation_bytes, model_record, write_pair
from viewer.actions import ACTIONS
from viewer.families.urho3d.model_layout import MODEL
from viewer.scene.choices import CompareMode, Shading, TimeTie
from viewer.scene.difference import Difference, DifferenceGroup
from viewer.scene.items import ByteItem, VertexItem
from viewer.scene.vertex_distances import DISTANCE_COLORS
from viewer.session.comparison_result import ComparisonResult
from viewer.session.requests import CloseDocument, RecordFilm, Reload
from viewer.ui.differences.show_difference import present_difference
from viewer.ui.kit.docking import tab_of


def write_taller(path: Path, by: float) -> Path:
    """A post whose upper vertices are higher."""
    record = model_record()
    record.vertex_buffers[0].vertices["position"][16:] += (0, by, 0)
    path.write_bytes(MODEL.pack(record))
    return path


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A post and a taller one, which are compared by distance."""
    made = Desktop(ctx, write_pair(tmp_path), write_taller(tmp_path / "Taller.mdl", 0.25), size=(400, 240))
    made.state.show(0)
    made.state.view.clock.pause()
    made.state.compare(CompareMode.DISTANCE)
    yield made
    made.close()


def until(desktop: Desktop, true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, desktop.state.messages
        desktop.frames()


def found(desktop: Desktop) -> ComparisonResult:
    return desktop.state.comparison_result or ComparisonResult()


def largest(desktop: Desktop) -> float | None:
    result = desktop.state.comparison_result
    return result.distances.largest if result and result.distances else None


def test_the_distances_are_measured_and_drawn_on_both_sides(desktop: Desktop) -> None:
    until(desktop, lambda: largest(desktop) is not None)
    assert largest(desktop) == pytest.approx(0.25)
    state, app = desktop.state, desktop.app
    state.options.grid = state.options.axes = False
    pixels = app._viewport.draw(state, state.options, (200, 100)).read()[..., :3].astype(int)
    yellow = (pixels[..., 0] > 180) & (pixels[..., 2] < 90)
    assert yellow[:, :99].any() and yellow[:, 101:].any()


def test_the_differences_are_found(desktop: Desktop) -> None:
    until(desktop, lambda: found(desktop).differences is not None)
    differences = found(desktop).differences
    assert differences is not None
    (moved,) = [each for each in differences.found if each.group is DifferenceGroup.VERTICES][:1]
    assert moved.amount == pytest.approx(0.25) and isinstance(moved.items[0], VertexItem)
    assert found(desktop).fields is None, "nobody asked for them"


def test_fields_are_searched_on_demand(desktop: Desktop) -> None:
    desktop.frames()
    found(desktop).wants_fields = True
    until(desktop, lambda: found(desktop).fields is not None)
    fields = [each for each in found(desktop).fields or () if isinstance(each, Difference)]
    assert fields and all("vertices" in each.name or "vertex" in each.name for each in fields)
    (first,), (second,) = fields[0].items, fields[0].other_items
    assert isinstance(first, ByteItem) and first == second and " → " in fields[0].text


def test_more_fields_than_are_listed_are_noted(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.compare.diff.spans.LISTED_SPANS", 2)
    desktop.frames()
    found(desktop).wants_fields = True
    until(desktop, lambda: found(desktop).fields is not None)
    fields = found(desktop).fields or ()
    assert fields[0] == "only the first 2 fields are listed" and len(fields) == 3


def test_a_difference_is_in_the_pictures_of_both(desktop: Desktop) -> None:
    """The camera goes to where the vertices are, and both are selected."""
    until(desktop, lambda: found(desktop).differences is not None)
    state, before = desktop.state, desktop.state.view.camera
    differences = found(desktop).differences
    assert differences is not None
    present_difference(state, desktop.app.post, differences.found[0])
    desktop.frames(3)
    assert state.view.camera != before and state.partner is not None
    assert state.partner.view.camera == state.view.camera
    assert isinstance(state.view.selection.picked, VertexItem)
    assert state.view.selection.picked == state.partner.view.selection.picked


def test_a_film_has_the_colours_without_measuring_again(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    until(desktop, lambda: largest(desktop) is not None)
    monkeypatch.setattr(
        "viewer.compare.vertex_distances.vertex_distances", lambda *models: pytest.fail("measured")
    )
    desktop.state.options.grid = desktop.state.options.axes = False
    path = str(tmp_path / "f_{frame}.png")
    desktop.app.post(RecordFilm(".png", path=path, frames=(0, 0), fps=2, size=(200, 100)))
    desktop.app.frame(0.0)
    while desktop.state.recording:
        desktop.app.frame(0.0)
    with Image.open(tmp_path / "f_0.png") as picture:
        pixels = np.asarray(picture).astype(int)
    assert ((pixels[..., 0] > 180) & (pixels[..., 2] < 90)).any()


def test_another_tab_in_view_is_the_same_comparison(desktop: Desktop) -> None:
    until(desktop, lambda: largest(desktop) is not None)
    before = desktop.state.comparison_result
    desktop.state.show(1)
    desktop.frames(4)
    assert desktop.state.comparison_result is before


def test_a_document_that_is_read_again_is_compared_again(desktop: Desktop, tmp_path: Path) -> None:
    until(desktop, lambda: largest(desktop) is not None)
    write_taller(tmp_path / "Taller.mdl", 0.5)
    desktop.app.post(Reload(everything=True))
    until(desktop, lambda: largest(desktop) == pytest.approx(0.5))


def test_the_end_of_the_comparison_drops_what_was_found(desktop: Desktop) -> None:
    desktop.frames()
    assert desktop.state.comparison_result is not None
    desktop.app.post(CloseDocument(1))
    desktop.frames(4)
    until(desktop, lambda: not desktop.app.busy)
    assert desktop.state.comparison_result is None


def test_a_failure_is_told_once(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*models: Any) -> None:
        raise ValueError("too odd")

    monkeypatch.setattr("viewer.compare.vertex_distances.vertex_distances", fail)
    until(desktop, lambda: bool(desktop.state.messages) and not desktop.app.busy)
    desktop.frames(4)
    told = [each.text for each in desktop.state.messages if "too odd" in each.text]
    assert told == ["The distances could not be found: too odd"]


def test_nothing_is_on_the_gpu_before(desktop: Desktop) -> None:
    """Buffers of distances are made for what is drawn alone."""
    meshes = [each.mesh for each in desktop.app._viewport._models.values()]
    desktop.state.compare(CompareMode.SIDE)
    desktop.frames(2)
    assert all(np.size(list(mesh.distances._made)) == 0 for mesh in meshes)


def test_a_double_click_on_bytes_shows_them(ctx: Any, tmp_path: Path) -> None:
    """The panel is in the same dock: the click must not keep its own tab in front."""
    desktop = Desktop(
        ctx, write_pair(tmp_path), write_taller(tmp_path / "Taller.mdl", 0.25), size=(1000, 700)
    )
    desktop.state.show(0)
    desktop.state.compare(CompareMode.SIDE)
    desktop.state.interface.bring("differences")
    desktop.frames(6)
    panel: Any = desktop.app._workspace.panel("differences")
    panel._bytes = True
    until(desktop, lambda: found(desktop).fields is not None)
    desktop.frames(4)
    window = imgui.internal.find_window_by_name("###differences")
    y = window.pos.y + window.size.y
    while desktop.state.view.selection.picked is None and y > window.pos.y:
        y -= imgui.get_style().font_size_base / 2
        desktop.click(window.pos.x + 100, y)
    desktop.click(window.pos.x + 100, y)
    desktop.frames(3)
    tab = tab_of("###chunks")
    assert isinstance(desktop.state.view.selection.picked, ByteItem) and tab is not None and tab.front
    desktop.close()


def test_one_model_of_two_engines_is_aligned_and_the_camera_fits_both(ctx: Any, tmp_path: Path) -> None:
    desktop = Desktop(ctx, *two_engines(tmp_path), size=(400, 240))
    state = desktop.state
    state.show(0)
    state.options.shading = Shading.SILHOUETTE
    state.compare(CompareMode.DIFFERENCE)
    try:
        until(desktop, lambda: state.partner is not None and bool(state.partner.view.onto))
        desktop.drawn = True
        until(desktop, lambda: state.view_info.differing is not None)
        assert state.view_info.differing is not None and state.view_info.differing < 0.005
        switch = next(action for action in ACTIONS if action.name == "compare_aligned")
        assert switch.checked is not None and switch.checked(state)
        switch.run(state, desktop.app.post)
        desktop.frames(4)
        assert state.partner is not None and not state.partner.view.onto
        assert not switch.checked(state)
    finally:
        desktop.close()


@pytest.fixture
def itself(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A post beside itself: Bend on the left, and nothing on the right."""
    model = write_pair(tmp_path)
    model.with_name("Post_Wave.ani").write_bytes(animation_bytes("Wave", 2.0))
    made = Desktop(ctx, model, size=(500, 300), drawn=True)
    made.state.view.clock.pause()
    made.state.view.clock.seek(0.5)
    made.state.playback.choose(made.state.playback.animation("Bend"))
    made.state.compare_with_itself()
    made.frames(2)
    made.state.view.second.playlist = ()
    yield made
    made.close()


def test_the_clips_of_both_sides_are_compared_whenever_they_change(itself: Desktop) -> None:
    until(itself, lambda: found(itself).motion is not None and found(itself).motion.largest(False) > 1)
    first = found(itself).motion
    assert first is not None and first.peaks[0].name == "tip"
    assert first.peaks[0].angle == pytest.approx(90, abs=1e-3)
    assert itself.state.partner is not None
    itself.state.partner.playback.choose(itself.state.playback.animation("Bend"))
    until(itself, lambda: found(itself).motion is not first)
    now = found(itself).motion
    assert now is not None and now.largest(False) == 0
    itself.state.partner.playback.choose(itself.state.playback.animation("Wave"))
    until(itself, lambda: found(itself).motion is not now)
    by_seconds = found(itself).motion
    itself.state.documents.comparison = replace(itself.state.documents.comparison, tie=TimeTie.SHARE)
    until(itself, lambda: found(itself).motion is not by_seconds)
    assert found(itself).differences is not None and not found(itself).error


def test_bones_of_both_sides_have_the_colours_of_their_differences(itself: Desktop) -> None:
    itself.state.view.clock.seek(0.5)
    until(itself, lambda: found(itself).motion is not None and found(itself).motion.largest(False) > 1)
    itself.frames(2)
    yellow = np.array(DISTANCE_COLORS[-1]) * 255
    picture = itself.app._viewport.whole(itself.state, (400, 200)).astype(float)
    hue = picture / picture.max(axis=2, keepdims=True).clip(1)
    like = (abs(hue - yellow / yellow.max()) < 0.08).all(axis=2)
    assert like[:, :199].sum() > 5 and like[:, 201:].sum() > 5
    itself.state.compare(CompareMode.SIDE)
    itself.frames(2)
    plain = itself.app._viewport.whole(itself.state, (400, 200)).astype(float)
    hue = plain / plain.max(axis=2, keepdims=True).clip(1)
    assert (abs(hue - yellow / yellow.max()) < 0.08).all(axis=2).sum() < 5


def test_a_film_of_both_sides_has_the_clip_of_each(itself: Desktop, tmp_path: Path) -> None:
    itself.state.compare(CompareMode.SIDE)
    path = str(tmp_path / "f_{frame}.png")
    itself.app.post(RecordFilm(".png", path=path, fps=2.0, size=(402, 200)))
    itself.app.frame(0.0)
    while itself.state.recording:
        itself.app.frame(0.0)
    with Image.open(tmp_path / "f_1.png") as picture:
        pixels = np.asarray(picture.convert("RGB")).copy()
    assert (pixels[:, :200] != pixels[:, 202:]).any()
