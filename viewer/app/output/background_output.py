"""Writes in the background: pictures to the clipboard, films, exported models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from viewer.actions.looks import chosen_character
from viewer.app.tasks import Task, Tasks
from viewer.app.viewport import Viewport
from viewer.arrays import Size
from viewer.session.pending_files import FileProgress
from viewer.session.requests import ExportModel, RecordFilm, SaveLook, SaveMotion, SaveTexture
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.app.output.recording import Recording


END = 2.0
"""Seconds for which `close` waits until an output has ended and removed its unfinished files."""


class BackgroundOutput:
    """Runs copies, a recording and an export. Call `step` once a frame; `close` stops them."""

    def __init__(self, state: State, viewport: Viewport, tasks: Tasks) -> None:
        self._state = state
        self._viewport = viewport
        self._tasks = tasks
        self._short: list[Task] = []
        self._knows_films = False
        self._recording: Recording | None = None
        self._export: tuple[str, Task] | None = None

    def copy(self, size: Size) -> None:
        """Copy the picture, without panels, to the clipboard."""
        from viewer.app.output import clipboard  # imported late, so that the first picture comes sooner

        pixels = self._viewport.whole(self._state, size)
        work = lambda task: clipboard.put(pixels)  # noqa: E731
        self._short.append(self._tasks.submit(("copy", id(pixels)), work, self._say_copied))

    def show_files(self, paths: Sequence[str]) -> None:
        """Show files in the file manager of the desktop; a message reports a failure."""
        from viewer.app.output import file_manager

        self._tasks.submit("show files", lambda task: file_manager.show_files(paths), self._say_shown)

    def record(self, request: RecordFilm, size: Size) -> None:
        """Start to record the picture as it is shown, unless a recording is running."""
        if self._recording is not None and self._refuses(self._recording.path):
            return
        self._state.view.texture_view.region = None  # a film shows no marked region
        from viewer.app.output.recording import begin_recording

        self._recording = begin_recording(self._state, self._viewport, request, size)

    def export(self, request: ExportModel) -> None:
        """Start to export the model in view, unless an export is running."""
        if self._export is not None and self._refuses(self._export[0]):
            return
        from viewer.app.output.exporting import export

        self._export = export(self._state, request, self._tasks)

    def save_texture(self, request: SaveTexture) -> None:
        """Start to save a texture; a message reports the result."""
        from viewer.app.output.texture_saving import save_texture

        task = save_texture(self._state, self._viewport, request, self._tasks)
        self._short += [task] if task is not None else []

    def save_look(self, request: SaveLook) -> None:
        """Save the look that the user chose; a message reports the result."""
        from viewer.app.output.save_paths import Destination
        from viewer.storage.look_files import write_look

        character = chosen_character(self._state)
        target = Destination(self._state, request)
        if character is None or not target.is_free:
            return
        try:
            write_look(character, target.path)
        except OSError as error:
            target.fail(error)
        else:
            target.done()

    def save_motion(self, request: SaveMotion) -> None:
        """Save the keys that pop or the contacts of feet; a message reports the result."""
        from viewer.app.output.motion_saving import write_motion
        from viewer.app.output.save_paths import Destination

        result, target = self._state.motion.result, Destination(self._state, request)
        if result is None or not target.is_free:
            return
        try:
            write_motion(result, self._state.skeleton, request.what, target.path)
        except OSError as error:
            target.fail(error)
        else:
            target.done()

    def step(self) -> None:
        """Continue all running output."""
        if self._state.interface.records and not self._knows_films:
            self._knows_films = True
            self._tasks.submit("films", _writable, self._take_films)
        if self._recording is not None:
            self._go_on(self._recording)
            self._tasks.request_frame_in(0.0)
        self._state.recording = self._recording.progress if self._recording else None
        self._short = [each for each in self._short if not each.done]
        if self._export is not None and self._export[1].done:
            self._export = None
        self._state.exporting = None if self._export is None else _progress(*self._export)

    def _refuses(self, path: str) -> bool:
        """Say that the output at `path` must end before another one begins; return True."""
        self._state.say(f"{path} is still being written: wait until it is complete, or stop it.", "warning")
        return True

    def _go_on(self, recording: Recording) -> None:
        if any(each not in self._state.documents.opened for each in recording.documents):
            self.stop()
            return
        if recording.step():
            recording.stop()
            self._recording = None

    def _take_films(self, task: Task) -> None:
        """Offer the film formats that can be written."""
        self._state.interface.films = task.value or self._state.interface.films

    def _say_copied(self, task: Task) -> None:
        self._state.say(task.error or "Image copied", "warning" if task.error else "note", "copy")

    def _say_shown(self, task: Task) -> None:
        self._state.settle("show files")
        if task.error:
            self._state.say(task.error, "warning", "show files")

    def stop_export(self, seconds: float = 0.0) -> None:
        """Stop the export and delete its files; wait at most `seconds` until it has ended."""
        if self._export is not None:
            task = self._export[1]
            self._tasks.cancel(task)
            task.wait(seconds)
            self._export = None
            self._state.say("Export stopped. Nothing was saved.")

    def stop(self) -> None:
        """Stop the recording and delete its files."""
        if self._recording is not None:
            self._recording.stop()
            self._recording = None
            self._state.say("Recording stopped. Nothing was saved.")

    def close(self) -> None:
        """Stop the recording and the export; wait until copies and textures are complete."""
        self.stop()
        self.stop_export(END)
        for task in self._short:
            task.wait(END)


def _writable(task: Task) -> tuple[str, ...]:
    from viewer.export.film.encoder import writable  # imported late, because few windows record

    return writable()


def _progress(path: str, task: Task) -> FileProgress:
    return FileProgress(path, *task.progress)
