"""Background checks: of open documents by the check rules, of packages by their checksums."""

from __future__ import annotations

import time
from functools import partial
from weakref import WeakKeyDictionary, ref

from msgspec import Struct

from viewer.app.tasks import Task, Tasks
from viewer.errors import FormatError, counted
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.package import UNCHECKED, Package
from viewer.session.check_result import CheckResult
from viewer.session.clips import ClipList
from viewer.session.state import State

LOOK_REST = 0.5
"""Seconds from the last change of a look to the check of the character or creature, because the user may be
dragging a slider.
"""
CHECKS = 4
"""The largest number of checks of one document with the same animations. A check reads keys, which may add
messages to the document's report; new messages cause another check.
"""


class _Asked(Struct, frozen=True, eq=False):
    """A submitted check of a document.

    `beside` are the animations that are open together with the document; `messages` is the number of messages
    in the reports of its files. The result is valid until one of these changes. `times` counts the checks
    with the same animations.
    """

    task: Task
    beside: tuple[ref[Document], ...]
    messages: int
    times: int = 1


class DocumentCheck:
    """Checks each document after it is opened or reloaded, and when another animation is opened for it.

    Call `step` once a frame.
    """

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state = state
        self._tasks = tasks
        self._asked: WeakKeyDictionary[Document, _Asked] = WeakKeyDictionary()
        self._seen: tuple[ref[Document], ...] = ()
        self._dressed = 0.0

    def step(self) -> None:
        """Submit the checks of all open documents. In a frame after documents were opened or closed,
        cancel the checks of closed ones, and submit nothing.
        """
        state = self._state
        seen, self._seen = self._seen, tuple(map(ref, state.documents.opened))
        if seen != self._seen:
            self._cancel_closed()
            if state.document is not None and state.document.bare is not None:
                self._dressed = time.perf_counter()
        if self._dressed and (left := self._dressed + LOOK_REST - time.perf_counter()) > 0:
            self._tasks.request_frame_in(left)
            return
        if not state.interface.preferences.check_files or state.pending_files.loading or seen != self._seen:
            return
        for document in state.documents.opened:
            self._ask(document)

    def _ask(self, document: Document) -> None:
        """Submit the check of a document, unless a check is running or its last result is still valid.

        A package is checked only after its checksums are verified, so that its files are read only once.
        """
        if is_unverified(document):
            return
        lone = [each for each in self._state.documents.opened if isinstance(each.content, Animation)]
        beside = tuple(ref(each) for each in lone if each is not document)
        messages = sum(each.report.count for each in (document, *document.attached))
        last, times = self._asked.get(document), 1
        if last is not None and not last.task.done:
            return
        if last is not None and last.beside == beside:
            if last.messages == messages or last.times == CHECKS:
                return
            times = last.times + 1
        clips = tuple(map(ref, ClipList().of(document, self._state.documents.opened)))
        about = ref(document)
        work, then = partial(_checked, about, clips, beside), partial(self._take, about)
        priority = int(document is not self._state.document)
        task = self._tasks.submit(("check", about), work, then, "check", priority)
        self._asked[document] = _Asked(task, beside, messages, times)

    def _cancel_closed(self) -> None:
        for document, asked in [*self._asked.items()]:
            if document not in self._state.documents.opened and not asked.task.done:
                self._tasks.cancel(asked.task)

    def _take(self, about: ref[Document], task: Task) -> None:
        """Store the findings of a document if it is still open."""
        document = about()
        if document is None or document not in self._state.documents.opened:
            return
        self._state.settle(("check", document.path))
        if task.error:
            text = f"{document.path} could not be checked: {task.error}"
            self._state.say(text, "warning", ("check", document.path))
        self._state.documents.view_of(document).checked = task.value


def _checked(
    about: ref[Document], clips: tuple[ref[Animation], ...], beside: tuple[ref[Document], ...], task: Task
) -> CheckResult | None:
    """Find the problems of a document; None if it was closed meanwhile."""
    document = about()
    known, given = [clip() for clip in clips], [each() for each in beside]
    if document is None:
        return None
    from viewer.app.opened_check import check_opened  # imported late, so that the first picture comes sooner

    whole = [clip for clip in known if clip is not None]
    beside_it = [each for each in given if each is not None]
    found = check_opened(document, whole, beside_it, partial(task.report, "checking"))
    return CheckResult(found, clips)


class PackageVerification:
    """Compares the files of the package in view with their checksums. Call `step` once a frame."""

    def __init__(self, state: State, tasks: Tasks) -> None:
        self._state = state
        self._tasks = tasks
        self._document: Document | None = None
        self._task: Task | None = None

    def step(self) -> None:
        """Start to verify the package in view; cancel the verification of a closed package."""
        document = self._state.document
        if self._document is not None and self._document not in self._state.documents.opened:
            if self._task is not None:
                self._tasks.cancel(self._task)
            self._task = self._document = None
        if self._task is None and document is not None and is_unverified(document):
            assert isinstance(document.content, Package), "only packages are verified"
            self._document = document
            self._task = self._tasks.submit("checksums", partial(_verify, document.content), self._take)

    def _take(self, task: Task) -> None:
        """Report the damaged files of the package."""
        document, self._task = self._document, None
        assert document is not None, "the document is still open"
        known = {error.offset for error in document.report.errors}
        errors: list[FormatError] = task.value or []
        for error in errors:
            error.file = document.path
            if error.offset not in known:
                document.report.fail(error)
        if errors:
            self._state.say(
                f"{document.path}: {counted(len(errors), 'damaged file')} in the package", "error"
            )


def is_unverified(document: Document) -> bool:
    """Whether a document is a package whose files were not yet compared with their checksums."""
    content = document.content
    if not isinstance(content, Package) or content.sources:
        return False  # a game is not verified: it has gigabytes, and only its archives have checksums
    return bool((content.verdicts == UNCHECKED).any())


def _verify(package: Package, task: Task) -> list[FormatError]:
    """Return the errors in the files of a package."""
    errors = []
    for _, error in package.check():
        task.report("checking")
        if error is not None:
            errors.append(error)
    return errors
