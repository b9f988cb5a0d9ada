"""Records a film of the current view, frame by frame while the window keeps running."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator

from msgspec.structs import replace

from viewer.animation.effects.approximations import seams
from viewer.app.comparison import distances_of
from viewer.app.output.save_paths import is_open_here, suggested
from viewer.app.viewport import Viewport, bare
from viewer.arrays import Array, Size
from viewer.budget import BUDGET
from viewer.errors import ResourceError
from viewer.export.film.film import Film, usable_size
from viewer.export.picture import frames
from viewer.export.picture.frames import FrameShot
from viewer.scene.camera import Orbit
from viewer.scene.document import Document
from viewer.session.comparison import in_axes, in_order, pane_size
from viewer.session.pending_files import FileProgress
from viewer.session.requests import RecordFilm
from viewer.session.state import State
from viewer.view.view_snapshot import ViewSnapshot


class Recording:
    """A running recording.

    `pictures` yields `total` pictures; `documents` are the documents in the pictures.
    """

    def __init__(
        self,
        film: Film,
        pictures: Generator[Array, None, None],
        total: int,
        documents: Collection[Document],
    ) -> None:
        self.documents = documents
        self._film = film
        self._pictures = pictures
        self._total = total
        self._done = 0

    @property
    def progress(self) -> FileProgress:
        """The path of the film, and the share of its pictures that are drawn."""
        encoding = self._done == self._total
        return FileProgress(
            self._film.path,
            "encoding" if encoding else "recording",
            None if encoding else self._done / self._total,
        )

    @property
    def path(self) -> str:
        """The path of the finished film."""
        return self._film.path

    def step(self) -> bool:
        """Draw one more frame, or poll the encoder after the last frame; return whether the film is finished.

        OSError if it cannot be written.
        """
        picture = next(self._pictures, None)
        if picture is None:
            return self._film.finished()
        self._film.add(picture)
        self._done += 1
        return False

    def stop(self) -> None:
        """Delete everything written so far, unless the film is finished."""
        self._pictures.close()
        self._film.abandon()


def begin_recording(state: State, viewport: Viewport, request: RecordFilm, size: Size) -> Recording | None:
    """Start to record the picture at `size`. If nothing can be recorded, show a message and return None."""
    document, view = state.document, state.snapshot()
    numbers = _numbers(view, request)
    if document is None or not 0 < len(numbers) < BUDGET.film_frames:
        state.say("Nothing to record. Choose an animation or record a turntable.", "warning")
        return None
    orbit = state.view.camera if isinstance(state.view.camera, Orbit) and request.turntable else None
    path = request.path or suggested(state, request)
    size = usable_size(path, request.size or size)
    if is_open_here(state, path):
        return None
    try:
        film = Film(path, size, request.fps, first=numbers[0], alpha=request.transparent)
    except (OSError, ResourceError) as error:
        why = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
        state.say(why, "error")
        return None
    start = state.view.clock.range[0] if state.view.clock.range else 0.0
    pace = frames.endless(view, *_pace(request, numbers))[1] if request.seamless else request.fps
    times = frames.times(numbers, pace, start)
    pane = pane_size(state, size)
    cameras = frames.around(orbit, len(times)) if orbit else frames.fixed_cameras(view, times, pane)
    shots = [FrameShot(*each) for each in zip(times, in_axes(state, cameras), strict=True)]
    shown = [
        (each.document, _shown(each, request, numbers, state.say))
        for each in in_order(state)
        if each.document
    ]
    pictures = viewport.pictures(shown, shots, size, state.documents.comparison, distances_of(state))
    return Recording(film, pictures, len(shots), [document for document, _ in shown])


def _numbers(view: ViewSnapshot, request: RecordFilm) -> range:
    """The frame numbers to record; empty if nothing moves."""
    seconds = frames.length(view, request.turntable)
    if request.frames is not None:
        return range(request.frames[0], request.frames[1] + 1)
    return frames.frame_numbers(seconds, request.fps) if seconds > 0 else range(0)


def _shown(
    state: State, request: RecordFilm, numbers: range, say: Callable[[str, str], None]
) -> ViewSnapshot:
    """Return the view that the film shows. For a seamless loop, a message lists the remaining seams."""
    shown = state.snapshot()
    if request.seamless:
        shown, _ = frames.endless(shown, *_pace(request, numbers))
        for line in seams(shown.model, state.playback.layers(), shown.display.effects.period):
            say(line, "warning")
    return replace(shown, options=bare(shown.options)) if request.transparent else shown


def _pace(request: RecordFilm, numbers: range) -> tuple[range, float, bool, bool]:
    """Return the arguments of `frames.endless`: frame numbers, frame rate, turntable, whole clip."""
    return numbers, request.fps, request.turntable, request.frames is None
