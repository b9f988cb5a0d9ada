"""The whole program with two documents in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.desktop import Desktop
from tests.synthetic import animation_bytes, model_record, write_pair
from viewer.actions import ACTIONS_BY_NAME
from viewer.app.comparison import ComparedDrawing, DifferenceCount
from viewer.arrays import Array
from viewer.families.urho3d.model_layout import MODEL
from viewer.scene.camera import Orbit
from viewer.scene.items import GeometryItem
from viewer.session.comparison import in_order
from viewer.session.requests import CloseDocument, RecordFilm, Screenshot


@pytest.fixture
def desktop(ctx: Any, tmp_path: Path) -> Iterator[Desktop]:
    """A post, and in another tab one of twice the size, both paused at their first moment; no panels."""
    other = tmp_path / "Other.mdl"
    record = model_record()
    record.vertex_buffers[0].vertices["position"] *= 2
    other.write_bytes(MODEL.pack(record))
    other.with_name("Other_Bend.ani").write_bytes(animation_bytes())
    made = Desktop(ctx, write_pair(tmp_path), other, size=(400, 240))
    state = made.state
    state.show(0)
    made.frames()
    state.view.clock.pause()
    state.view.clock.seek(0.0)
    state.interface.hidden = True
    state.options.grid = state.options.axes = False
    state.options.background = (0.0, 0.0, 0.0, 1.0)
    made.frames(4)
    yield made
    made.close()


def run(desktop: Desktop, *names: str) -> None:
    for name in names:
        ACTIONS_BY_NAME[name].run(desktop.state, desktop.app.post)
    desktop.frames(4)


def watch(desktop: Desktop, count: int) -> None:
    """So many frames that are all drawn."""
    desktop.drawn = True
    for _ in range(count):
        desktop.frames()


def picture(desktop: Desktop) -> Array:
    """[h, w, 3]: the picture alone."""
    state, app = desktop.state, desktop.app
    return app._viewport.draw(state, state.options, app._picture_size()).read()[..., :3].astype(int)


def lit(pixels: Array) -> Array:
    """Where a model is."""
    return np.asarray(pixels.sum(axis=2) > 150)


def test_side_by_side_both_are_there_and_wholly_in_their_panes(desktop: Desktop) -> None:
    run(desktop, "compare_side")
    there = lit(picture(desktop))
    width = there.shape[1]
    there[:, width // 2 - 2 : width // 2 + 2] = False
    small, large = there[:, : width // 2], there[:, width // 2 :]
    assert 0 < 2 * small.sum() < large.sum()
    for pane in (small, large):
        assert not (pane[0] | pane[-1]).any() and not (pane[:, 0] | pane[:, -1]).any()


def test_the_end_of_the_comparison_shows_one_as_before(desktop: Desktop) -> None:
    before = picture(desktop)
    run(desktop, "compare_slider", "compare_off")
    assert (picture(desktop) == before).all()


def test_a_document_is_highlighted_where_its_counterpart_is_pointed_at(desktop: Desktop) -> None:
    run(desktop, "compare_side")
    state, partner = desktop.state, desktop.state.partner
    assert partner is not None
    rect = desktop.app._workspace.picture(state, desktop.app.surface.points)
    rows, columns = np.nonzero(lit(picture(desktop))[:, 210:])
    watch(desktop, 1)
    desktop.move(rect.x + 210 + float(np.median(columns)), rect.y + float(np.median(rows)))
    watch(desktop, 4)
    assert state.view.selection.hover == partner.view.selection.hover == GeometryItem(0)
    desktop.button(True)
    desktop.button(False)
    watch(desktop, 4)
    assert state.view.selection.picked == partner.view.selection.picked == GeometryItem(0)


def test_a_difference_is_counted_when_the_picture_rests(desktop: Desktop) -> None:
    run(desktop, "compare_difference")
    watch(desktop, 16)
    share = desktop.state.view_info.differing
    assert share is not None and 0 < share < 0.5 and not desktop.app._viewport.waiting
    desktop.state.view.camera = Orbit(yaw=80.0, distance=9.0)
    desktop.frames()
    assert desktop.state.view_info.differing is None
    watch(desktop, 16)
    assert desktop.state.view_info.differing not in (None, share)


def test_the_box_around_the_models_is_made_again_for_other_boxes(desktop: Desktop) -> None:
    drawing = ComparedDrawing(desktop.app._viewport.renderer)
    low, high = np.zeros((2, 3)), np.array(((1.0, -1.0, 0.0), (2.0, 1.0, 0.0)))
    both = drawing.around([low, high])
    assert both.tolist() == [[0.0, -1.0, 0.0], [2.0, 1.0, 0.0]] and drawing.around([low, high]) is both
    assert drawing.around([high]) is high and drawing.around([]).tolist() == np.zeros((2, 3)).tolist()


def test_the_same_is_counted_once_and_something_new_when_it_comes_again() -> None:
    count, done = DifferenceCount(), []
    found = [count.of(key, lambda: done.append(1) or len(done) / 10) for key in "aaabcc"]
    assert found == [None, 0.1, 0.1, None, None, 0.2] and not count.waits


def test_the_tab_changes_without_a_jump_of_the_picture(desktop: Desktop) -> None:
    run(desktop, "compare_side")
    before = picture(desktop)
    desktop.state.show(1)
    desktop.frames(4)
    assert (picture(desktop) == before).all()
    assert [each.documents.current for each in in_order(desktop.state)] == [0, 1]


def test_closing_one_ends_it(desktop: Desktop) -> None:
    run(desktop, "compare_side")
    desktop.app.post(CloseDocument(1))
    desktop.frames(4)
    state = desktop.state
    assert state.partner is None and "Other.mdl was closed" in state.interface.status
    assert lit(picture(desktop)).any()


def test_pictures_and_films_show_the_comparison(desktop: Desktop, tmp_path: Path) -> None:
    from PIL import Image

    run(desktop, "compare_side")
    desktop.app.post(Screenshot(str(tmp_path / "a.png"), content="model", size=(100, 40)))
    desktop.app.post(
        RecordFilm(".png", path=str(tmp_path / "f_{frame}.png"), frames=(0, 1), fps=2, size=(100, 40))
    )
    desktop.app.frame(0.0)
    for _ in range(200):
        desktop.app.frame(0.0)
        if not desktop.state.recording:
            break
    with Image.open(tmp_path / "a.png") as clean:
        alpha = np.asarray(clean)[..., 3] > 0
    frames = []
    for number in range(2):
        with Image.open(tmp_path / f"f_{number}.png") as drawn:
            frames.append(lit(np.asarray(drawn).astype(int)))
    for each in (alpha, *frames):
        assert each[:, :48].any() and each[:, 52:].any(), "a model in each half"
    for half in (slice(0, 48), slice(52, 100)):
        assert (frames[0][:, half] != frames[1][:, half]).any(), "both bend"
