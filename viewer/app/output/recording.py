"""Records a film of the current view, frame by frame while the window keeps running."""

from __future__ import annotations

from collections.abc import Collection, Generator

from msgspec.structs import replace

from viewer.app.comparison import distances_of, motion_of
from viewer.app.output.save_paths import Destination
from viewer.app.viewport import Viewport, bare
from viewer.arrays import Size
from viewer.budget import BUDGET
from viewer.errors import GraphicsError, ResourceError
from viewer.export.film.film import Film, film_format
from viewer.export.film.plan import plan_film
from viewer.export.picture.frames import Picture, cameras
from viewer.scene.document import Document
from viewer.session.comparison import in_axes, in_order, pane_size, time_map
from viewer.session.pending_files import FileProgress
from viewer.session.requests import RecordFilm
from viewer.session.state import State
from viewer.view.view_snapshot import ViewSnapshot


class Recording:
    """A running recording.

    `pictures` yields `total` pictures; `documents` are the documents in the pictures. `target` is the file of
    the film.
    """

    def __init__(
        self,
        target: Destination,
        film: Film,
        pictures: Generator[Picture, None, None],
        total: int,
        documents: Collection[Document],
    ) -> None:
        self.documents = documents
        self._target = target
        self._film = film
        self._pictures = pictures
        self._total = total
        self._done = 0

    @property
    def progress(self) -> FileProgress:
        """The path of the film, and the share of its pictures that are drawn."""
        encoding = self._done == self._total
        return FileProgress(
            self.path,
            "encoding" if encoding else "recording",
            None if encoding else self._done / self._total,
        )

    @property
    def path(self) -> str:
        """The path of the film."""
        return self._target.path

    def step(self) -> bool:
        """Draw one more frame, or poll the encoder after the last frame; return whether the recording has
        ended. A message reports its result.
        """
        try:
            picture = next(self._pictures, None)
            if picture is not None:
                self._film.add(picture.pixels)
                self._done += 1
                return False
            if not self._film.finished():
                return False
            self._target.done()
        except (OSError, GraphicsError) as error:
            self._target.fail(error)
        return True

    def stop(self) -> None:
        """Delete everything written so far, unless the film is finished."""
        self._pictures.close()
        self._film.abandon()


def begin_recording(state: State, viewport: Viewport, request: RecordFilm, size: Size) -> Recording | None:
    """Start to record the picture at `size`. If nothing can be recorded, show a message and return None."""
    target, leader = Destination(state, request), state.snapshot()
    format_ = film_format(target.path)
    assert format_ is not None, "the suffix chooses a format"
    request = replace(
        request, transparent=request.transparent and format_.alpha, fps=min(request.fps, format_.fastest)
    )
    shown = [(each.document, _shown(each, state, request)) for each in in_order(state) if each.document]
    plan = plan_film(
        (view for _, view in shown),
        leader,
        target.path,
        request.size or size,
        fps=request.fps,
        start=state.view.clock.range[0] if state.view.clock.range else 0.0,
        frames=request.frames,
        turntable=request.turntable,
        seamless=request.seamless,
        alpha=request.transparent,
    )
    if state.document is None or not 0 < len(plan.numbers) < BUDGET.film_frames:
        state.say("Nothing to record. Choose an animation or record a turntable.", "warning")
        return None
    if not target.is_free:
        return None
    try:
        film = plan.open()
    except (OSError, ResourceError) as error:
        target.fail(error)
        return None
    times = plan.times
    seen = cameras(leader, times, pane_size(state, plan.size), request.turntable)
    shots = zip(times, in_axes(state, seen), strict=True)
    for line in plan.seams:
        state.say(line, "warning")
    documents = [document for document, _ in shown]
    drawn = list(zip(documents, plan.views, strict=True))
    differences = distances_of(state), motion_of(state)
    pictures = viewport.pictures(drawn, shots, plan.size, state.documents.comparison, *differences)
    return Recording(target, film, pictures, len(times), documents)


def _shown(state: State, leader: State, request: RecordFilm) -> ViewSnapshot:
    """Return the view that the film shows. The film counts the times of the `leader`."""
    shown = replace(state.snapshot(), tie=time_map(leader, state))
    return replace(shown, options=bare(shown.options)) if request.transparent else shown
