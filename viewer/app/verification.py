"""Checks the files of the package in view against their checksums in the background."""

from __future__ import annotations

import threading
import time

from viewer.errors import FormatError
from viewer.scene.document import Document
from viewer.scene.package import UNCHECKED, Package
from viewer.session.state import State

GLANCE = 0.2
"""Seconds between two updates of the displayed progress."""
BREATH = 0.005
"""Seconds after which the thread yields to the main thread."""


class Verification:
    """`step` starts with a package that comes into view, and reports its errors at the end."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._document: Document | None = None
        self._errors: list[FormatError] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether a package is being checked."""
        return self._thread is not None

    def step(self) -> None:
        """Call once a frame: start, continue or finish."""
        document = self._state.document
        if self._thread is not None and self._document not in self._state.documents:
            self.close()
        if self._thread is not None and not self._thread.is_alive():
            self._finish()
        if self._thread is None and document is not None and _unchecked(document):
            self._begin(document)

    def close(self) -> None:
        """Stop without waiting: the thread ends after the file that it checks."""
        self._stop.set()
        self._thread = self._document = None

    def _begin(self, document: Document) -> None:
        assert isinstance(document.content, Package), "only packages are checked"
        self._document, self._errors, self._stop = document, [], threading.Event()
        work = (document.content, self._errors, self._stop)
        self._thread = threading.Thread(target=_check, args=work, name="checksums", daemon=True)
        self._thread.start()

    def _finish(self) -> None:
        document, errors = self._document, self._errors
        self._thread = self._document = None
        if document is None or not errors:
            return
        known = {error.offset for error in document.report.errors}
        for error in errors:
            error.file = document.path
            if error.offset not in known:
                document.report.fail(error)
        self._state.say(f"{document.path}: {len(errors)} of its files are damaged", "error")


def _unchecked(document: Document) -> bool:
    content = document.content
    return isinstance(content, Package) and bool((content.verdicts == UNCHECKED).any())


def _check(package: Package, errors: list[FormatError], stop: threading.Event) -> None:
    pause = time.monotonic() + BREATH
    for _, error in package.check():
        if error is not None:
            errors.append(error)
        if stop.is_set():
            return
        if time.monotonic() > pause:
            time.sleep(0)
            pause = time.monotonic() + BREATH
