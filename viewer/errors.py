"""The errors of the program, and the report that collects them.

ViewerError
├── FormatError      a file breaks its format
├── ResourceError    a named thing (file, animation, bone …) does not exist
├── ShaderError      a shader does not compile
├── GraphicsError    no usable OpenGL exists
└── CancelledError   the user cancelled the work
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum, auto
from typing import Any, Literal, NamedTuple


class Topic(Enum):
    """The subject of a reader's message. Check rules select messages by their topic. OTHER stands for all
    subjects without a topic of their own.
    """

    OTHER = auto()
    CUT = auto()
    """The file declares more bytes or items than it has."""
    LENGTH = auto()
    """A declared length differs from the real length."""
    UNCLAIMED = auto()
    """Some bytes of the file belong to no field."""
    SHARED = auto()
    """Parts of a file share bytes."""
    VERSION = auto()
    """The version of the file is unknown."""
    PARTLY = auto()
    """The program reads this version only in part."""
    REFERENCE = auto()
    """A reference points outside the file."""
    NUMBER = auto()
    """A number refers to a part that does not exist."""
    VIEW = auto()
    """A view does not fit its M2 model."""
    PART = auto()
    """The file is an intact part of a model. The user has to open the model instead."""
    UNUSED = auto()
    """No model uses the file."""
    ACCESS = auto()
    """The operating system refuses to open the file."""
    FOREIGN = auto()
    """The file belongs to another program that uses the same suffix."""
    INFLUENCE = auto()
    """More bones move a vertex than the engine keeps. `check` ignores this message, because it examines the
    weights themselves.
    """
    CHECKSUM = auto()
    """A checksum is wrong."""
    LEVEL = auto()
    """A level of detail has no vertices."""
    UNDRAWN = auto()
    """The program does not draw a property of the file that the engine draws."""
    PLUGIN = auto()
    """A plugin failed; the file may be intact."""
    INDEX = auto()
    """Triangles use vertices that do not exist."""
    PROGRAM = auto()
    """A compiled program is damaged or cannot be read."""
    CYCLE = auto()
    """A bone is its own ancestor."""
    TRACK = auto()
    """The bone of a track does not exist, or another track moves the same bone."""
    KEYS = auto()
    """Keys are out of order or not finite. `check` ignores this message, because it examines the keys
    themselves.
    """
    TRIGGERS = auto()
    """The file with the triggers of a clip is broken."""
    LINK = auto()
    """A skeleton to which the file links is missing or cannot be read."""
    PICTURE = auto()
    """A mip level of a picture is misplaced or cannot be read."""
    AMBIGUOUS = auto()
    """Several files differ that define a material or have the name of a texture. `check` ignores this
    message, because it examines the materials and textures themselves.
    """


class ViewerError(Exception):
    """Base class of all errors that this program raises on purpose."""


class FormatError(ViewerError):
    """The bytes at `offset` break the format. `path` is the field path, to which each enclosing record
    prepends its name. `partial` is what was read before the error.
    """

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

    @property
    def placed_why(self) -> str:
        """The reason with the field path and the offset; without both the error is about the whole file."""
        at = f"at 0x{self.offset:X}" if self.path or self.offset else ""
        return f"{self.why} ({f'{self.path} {at}'.strip()})" if at else self.why

    def __str__(self) -> str:
        return f"{self.file}: {self.placed_why}" if self.file else self.placed_why


class ResourceError(ViewerError):
    """No resource has the wanted name. The message lists similar names."""


class ShaderError(ViewerError):
    """A shader does not compile. `file` and `line` refer to its source on the disk."""

    def __init__(self, file: str, line: int, log: str) -> None:
        super().__init__(f"{file}:{line}: {log}")
        self.file = file
        self.line = line
        self.log = log


class GraphicsError(ViewerError):
    """No OpenGL 3.3 context can be created. The message says what to install."""


class CancelledError(ViewerError):
    """The user cancelled the work."""


ENDS = (struct.error, EOFError, IndexError)
"""The errors of decoders that read past the end of a file."""
STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError)
"""The errors of decoders that compute with damaged numbers."""
BYTES_TEXT = r"\bb'([^']*)'"


def words_of(error: Exception) -> str:
    """The words about an error of the system or of a library, in one line: without the number and the path
    of an OSError, and without the words that Python has for an error of a program.
    """
    cause = error.__cause__ or error
    if isinstance(cause, ENDS):
        return "the file ends early"
    if isinstance(cause, STUMBLES):
        return "the file is damaged"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return re.sub(BYTES_TEXT, r"\1", " ".join(str(error).split()))


OLD_DRIVER = (
    "the graphics driver has an older version than OpenGL 3.3, which Rigscope needs: update the driver, or "
    "set LIBGL_ALWAYS_SOFTWARE=1 to draw with the processor, where Mesa is installed"
)


def has_old_driver(error: Exception) -> bool:
    """Whether the error of a new context says that the driver has an older version of OpenGL. 0x3009 is
    EGL_BAD_MATCH.
    """
    old = ("0x3009", "Could not create GL context", "Requested OpenGL version")
    return any(each in str(error) for each in old)


def counted(number: int, what: str, more: str = "") -> str:
    """Format a number with its noun: `1 item`, `2 items`, `2 vertices`. `more` is an irregular plural."""
    return f"{number} {what if number == 1 else more or f'{what}s'}"


def printable(text: str) -> str:
    """Make a text from a file safe to show in one line: replace control characters, newlines, terminal
    escapes and marks of the writing direction by escapes such as `\x1b`.
    """
    if text.isprintable():
        return text
    # Surrogates stand for undecodable bytes of a file name, which may be control characters in UTF-8.
    with suppress(UnicodeError):
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)


MISSING_PART, MISSING_TEXTURE, ERROR, DAMAGE, NOTE = range(5)
"""The kinds of messages, sorted by how much the user can do about them: a missing part of the model, a
missing texture or material, a lost part of the document, other damage, and notes, which report no fault.
"""


NeedState = Literal["found", "missing", "unreadable", "pointer", "unsupported"]
"""Whether a needed file was found and can be used. `pointer`: the file is a pointer of Git LFS.
`unsupported`: Rigscope does not read the format of the file.
"""


class NeededFile(NamedTuple):
    """A file that a document needs. `kind` is a noun such as `skeleton`. The user can choose a file for the
    `name`.

    `searched` are the searched paths. `found` is the path of the file; None if it is missing. `by` is the
    place of the file, `how` says how it fits the name. `required`: without the file the document is not what
    the user asked for. `offered` are the names of files that may be meant instead. `state` says whether the
    found file can be used, and `error` why not. `level` is the level of detail in the file, None for other
    files.
    """

    kind: str
    name: str
    searched: tuple[str, ...] = ()
    found: str | None = None
    by: str | None = None
    how: str | None = None
    required: bool = False
    offered: tuple[str, ...] = ()
    state: NeedState = "missing"
    error: str = ""
    level: int | None = None


class ReportMessage(NamedTuple):
    """A message of a report. `error` is set for the kind `ERROR`; `files` are the needed files that are
    missing or cannot be used. `offset` is the byte offset of a warning or note, None if unknown. `file` is
    the path of the attached file that the message is about; empty for the document itself.
    """

    kind: int
    text: str
    error: FormatError | None = None
    files: tuple[NeededFile, ...] = ()
    topic: Topic = Topic.OTHER
    offset: int | None = None
    file: str = ""

    @property
    def is_need(self) -> bool:
        """Whether the message says what the needed files, materials and textures say themselves."""
        return self.kind == MISSING_TEXTURE or bool(self.files)

    @property
    def plain_text(self) -> str:
        """The text. If it begins with the path of the attached file, this path is left out."""
        return self.text.partition(_prefix(self.file))[2] if self.file else self.text


def _prefix(file: str) -> str:
    return f"{file}: " if file else ""


class Report:
    """The messages of a document's readers: distinct warnings and notes, and errors with their offsets. The
    report also has the files that the document needs.
    """

    def __init__(self, errors: Sequence[FormatError] = ()) -> None:
        self.errors = [*errors]
        self._kept: dict[str, ReportMessage] = {}
        self._needed: dict[tuple[str, str], NeededFile] = {}

    def warn(
        self,
        text: str,
        kind: int = DAMAGE,
        *files: NeededFile,
        topic: Topic = Topic.OTHER,
        offset: int | None = None,
    ) -> None:
        """Record a warning. A further warning with the same text is dropped. `kind` is `MISSING_PART`,
        `MISSING_TEXTURE` or `DAMAGE`; `files` are the needed files that are missing or cannot be used.
        """
        self._kept.setdefault(text, ReportMessage(kind, text, None, files, topic, offset))
        for file in files:
            self.need(file)

    def need(self, file: NeededFile) -> None:
        """Record a file that the document needs. A later record of the same kind and name replaces it."""
        self._needed[file.kind, file.name] = file

    def note(self, text: str, topic: Topic = Topic.OTHER, offset: int | None = None, file: str = "") -> None:
        """Record an oddity that changes nothing. If the oddity is in the attached file `file`, `text` begins
        with the path of that file.
        """
        self._kept.setdefault(text, ReportMessage(NOTE, text, None, (), topic, offset, file))

    def adopt(self, other: Report, file: str = "") -> None:
        """Add the messages of another report. Its warnings and notes get the path of its `file` as a
        prefix.
        """
        for each in other._kept.values():
            text = f"{_prefix(file)}{each.text}"
            self._kept.setdefault(text, each._replace(text=text, file=each.file or file))
        self._needed |= other._needed
        self.errors += other.errors

    def without(self, texts: Iterable[str]) -> Report:
        """Return a copy of the report without the warnings and notes that begin with one of `texts`."""
        made, beginnings = Report(self.errors), tuple(texts)
        made._kept = {text: each for text, each in self._kept.items() if not text.startswith(beginnings)}
        made._needed = dict(self._needed)
        return made

    @property
    def messages(self) -> list[ReportMessage]:
        """All messages, sorted by kind."""
        errors = [ReportMessage(ERROR, str(each), each, topic=each.topic) for each in self.errors]
        return sorted([*self._kept.values(), *errors], key=lambda message: message.kind)

    @property
    def warnings(self) -> list[str]:
        """The texts of all warnings, sorted by kind."""
        return [each.text for each in self.messages if each.kind not in (ERROR, NOTE)]

    @property
    def notes(self) -> list[str]:
        """The texts of all notes."""
        return [each.text for each in self._kept.values() if each.kind == NOTE]

    @property
    def needed(self) -> list[NeededFile]:
        """The files that the document needs, found or missing, each kind and name once."""
        return list(self._needed.values())

    @property
    def count(self) -> int:
        """The number of errors, warnings and notes."""
        return len(self.errors) + len(self._kept)

    def fail(self, error: FormatError) -> None:
        """Record an error because of which a part of the document could not be read."""
        self.errors.append(error)

    @property
    def complete(self) -> bool:
        """Whether the whole document could be read."""
        return not self.errors
