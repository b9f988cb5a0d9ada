"""File formats of a family."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Protocol

from msgspec import Struct

from viewer.binary.span import Span
from viewer.binary.splicing import Splice
from viewer.budget import BUDGET
from viewer.family.looks import Looks
from viewer.scene.document import Document
from viewer.scene.files import MODEL, FileKind, Role
from viewer.scene.reading_context import DEFAULT, ReadingContext


class Folder(Protocol):
    """The folder of a file, on the disk or in an archive. Names use `/`."""

    def find(self, name: str, *, fold: bool = True) -> str | None:
        """Return the stored name of a file. With `fold` it may differ from `name` in case."""

    def read(self, name: str, limit: int = BUDGET.file_bytes) -> bytes:
        """Read a file. ResourceError if it is missing. FormatError if it cannot be read or has more than
        `limit` bytes.
        """

    def where(self, name: str) -> str:
        """Return the path that the user sees for an existing or missing file."""

    def names(self) -> Iterator[str]:
        """Return the names of the files directly in the folder, in order."""


class OpenedFile(Struct, frozen=True):
    """A file that a format reads: its bytes, its path, its folder, and the user's choices about reading.
    `path` is a path on the disk or in an archive; its last part is the name of the file.
    """

    data: bytes
    path: PurePath
    place: Folder
    context: ReadingContext = DEFAULT


Loader = Callable[[OpenedFile], Document]


def no_clips(document: Document) -> Sequence[str]:
    """Return no clips: the value for formats whose clips are not named after their models."""
    return ()


class IndexRange(Struct, frozen=True):
    """The indices that a number may hold: the row numbers of one of `tables`. A table is a list, or a field
    with the number of rows. If `values` is given, the number may hold a value of these fields instead.
    `others` are further allowed numbers; `past` more indices behind the last row are allowed.
    """

    tables: tuple[str, ...] = ()
    values: str = ""
    others: tuple[int, ...] = ()
    past: int = 0


def no_text(document: Document, span: Span) -> bytes | None:
    """Return no text: the value for formats whose texts lie in their records."""
    return None


def no_place(document: Document, span: Span, raw: bytes) -> Sequence[Splice]:
    """Return no splices: the value for formats whose texts lie in their records."""
    return ()


class EditRules(Struct, frozen=True):
    """What only a format knows about the editing of its files. Paths stand for many: `[]` is any number.

    `texts` are the paths of the stored names by kind: bones, textures, materials, clips. `indices` are the
    ranges of indices by their paths. A file is written anew by the layout of its root; `in_place` allows
    files without such a layout, of which only the changed bytes are written.

    `stored_text` returns the bytes of the text to which a node refers; None if the node refers to none.
    `place_text` returns what to change so that the node refers to another text.
    """

    texts: Mapping[str, tuple[str, ...]] = {}
    indices: Mapping[str, IndexRange] = {}
    in_place: bool = False
    stored_text: Callable[[Document, Span], bytes | None] = no_text
    place_text: Callable[[Document, Span, bytes], Sequence[Splice]] = no_place


class Format(Struct, frozen=True):
    """A file format. `probe` tests the first bytes. If these do not decide, it tests the suffix too. `load`
    raises nothing for broken bytes: the document has the readable part, and the document's report has the
    errors.

    `kind` is what a file of this format is taken for before it is read. `magics` are the first bytes that
    identify the format; empty if only the suffix identifies it. With `mapped` a large file is mapped into
    memory instead of read, and has no limit of size. `gaps`: the tree has spans of bytes that belong to no
    field, and the reader does not report them. `engine` is the engine whose treatment of the file `check`
    describes; empty for the engine with which the name begins. `looks` dresses the documents; None if they
    have no looks. `clips` returns the paths of animations that belong to a model by their names.
    `edits` is what only the format knows about editing.
    """

    name: str
    suffixes: tuple[str, ...]
    probe: Callable[[bytes, str], bool]
    load: Loader
    kind: FileKind = MODEL
    magics: tuple[bytes, ...] = ()
    mapped: bool = False
    gaps: bool = False
    engine: str = ""
    looks: Looks | None = None
    clips: Callable[[Document], Sequence[str]] = no_clips
    edits: EditRules = EditRules()

    @property
    def role(self) -> Role:
        """What the files are for, which follows from their kind."""
        return self.kind.role
