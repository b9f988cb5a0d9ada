"""What goes on beside the frames: output, checks, the search for differences, and the list of files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import moderngl

from viewer.app.background_output import BackgroundOutput
from viewer.app.checking import DocumentCheck
from viewer.app.difference_search import DifferenceSearch
from viewer.app.verification import GLANCE, Verification
from viewer.app.viewport import Viewport
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.app.file_library import FileLibrary


class BackgroundWork:
    """`step` is called once a frame; `wake` is called from threads when there is something new. `workers` is
    the number of processes that read listed files and draw their thumbnails.

    `output` writes files; `library` has the listed files, None before the first list.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        state: State,
        viewport: Viewport,
        wake: Callable[[], None],
        workers: int,
    ) -> None:
        self._ctx, self._state, self._wake, self._workers = ctx, state, wake, workers
        self.output = BackgroundOutput(state, viewport)
        self.library: FileLibrary | None = None
        self._verification = Verification(state)
        self._check = DocumentCheck(state, wake)
        self._differences = DifferenceSearch(state, wake)

    @property
    def busy(self) -> bool:
        """Whether the next frame differs even without an event."""
        listed = self.library is not None and self.library.busy
        return listed or self.output.busy or self._check.finished or self._differences.finished

    @property
    def working(self) -> bool:
        """Whether a document or the files of a package are being checked, or compared documents are being
        searched for differences.
        """
        return self._verification.busy or self._check.working or self._differences.working

    @property
    def patience(self) -> float | None:
        """Seconds until `step` has to be called without an event; None: never."""
        pauses = GLANCE if self.working else None, self.library.patience if self.library is not None else None
        return min((each for each in pauses if each is not None), default=None)

    def list_files(self, place: str) -> None:
        """List the files of a folder or package."""
        if self.library is None:
            from viewer.app.file_library import FileLibrary  # most windows list nothing

            self.library = FileLibrary(self._ctx, self._state, self._workers, self._wake)
        self.library.list(place)

    def step(self) -> None:
        """Go on with all of it, and take in what is finished."""
        self.output.step()
        self._verification.step()
        self._check.step()
        self._differences.step()
        if self.library is not None:
            self.library.step()

    def close(self) -> None:
        """Stop all of it."""
        if self.library is not None:
            self.library.close()
        self._verification.close()
        self._differences.close()
        self._check.close()
        self.output.close()
