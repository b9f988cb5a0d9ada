"""The background services of a window: output, checks, the search for differences, the lists of files
and items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import moderngl

from viewer.app.checking import DocumentCheck, PackageVerification
from viewer.app.difference_search import DifferenceSearch
from viewer.app.item_lists import ItemLists
from viewer.app.motion_search import MotionSearch
from viewer.app.open_files.recent_facts import RecentFacts
from viewer.app.output.background_output import BackgroundOutput
from viewer.app.tasks import Tasks
from viewer.app.viewport import Viewport
from viewer.app.wall.file_batches import FileBatches
from viewer.session.state import State

if TYPE_CHECKING:
    from viewer.app.wall.file_library import FileLibrary
    from viewer.app.wall.saved_looks import LookLibrary


class BackgroundServices:
    """Runs the services; call `step` once a frame.

    `workers` is the number of processes that read listed files and draw their thumbnails. `output` writes
    files. `library` holds the listed files; None until a folder or package is listed. `batches` runs tasks on
    listed files.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        state: State,
        viewport: Viewport,
        tasks: Tasks,
        workers: int,
    ) -> None:
        self._ctx, self._state, self._tasks, self._workers = ctx, state, tasks, workers
        self.output = BackgroundOutput(state, viewport, tasks)
        self.library: FileLibrary | None = None
        self.batches = FileBatches(state, workers, tasks)
        self._offered = not workers  # a window for one picture runs no tasks on files
        self._verification = PackageVerification(state, tasks)
        self._check = DocumentCheck(state, tasks)
        self._differences = DifferenceSearch(state, tasks)
        self._motion = MotionSearch(state, tasks)
        self._recent = RecentFacts(ctx, state, tasks)
        self._items = ItemLists(state, tasks)
        self._looks: LookLibrary | None = None

    def list_files(self, root: str) -> None:
        """List the files of a folder or package."""
        if self.library is None:
            # imported late, because few windows list files
            from viewer.app.wall.file_library import FileLibrary

            self.library = FileLibrary(self._ctx, self._state, self._workers, self._tasks)
        self.library.list(root)

    def step(self) -> None:
        """Continue the work of all services and store their results."""
        self.output.step()
        self._verification.step()
        self._check.step()
        self._differences.step()
        self._motion.step()
        self._recent.step()
        self._items.step()
        self.batches.step()
        if not self._offered and not self._state.pending_files.loading:
            self._offered = True
            self.batches.offer()
        if self.library is not None:
            self.library.step()
        if self._looks is None and self._state.pending_files.looks is not None:
            # imported late, because few windows list looks
            from viewer.app.wall.saved_looks import LookLibrary

            self._looks = LookLibrary(self._ctx, self._state, min(self._workers, 1), self._tasks)
        if self._looks is not None:
            self._looks.step()

    def close(self) -> None:
        """Stop all services."""
        self._recent.close()
        if self.library is not None:
            self.library.close()
        if self._looks is not None:
            self._looks.close()
        self.batches.close()
        self.output.close()
