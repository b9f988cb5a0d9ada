"""Uploads of documents in parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.synthetic import write_pair
from viewer.app.loader import LoadResult
from viewer.app.uploads import Uploads
from viewer.formats import open_document
from viewer.scene.document import Document


class Parts:
    """Stands for a viewport; uploads in the steps that are given."""

    def __init__(self, *shares: float) -> None:
        self.shares = shares
        self.taken: list[float] = []
        self.dropped: list[Document] = []

    def put(self, *given: Any) -> Iterator[float]:
        for share in self.shares:
            self.taken.append(share)
            yield share

    def drop(self, document: Document) -> None:
        self.dropped.append(document)


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return open_document(write_pair(tmp_path))


def begun(parts: Any, document: Document) -> tuple[Uploads, LoadResult]:
    uploads, loaded = Uploads(parts), LoadResult(document.path, 7, document)
    uploads.begin(document, loaded)
    return uploads, loaded


def test_a_share_that_comes_twice_leaves_the_rest_of_the_frame(document: Document) -> None:
    parts = Parts(0.1, 0.2, 0.2, 0.3, 0.4, 0.4, 0.5)
    uploads, loaded = begun(parts, document)
    finished, seen = [], []
    for _ in range(3):
        finished += list(uploads.step())
        seen.append(len(parts.taken))
    assert seen == [3, 6, 7] and finished == [loaded]
    assert not uploads.documents


def test_progress_is_told_until_the_end(document: Document) -> None:
    uploads, _ = begun(Parts(0.25, 0.25), document)
    list(uploads.step())
    assert [each.share for each in uploads.progress] == [0.25]
    assert uploads.holds(7) and not uploads.holds(8)


def test_what_is_cancelled_is_released(document: Document) -> None:
    parts = Parts(0.5, 0.5)
    uploads, _ = begun(parts, document)
    uploads.cancel()
    assert parts.dropped == [document] and not list(uploads.step())
