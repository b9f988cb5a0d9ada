"""The title of the window."""

from __future__ import annotations

import pytest

from viewer.window.create_window import window_title


@pytest.mark.parametrize(
    ("path", "title"),
    [
        (None, "Rigscope"),
        ("/models/fox/Fox.mdl", "Fox.mdl · /models/fox · Rigscope"),
        ("Fox.mdl", "Fox.mdl · Rigscope"),
        ("/Fox.mdl", "Fox.mdl · / · Rigscope"),
        ("C:\\models\\Fox.mdl", "Fox.mdl · C:\\models · Rigscope"),
        ("/data/Data.pak::Models/Fox.mdl", "Fox.mdl · /data/Data.pak::Models · Rigscope"),
        ("/data/Data.pak::Fox.mdl", "Fox.mdl · /data/Data.pak · Rigscope"),
        ("/a/evil\n\x1b[31m.mdl", "evil\\n\\x1b[31m.mdl · /a · Rigscope"),
    ],
)
def test_the_title_begins_with_the_name_of_the_file(path: str | None, title: str) -> None:
    assert window_title(path) == title
