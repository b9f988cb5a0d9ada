"""An export of the model in view in a thread, while the window keeps running."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from msgspec.structs import replace

from viewer.app.save_paths import is_open_here, suggested
from viewer.errors import CancelledError
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.session.pending_files import FileProgress
from viewer.session.requests import ExportModel
from viewer.session.state import State

STEP = "exporting"


class Export:
    """A running export to `path`; `messages` and `error` tell how it ended."""

    def __init__(
        self, state: State, document: Document, clips: Sequence[Animation], request: ExportModel, path: str
    ) -> None:
        view, textures = state.snapshot(), dict(state.view.textures)
        if request.lod is not None:
            view = replace(view, display=replace(view.display, lod=request.lod))
        self.path, self.document = path, document
        self.messages: list[str] = []
        self.error = ""
        self._share = 0.0
        self._stop = threading.Event()

        def work() -> None:
            """Write the file."""
            from viewer.export.model_file import write_model  # most windows export nothing

            try:
                self.messages = write_model(view, clips, textures, request.choices, path, self._step)
            except CancelledError:
                pass
            except OSError as error:
                self.error = f"{error.filename or path}: {error.strerror}"
            except Exception as error:  # the window goes on
                self.error = f"{path}: {error}"

        self._thread = threading.Thread(target=work, name=STEP, daemon=True)
        self._thread.start()

    @property
    def finished(self) -> bool:
        """Whether the file is written, or cannot be."""
        return not self._thread.is_alive()

    @property
    def progress(self) -> FileProgress:
        """What the window shows."""
        return FileProgress(self.path, STEP, self._share)

    def stop(self, seconds: float = 0.0) -> None:
        """Write nothing; wait up to that many seconds until the thread ends."""
        self._stop.set()
        self._thread.join(seconds)

    def _step(self, share: float) -> None:
        if self._stop.is_set():
            raise CancelledError("the export was stopped")
        self._share = share
        time.sleep(0)  # a frame may be waiting


def begin(state: State, request: ExportModel) -> Export | None:
    """Start to export the model in view; None, and a message, if that is not possible."""
    document = state.document
    if document is None or state.model is None:
        state.say("There is no model to export.", "warning")
        return None
    path = request.path or suggested(state, request)
    if is_open_here(state, path):
        return None
    clips = {
        "all": state.animations,
        "playing": tuple(dict.fromkeys(each.animation for each in state.playlist)),
    }.get(request.clips, ())
    return Export(state, document, clips, request, path)
