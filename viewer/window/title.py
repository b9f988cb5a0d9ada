"""The title of the window."""

from __future__ import annotations

import re

from viewer.errors import printable
from viewer.scene.names import JOINT

NAME = "Rigscope"
SEPARATOR = re.compile(rf"[/\\]|{JOINT}")


def window_title(path: str | None) -> str:
    """The title for the file in view: its name, the folder or package, the program; None: no file."""
    if path is None:
        return NAME
    last = max(SEPARATOR.finditer(path), key=lambda match: match.end(), default=None)
    folder, name = (path[: last.start()] or path[0], path[last.end() :]) if last else ("", path)
    return " · ".join(filter(None, (printable(name), printable(folder), NAME)))
