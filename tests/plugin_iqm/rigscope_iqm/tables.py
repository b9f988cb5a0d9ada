"""Reads the header and the tables at its offsets. What cannot be read is reported and left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from rigscope_iqm import layout
from viewer.plugin import (
    Array,
    Cursor,
    FormatError,
    OpenedFile,
    Report,
    Span,
    Topic,
    counted,
    item_span,
    read_whole,
    tile,
)

Numbers = np.ndarray[Any, Any]

OPTIONAL = layout.ADJACENCY, layout.BOUNDS
"""The tables that may be absent although their number of rows, which other tables have too, is not 0."""
OBJECTS = layout.MESHES, layout.VERTEX_ARRAYS, layout.JOINTS, layout.ANIMS
"""The tables whose rows become objects, which are much larger than rows."""
LONGEST = 255
"""The largest size of a name in bytes. Without a limit many names could share a long text."""
SHOWN = 256
"""How many bytes of a text are shown in its line of the tree."""


class Tables:
    """The header and the tables of a file. `spans` has the spans of all that was read."""

    def __init__(self, file: OpenedFile, report: Report) -> None:
        self.data, self.path, self.report = file.data, file.path, report
        self.header = read_whole(layout.HEADER, file.data, file.path, report)
        self.spans: list[Span] = []
        self._names: dict[int, str] = {}
        self._objects = Cursor(file.data)

    def readable(self) -> bool:
        """Whether the header is complete and of the known version. A wrong size of the file is reported."""
        if not self.report.complete:
            return False
        if self.header.version != layout.VERSION:
            self.fail("version", f"version {self.header.version} is not read, only 2", Topic.VERSION)
            return False
        declared, size, place = self.header.filesize, len(self.data), self.place("filesize")
        text = f"the header declares {counted(declared, 'byte')}, the file has {size}"
        if declared > size:
            self.report.warn(text, topic=Topic.CUT, offset=place)
        elif declared < size:
            self.report.note(text, Topic.LENGTH, place)
        return True

    def place(self, name: str) -> int:
        """The offset of a field of the header."""
        return self.header.marks[[field.name for field in layout.HEADER.fields].index(name)]

    def fail(self, name: str, why: str, topic: Topic = Topic.OTHER) -> None:
        """Report an error whose cause is a field of the header."""
        self.report.fail(FormatError(why, f"header/{name}", self.place(name), str(self.path), topic))

    def fail_in(self, field: Array, number: int, error: FormatError) -> None:
        """Report an error whose cause is a row of a table."""
        row = next(span for span in self.spans if span.layout is field).children[number]
        path = f"{field.name}{row.name}"
        self.report.fail(FormatError(error.why, path, row.offset, str(self.path), error.topic))

    def table(self, field: Array, at: str) -> Numbers:
        """Return the rows [N] of a table whose offset is in the header's field `at`. No rows if the table is
        absent or cannot be read.
        """
        offset, count = self.header.get(at), field.count(self.header)
        if not count or (not offset and field in OPTIONAL):
            return np.empty(0, field.dtype)
        try:
            if not offset:
                raise FormatError(f"{count} declared, but the offset is 0")
            rows = field.read(Cursor(self.data, offset), self.header)
            for _ in range(count if field in OBJECTS else 0):
                self._objects.spend()
        except FormatError as error:
            self.fail(at, f"{field.name}: {error.why}", error.topic)
            return np.empty(0, field.dtype)
        self.spans.append(field.span(field.name, rows, offset, offset + rows.nbytes))
        if field.dtype is layout.LETTER:
            text = rows[:SHOWN].tobytes().decode("utf-8", "replace")
            self.spans[-1] = Span(field.name, offset, count, "text", text, field.note, layout=field)
        return rows

    def name(self, number: int) -> str:
        """Return the name at an offset of the text; names may share their ends. Empty if there is no text,
        and with a warning if the name is not whole.
        """
        if number not in self._names:
            first, size = self.header.ofs_text, self.header.num_text
            end = min(first + size, len(self.data), first + number + LONGEST + 1)
            try:
                self._names[number] = Cursor(self.data, first + number, end).text() if number or size else ""
            except FormatError:
                text = f"a name is not in the text, or has more than {LONGEST} bytes; it is left empty"
                self.report.warn(text, offset=self.place("ofs_text"))
                self._names[number] = ""
        return self._names[number]

    def read_extensions(self) -> None:
        """Find the extensions, each of which points at the next one."""
        at, place, known = int(self.header.ofs_extensions), self.place("ofs_extensions"), set[int]()
        try:
            while at:
                if at in known:
                    raise FormatError("the list of extensions goes round")
                self._objects.spend()
                row = Cursor(self.data, at).array(layout.EXTENSION, 1)[0]
                known.add(at)
                name, size, offset = (int(row[each]) for each in ("name", "num_data", "ofs_data"))
                span = item_span("extension", layout.EXTENSION, row, at, layout.EXTENSIONS.note)
                span.value = self.name(name)
                self.spans.append(span)
                at, place = int(row["ofs_extensions"]), at
                if size:
                    Cursor(self.data, offset).require(size)
                    self.spans.append(Span("extension data", offset, size, "bytes", span.value))
        except FormatError as error:
            path = f"extensions[{len(known)}]"
            self.report.fail(FormatError(error.why, path, place, str(self.path), error.topic))
            return
        if len(known) != self.header.num_extensions:
            text = f"{counted(self.header.num_extensions, 'extension')} declared, {len(known)} found"
            self.report.warn(text, offset=self.place("num_extensions"))

    def root(self, title: str) -> Span:
        """The span of the whole file. Bytes between the tables are padding if they are zeros."""
        header = layout.HEADER.span("header", self.header, 0, self.header.marks[-1])
        size = len(self.data)
        children = lambda: tile([header, *self.spans], 0, size, self.data)  # noqa: E731
        return Span(self.path.name, 0, size, title, children=children)
