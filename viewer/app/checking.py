"""The check of the open documents in a background thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from weakref import WeakKeyDictionary, ref

from msgspec import Struct

from viewer.app.work_thread import YIELD, WorkThread
from viewer.scene.animation import Animation
from viewer.scene.document import Document
from viewer.scene.package import UNCHECKED, Package
from viewer.session.check_result import CheckResult
from viewer.session.clips import ClipList
from viewer.session.state import State

MOST = 4
"""The checks of one document that new messages of its files lead to: a check reads keys, which may lead to
further messages.
"""


SHARE = 0.2
"""The part of the time that belongs to the thread: where a processor draws, it works between frames alone."""


class _Asked(Struct, frozen=True, eq=False):
    """A check of a document that was asked for. It depends on the `beside` opened animations and on the
    number of `messages` of the files; it is the check number `times` with these animations.
    """

    name: str
    beside: tuple[ref[Document], ...]
    messages: int
    times: int = 1


class DocumentCheck:
    """Checks each document once it is open, and again when it is read again, or when another animation is
    opened for it. `step` is called once a frame; `wake` is called from the thread when there is a result.
    """

    def __init__(self, state: State, wake: Callable[[], None]) -> None:
        self._state = state
        self._thread = WorkThread(wake)
        self._asked: WeakKeyDictionary[Document, _Asked] = WeakKeyDictionary()
        self._seen: tuple[ref[Document], ...] = ()
        self._count = 0
        self._stepped = time.perf_counter()

    @property
    def finished(self) -> bool:
        """Whether results can be taken."""
        return self._thread.finished

    @property
    def working(self) -> bool:
        """Whether documents are being checked."""
        return self._thread.working or self._thread.finished

    def step(self) -> None:
        """Take in findings, and begin to check documents that have been in view for a frame."""
        state = self._state
        if self._thread.working:
            self._thread.wait(max(YIELD, SHARE * (time.perf_counter() - self._stepped)))
        self._stepped = time.perf_counter()
        self._take()
        seen, self._seen = self._seen, tuple(map(ref, state.documents))
        if not state.interface.preferences.check_files or state.pending_files.loading or seen != self._seen:
            return
        for document in self._urgent_last():
            self._ask(document)

    def close(self) -> None:
        """Stop after the document that is being checked, without waiting."""
        self._thread.close()

    def _urgent_last(self) -> Iterator[Document]:
        """The documents; the one in view comes last, because the latest request is done first."""
        shown = self._state.document
        yield from (each for each in self._state.documents if each is not shown)
        if shown is not None:
            yield shown

    def _ask(self, document: Document) -> None:
        """Ask for the check of a document, unless the last one is still true. A package is checked after its
        files were verified: then they are read once.
        """
        content = document.content
        if isinstance(content, Package) and (content.verdicts == UNCHECKED).any():
            return
        lone = [each for each in self._state.documents if isinstance(each.content, Animation)]
        beside = tuple(ref(each) for each in lone if each is not document)
        messages = sum(each.report.count for each in (document, *document.attached))
        last, times = self._asked.get(document), 1
        if last is not None and last.beside == beside:
            if last.messages == messages or last.times == MOST:
                return
            times = last.times + 1
        self._count += 1
        name = str(self._count)
        self._asked[document] = _Asked(name, beside, messages, times)
        clips = tuple(map(ref, ClipList().of(document, self._state.documents)))
        self._thread.ask(name, partial(_checked, ref(document), clips, beside))

    def _take(self) -> None:
        """Take in the results for documents that are still open and were not asked for again."""
        while (result := self._thread.result()) is not None:
            wanted = (each for each in self._state.documents if each in self._asked)
            document = next((each for each in wanted if self._asked[each].name == result.name), None)
            if document is None:
                continue
            if result.error:
                self._state.say(f"{document.path} could not be checked: {result.error}", "warning")
            self._state.view_of(document).checked = result.value


def _checked(
    about: ref[Document], clips: tuple[ref[Animation], ...], beside: tuple[ref[Document], ...]
) -> CheckResult | None:
    """The findings of a document; None if it was closed before."""
    document = about()
    known, given = [clip() for clip in clips], [each() for each in beside]
    if document is None:
        return None
    from viewer.check.opened import check_opened  # after the first picture

    whole = [clip for clip in known if clip is not None]
    found = check_opened(document, whole, [each for each in given if each is not None])
    return CheckResult(found, clips)
