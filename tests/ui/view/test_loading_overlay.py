"""The progress of a recording over the picture, in the whole program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.desktop import Desktop
from tests.labels import drawn_labels
from tests.synthetic import write_pair
from viewer.session.requests import RecordFilm


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
