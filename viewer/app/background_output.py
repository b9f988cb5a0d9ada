"""Output without blocking the frame loop: pictures to the clipboard, films, and exported models."""

from __future__ import annotations

import os
from concurrent.futures import Future
from typing import TYPE_CHECKING

from viewer.app.viewport import Viewport
from viewer.arrays import Size
from viewer.errors import GraphicsError, counted
from viewer.session.requests import ExportModel, RecordFilm
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.app.exporting import Export
    from viewer.app.recording import Recording


PATIENCE = 2.0
"""Seconds to wait at the end for an export that stops."""


class BackgroundOutput:
    """The running copies, recording and export. Call `step` once a frame; `close` stops everything."""

    def __init__(self, state: State, viewport: Viewport) -> None:
        self._state = state
        self._viewport = viewport
        self._copies: list[Future[None]] = []
        self._recording: Recording | None = None
        self._export: Export | None = None

    @property
    def busy(self) -> bool:
        """Whether something is in progress."""
        return bool(self._copies) or self._recording is not None or self._export is not None

    def copy(self, size: Size) -> None:
        """Copy the picture, without panels, to the clipboard."""
        from viewer.storage import clipboard  # the first picture does without

        pixels = self._viewport.draw(self._state, self._state.options, size).read()[..., :3].copy()
        self._copies.append(clipboard.copy(pixels))

    def record(self, request: RecordFilm, size: Size) -> None:
        """Start to record the picture as shown; a running recording continues instead."""
        from viewer.app.recording import begin

        self.stop()
        self._recording = begin(self._state, self._viewport, request, size)

    def export(self, request: ExportModel) -> None:
        """Start to export the model in view in place of a running export."""
        from viewer.app.exporting import begin

        self.stop_export()
        self._export = begin(self._state, request)

    def step(self) -> None:
        """Continue all running output."""
        for copy in [copy for copy in self._copies if copy.done()]:
            self._copies.remove(copy)
            error = copy.exception()
            self._state.say(str(error) if error else "Image copied", "warning" if error else "note")
        if self._recording is not None:
            self._go_on(self._recording)
        self._state.recording = self._recording.text if self._recording else ""
        if self._export is not None and self._export.finished:
            self._tell(self._export)
            self._export = None
        self._state.exporting = self._export.progress if self._export else None

    def _go_on(self, recording: Recording) -> None:
        if any(each not in self._state.documents for each in recording.documents):
            self.stop()
            return
        try:
            if not recording.step():
                return
            self._state.say(f"Saved {recording.path}")
        except OSError as error:
            self._state.say(f"{recording.path}: {error.strerror}", "error")
        except GraphicsError as error:
            self._state.say(f"{recording.path}: {error}", "error")
        recording.stop()
        self._recording = None

    def _tell(self, export: Export) -> None:
        """Say how an export ended."""
        if export.error:
            self._state.say(export.error, "error")
            return
        name = os.path.basename(export.path)
        for line in export.messages:
            self._state.say(f"{name}: {line}", "warning")
        told = f", with {counted(len(export.messages), 'message')}" if export.messages else ""
        self._state.say(f"Saved {export.path}{told}")

    def stop_export(self, seconds: float = 0.0) -> None:
        """Stop the export, and wait up to that many seconds for its thread; nothing is written."""
        if self._export is not None:
            self._export.stop(seconds)
            self._export = None
            self._state.say("Export stopped. Nothing was saved.")

    def stop(self) -> None:
        """Stop the recording and delete its files."""
        if self._recording is not None:
            self._recording.stop()
            self._recording = None
            self._state.say("Recording stopped. Nothing was saved.")

    def close(self) -> None:
        """Stop everything; a running copy finishes on its own."""
        self.stop()
        self.stop_export(PATIENCE)
