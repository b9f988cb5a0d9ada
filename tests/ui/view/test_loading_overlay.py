"""The progress of a recording over the picture, and the models that a part file belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import write_pair
from viewer.session.requests import Open, RecordFilm
from viewer.ui.layout import Rect
from viewer.ui.view.loading_overlay import arriving


def test_a_recording_shows_its_progress_and_its_button_stops_it(ctx: Any, tmp_path: Path) -> None:
    desktop = Desktop(ctx, write_pair(tmp_path))
    try:
        desktop.app.post(RecordFilm(turntable=True, size=(32, 32), path=str(tmp_path / "turn.gif")))
        desktop.frames(3)
        shown = drawn_labels(desktop)
        assert {"turn.gif", "recording", "Stop"} <= set(shown)
        desktop.click(*shown["Stop"])
        desktop.frames(2)
        assert desktop.state.recording is None and not (tmp_path / "turn.gif").exists()
        assert "turn.gif" not in drawn_labels(desktop)
    finally:
        desktop.close()


def test_the_model_of_a_part_file_is_opened_by_a_button_over_the_picture(post: Any) -> None:
    post.state.pending_files.models[post.state.document.path] = ("/here/Made.m2",)
    post.show(lambda state, send: arriving(state, send, Rect(100, 100, 300, 200)))
    post.frames(2)
    x, y = drawn_labels(post)["Open Made.m2"]
    assert 100 < x < 400 and 100 < y < 300
    post.click(x, y)
    assert post.posted == [Open(("/here/Made.m2",))]


def test_nothing_is_over_the_picture_without_a_file(desk: Any) -> None:
    desk.show(lambda state, send: arriving(state, send, Rect(0, 0, 400, 300)))
    assert drawn_labels(desk) == {}
