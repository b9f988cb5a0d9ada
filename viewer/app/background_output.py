"""Output without blocking the frame loop: pictures to the clipboard, and films."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from viewer.app.viewport import Viewport
from viewer.arrays import Size
from viewer.errors import GraphicsError
from viewer.session.requests import RecordFilm
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.app.recording import Recording


class BackgroundOutput:
    """The running copies and the running recording. Call `step` once a frame; `close` stops everything."""

    def __init__(self, state: State, viewport: Viewport) -> None:
        self._state = state
        self._viewport = viewport
        self._copies: list[Future[None]] = []
        self._recording: Recording | None = None

    @property
    def busy(self) -> bool:
        """Whether something is in progress."""
        return bool(self._copies) or self._recording is not None

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

    def step(self) -> None:
        """Continue all running output."""
        for copy in [copy for copy in self._copies if copy.done()]:
            self._copies.remove(copy)
            error = copy.exception()
            self._state.say(str(error) if error else "Image copied", "warning" if error else "note")
        if self._recording is not None:
            self._go_on(self._recording)
        self._state.recording = self._recording.text if self._recording else ""

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

    def stop(self) -> None:
        """Stop the recording and delete its files."""
        if self._recording is not None:
            self._recording.stop()
            self._recording = None
            self._state.say("Recording stopped. Nothing was saved.")

    def close(self) -> None:
        """Stop everything; a running copy finishes on its own."""
        self.stop()
