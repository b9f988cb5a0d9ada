"""A desk with a table of listed files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from viewer.app.wall.file_library import named
from viewer.session.file_list import QueryResult
from viewer.session.file_table import FileTable

NAMES = tuple(f"{folder}/{folder}file{number}.mdl" for folder in "ab" for number in range(40))


@pytest.fixture
def listed(desk: Any) -> Any:
    """Two folders of forty models; `a/afile0.mdl` has the size 0, `b/bfile39.mdl` 79."""
    count = len(NAMES)
    table = FileTable("/files", False, NAMES, range(count), [0] * count, [0] * count)
    desk.state.files.begin("/files", table)
    return desk


@pytest.fixture
def answer(listed: Any) -> Callable[[], None]:
    """Answers the query of the listed files from their names, and draws the answer."""

    def give() -> None:
        files = listed.state.files
        query = files.query.strip()
        files.result = QueryResult(query, files.table, named(query.split(), files.table) if query else None)
        listed.frames(2)

    return give
