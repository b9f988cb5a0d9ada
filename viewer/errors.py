"""The errors of the program, and the report that collects them.

ViewerError
├── FormatError      a file breaks its format
├── ResourceError    a named thing (file, animation, bone …) does not exist
├── ShaderError      a shader does not compile
├── GraphicsError    no usable OpenGL exists
└── CancelledError   the user cancelled the work
"""

from __future__ import annotations

from contextlib import suppress
from enum import Enum, auto
from typing import Any, NamedTuple

from msgspec import Struct, field


class Topic(Enum):
    """The subject of a reader's message, if a check has a rule for it; OTHER: none."""

    OTHER = auto()
    CUT = auto()
    """The file claims more bytes or items than it has."""
    LENGTH = auto()
    """A declared length differs from the real length."""
    UNCLAIMED = auto()
    """Bytes that no field claims."""
    SHARED = auto()
    """Parts of a file share bytes."""
    VERSION = auto()
    """An unknown version."""
    PARTLY = auto()
    """A version that is read in part."""
    REFERENCE = auto()
    """A reference leads out of the file."""
    VIEW = auto()
    """A view does not fit its model."""
    PART = auto()
    """The file is a part of a model, which has to be opened instead: nothing is wrong."""
    UNUSED = auto()
    """No model uses the file."""
    FOREIGN = auto()
    """The file is of another program with the same suffix."""
    INFLUENCE = auto()
    """More bones move a vertex than the engine keeps: a rule looks at the weights."""
    CHECKSUM = auto()
    """A checksum is wrong."""
    INDEX = auto()
    """Triangles use vertices that do not exist."""
    PROGRAM = auto()
    """A compiled program is odd or cannot be read."""
    CYCLE = auto()
    """A bone is its own ancestor."""
    TRACK = auto()
    """A track is for a bone that another track moves, or that does not exist."""
    KEYS = auto()
    """Keys are out of order or not finite: rules look at the keys themselves."""
    TRIGGERS = auto()
    """The file with the triggers of a clip is broken."""
    LINK = auto()
    """A linked skeleton is missing or cannot be read."""
    PICTURE = auto()
    """A level of a picture is odd or cannot be read."""


class ViewerError(Exception):
    """The base of all errors that this program raises on purpose."""


class FormatError(ViewerError):
    """The bytes at `offset` break the format. `path` grows while the error rises through the records."""

    def __init__(
        self, why: str, path: str = "", offset: int = 0, file: str = "", topic: Topic = Topic.OTHER
    ) -> None:
        super().__init__(why)
        self.why = why
        self.path = path
        self.offset = offset
        self.file = file
        self.topic = topic
        self.partial: Any = None

    def inside(self, name: str) -> FormatError:
        """Prepend `name` to the field path: `lods[0]/count` → `geometries[1]/lods[0]/count`."""
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
    """A shader does not compile; `file` and `line` are of the source on disk."""

    def __init__(self, file: str, line: int, log: str) -> None:
        super().__init__(f"{file}:{line}: {log}")
        self.file = file
        self.line = line
        self.log = log


class GraphicsError(ViewerError):
    """No OpenGL 3.3 context can be created; the text says what to install."""


class CancelledError(ViewerError):
    """The user cancelled the work."""


def counted(number: int, what: str, more: str = "") -> str:
    """A number with its noun: `1 item`, `2 items`, `2 vertices`; `more` is an irregular plural."""
    return f"{number} {what if number == 1 else more or f'{what}s'}"


def printable(text: str) -> str:
    """A text from a file as one safe line: control characters, newlines, terminal escapes and marks that
    change the writing direction become escapes such as `\\x1b`.
    """
    if text.isprintable():
        return text
    # Bytes that Python hides in a file name may be control characters in UTF-8. Other surrogates are escaped.
    with suppress(UnicodeError):
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)


MISSING_PART, MISSING_TEXTURE, ERROR, DAMAGE, NOTE = range(5)
"""The kinds of messages, in the order of what a user can do about them: a missing part of the model, a
missing texture or material, broken data (a lost part of the document first), and notes, which report no
fault.
"""


class MissingFile(NamedTuple):
    """A missing file of a document: its kind as a noun, its name, and the searched folders. The user can
    choose a file for the name.
    """

    kind: str
    name: str
    searched: tuple[str, ...] = ()


class ReportMessage(NamedTuple):
    """A message of a report. `error` is set for the kind `ERROR`; `files` are the missing files. A warning or
    note has its `offset`, if known, and the `file` whose report it comes from, if another one.
    """

    kind: int
    text: str
    error: FormatError | None = None
    files: tuple[MissingFile, ...] = ()
    topic: Topic = Topic.OTHER
    offset: int | None = None
    file: str = ""

    @property
    def plain_text(self) -> str:
        """The text without the name of another file before it."""
        return self.text.partition(_prefix(self.file))[2] if self.file else self.text


def _prefix(file: str) -> str:
    return f"{file}: " if file else ""


class Report(Struct):
    """The messages of a document's readers: distinct warnings and notes, and errors with their offsets."""

    errors: list[FormatError] = field(default_factory=list)
    _told: dict[str, ReportMessage] = field(default_factory=dict)

    def warn(
        self,
        text: str,
        kind: int = DAMAGE,
        *files: MissingFile,
        topic: Topic = Topic.OTHER,
        offset: int | None = None,
    ) -> None:
        """Record a warning, unless one has the same text. `kind` is `MISSING_PART`, `MISSING_TEXTURE` or
        `DAMAGE`; `files` are the missing files.
        """
        self._told.setdefault(text, ReportMessage(kind, text, None, files, topic, offset))

    def note(self, text: str, topic: Topic = Topic.OTHER, offset: int | None = None, file: str = "") -> None:
        """Record an oddity without effect, or one that the engine treats alike. For another `file` the text
        begins with its path.
        """
        self._told.setdefault(text, ReportMessage(NOTE, text, None, (), topic, offset, file))

    def adopt(self, other: Report, file: str = "") -> None:
        """Add the messages of another `file`: warnings and notes after its path, and errors."""
        for each in other._told.values():
            text = f"{_prefix(file)}{each.text}"
            self._told.setdefault(text, each._replace(text=text, file=each.file or file))
        self.errors += other.errors

    @property
    def messages(self) -> list[ReportMessage]:
        """All messages in the order of their kinds."""
        errors = [ReportMessage(ERROR, str(each), each, topic=each.topic) for each in self.errors]
        return sorted([*self._told.values(), *errors], key=lambda message: message.kind)

    @property
    def warnings(self) -> list[str]:
        """The warnings in the order of their kinds."""
        return [each.text for each in self.messages if each.kind not in (ERROR, NOTE)]

    @property
    def notes(self) -> list[str]:
        """The notes."""
        return [each.text for each in self._told.values() if each.kind == NOTE]

    @property
    def missing(self) -> list[MissingFile]:
        """The missing files of all messages, once each."""
        return list(dict.fromkeys(file for each in self._told.values() for file in each.files))

    @property
    def count(self) -> int:
        """The number of messages."""
        return len(self.errors) + len(self._told)

    def fail(self, error: FormatError) -> None:
        """Record an error by which a part of the document is lost."""
        self.errors.append(error)

    @property
    def complete(self) -> bool:
        """Whether everything could be read."""
        return not self.errors
