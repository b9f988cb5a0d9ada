"""The window's own dialog for files."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.opening import Browser, Entry
from viewer.ui import file_browser as page


def test_a_name_that_is_cut_is_told_whole(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(page, "hint", told.append)
    long = f"{'a_long_name' * 12}.mdl"
    entries = (Entry(long, False, 1), Entry("b.mdl", False, 1))
    desk.state.opening.browser = Browser("/", suffixes=(".mdl",), entries=entries)
    desk.show(page.file_browser)
    assert set(told) == {long}
