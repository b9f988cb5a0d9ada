"""The parent folders as buttons."""

from __future__ import annotations

from typing import Any

import pytest

from viewer.ui.dialogs.path_bar import parents, path_bar


def test_the_parents_go_up_to_the_root() -> None:
    assert parents("/a/b") == ["/a/b", "/a", "/"]
    assert parents("/") == ["/"]


@pytest.mark.parametrize("deep", [2, 60])
def test_a_click_tells_the_folder(desk: Any, deep: int) -> None:
    clicked: list[str] = []
    folder = "".join(f"/folder{number}" for number in range(deep))
    desk.show(lambda state, post: clicked.extend(filter(None, [path_bar(folder)])))
    for x in range(8, 398, 8):
        desk.click(x, 8)
    assert list(dict.fromkeys(reversed(clicked))) == parents(folder)[: len(set(clicked))]
    assert (len(set(clicked)) == deep + 1) == (deep == 2), "only as many as there is room for"
