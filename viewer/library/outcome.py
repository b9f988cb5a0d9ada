"""The outcome of a task on one of many files."""

from __future__ import annotations

from os.path import normpath
from typing import Any, NamedTuple

from viewer.errors import FormatError, ViewerError


class Outcome(NamedTuple):
    """The result of a task for a file: a value, or an error."""

    path: str
    value: Any = None
    error: ViewerError | None = None

    @property
    def why(self) -> str:
        """Text of the error in one line, without the path; empty if there is no error."""
        text = "" if self.error is None else " ".join(str(self.error).split())
        file = self.error.file if isinstance(self.error, FormatError) else ""
        return text.removeprefix(f"{file if normpath(file) == normpath(self.path) else self.path}: ")

    @property
    def line(self) -> str:
        """The path and the error in one line."""
        return f"{self.path}: {self.why}"
