"""What can go wrong, and the report that collects it.

ViewerError
├── FormatError      a file does not say what its format promises
├── ResourceError    a named thing (file, animation, bone …) does not exist
├── ShaderError      a shader does not compile
├── GraphicsError    there is no usable OpenGL
└── CancelledError   the user does not wait for the result any more
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from viewer.dataclass import dataclass


class ViewerError(Exception):
    """Everything that this program raises on purpose."""


class FormatError(ViewerError):
    """The bytes at `offset` break the format. `path` grows while the error rises through the records."""

    def __init__(self, why: str, path: str = "", offset: int = 0, file: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.path = path
        self.offset = offset
        self.file = file
        self.partial: Any = None

    def inside(self, name: str) -> FormatError:
        """Put `name` in front of the field path: `lods[0]/count` → `geometries[1]/lods[0]/count`."""
        self.path = f"{name}/{self.path}" if self.path else name
        return self

    def __str__(self) -> str:
        # Without a path and an offset the error is about the whole file.
        at = f"at 0x{self.offset:X}" if self.path or self.offset else ""
        where = f" ({f'{self.path} {at}'.strip()})" if at else ""
        return f"{self.file}: {self.why}{where}" if self.file else f"{self.why}{where}"


class ResourceError(ViewerError):
    """No resource has this name; the text lists similar names."""


class ShaderError(ViewerError):
    """A shader does not compile: `file` and `line` are those of the source on disk."""

    def __init__(self, file: str, line: int, log: str) -> None:
        super().__init__(f"{file}:{line}: {log}")
        self.file = file
        self.line = line
        self.log = log


class GraphicsError(ViewerError):
    """No OpenGL 3.3 context can be created; the text says what to install."""


class CancelledError(ViewerError):
    """The user does not wait for the result any more."""


def counted(number: int, what: str, more: str = "") -> str:
    """A number with its noun: `1 item`, `2 items`, `2 vertices`; `more` is an irregular plural."""
    return f"{number} {what if number == 1 else more or f'{what}s'}"


@dataclass
class Report:
    """The warnings of reading a document, once each, and its errors with their offsets."""

    warnings: list[str] = field(default_factory=list)
    errors: list[FormatError] = field(default_factory=list)

    def warn(self, text: str) -> None:
        """Record a warning; the same text is kept once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def fail(self, error: FormatError) -> None:
        """Record an error that cost a part of the document."""
        self.errors.append(error)

    @property
    def complete(self) -> bool:
        """Whether everything could be read."""
        return not self.errors
