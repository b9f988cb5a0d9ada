"""The Messages panel: problems of all open documents, and messages since the start."""

from __future__ import annotations

from collections.abc import Iterator

from imgui_bundle import imgui

from viewer.dataclass import dataclass
from viewer.errors import MISSING_PART, MISSING_TEXTURE, NOTE, FormatError, MissingFile, printable
from viewer.scene.document import Document
from viewer.scene.items import ByteItem, TextureItem
from viewer.scene.missing_parts import MissingPart, missing_parts
from viewer.session.requests import Post
from viewer.session.state import State
from viewer.ui.give_file import give_file_menu
from viewer.ui.kit.clipped_rows import clipped
from viewer.ui.kit.copying import copy_text
from viewer.ui.kit.theme import ERROR, FAINT, TEXT, WARNING, Color
from viewer.ui.kit.widgets import Memo, colored, faint, filter_box, hint, mono, nothing

COLORS: dict[str, Color] = {"error": ERROR, "warning": WARNING, "note": TEXT}
ICONS = {"error": "\uf057", "warning": "\uf071", "note": "\uf05a"}
MISSING = (MISSING_PART, MISSING_TEXTURE)
ALL_COLUMNS = int(imgui.SelectableFlags_.span_all_columns | imgui.SelectableFlags_.allow_overlap)
TABLE = (
    imgui.TableFlags_.scroll_y
    | imgui.TableFlags_.resizable
    | imgui.TableFlags_.row_bg
    | imgui.TableFlags_.sizing_stretch_prop
    | imgui.TableFlags_.no_saved_settings
)


@dataclass(frozen=True, slots=True, eq=False)
class MessageRow:
    """A message.

    A message of a file has a `document`, and a position in it if known: `path` is the path of the field,
    `owner` the document in view that the file belongs to. `missing`: it tells of a missing file; `files` are
    the missing files that are known by name.
    """

    kind: str
    text: str
    document: Document | None = None
    owner: Document | None = None
    path: str = ""
    offset: int | None = None
    missing: bool = False
    files: tuple[MissingFile, ...] = ()

    @property
    def file(self) -> str:
        """The name of the file."""
        return printable(self.document.path.replace("\\", "/").rpartition("/")[2]) if self.document else ""


class MessagesPanel:
    """The table of messages; a click goes to the bytes."""

    def __init__(self) -> None:
        self._filter = ""
        self._lines = Memo()
        self._count = Memo()

    def badge(self, state: State) -> str:
        """The number of warnings and errors, for the tab; empty without warnings and errors."""
        found = self._count.get(_version(state), lambda: (count(state),))[0]
        return str(found) if found else ""

    def __call__(self, state: State, post: Post) -> None:
        """Draw the panel."""
        key = (self._filter, *_version(state))
        found: list[MessageRow] = self._lines.get(key, lambda: _filtered(state, self._filter))
        find = state.interface.find_requested("messages")
        if not found and not self._filter:
            nothing("No messages.")
            return
        self._filter = filter_box("messages", self._filter, find)
        if imgui.begin_table("messages", 4, TABLE):
            _columns()
            for number in clipped(len(found)):
                _row(state, post, found[number], number)
            imgui.end_table()


def _version(state: State) -> tuple[object, ...]:
    """A key that changes when the lines change."""
    reports = [each.report for document in state.documents for each in (document, *document.attached)]
    counts = tuple(report.count for report in reports)
    return (len(state.messages), counts, *map(id, reports))


def lines(state: State) -> Iterator[MessageRow]:
    """The lines: reports of files, the messages that a user can act on first; then messages of the program,
    the latest first and each once.
    """
    opened = [(each, document) for document in state.documents for each in (document, *document.attached)]
    reported = [
        (message, document, owner) for document, owner in opened for message in document.report.messages
    ]
    for each, document, owner in sorted(reported, key=lambda row: row[0].kind):
        if each.error is not None:
            yield _error(each.error, document, owner)
        else:
            kind, missing = "note" if each.kind == NOTE else "warning", each.kind in MISSING
            text = printable(each.text)
            yield MessageRow(kind, text, document, owner, missing=missing, files=each.files)
    told = {each.text for each, _, _ in reported if each.error is not None}
    for message in reversed(state.messages):
        if message.text not in told:
            yield MessageRow(message.kind, printable(message.text))


def _error(error: FormatError, document: Document, owner: Document) -> MessageRow:
    placed = bool(error.path or error.offset)
    offset = error.offset if placed else None
    return MessageRow("error", printable(error.why), document, owner, printable(error.path), offset)


def _filtered(state: State, wanted: str) -> list[MessageRow]:
    words = wanted.casefold().split()
    texts = ((line, f"{line.file} {line.text} {line.path} {line.kind}".casefold()) for line in lines(state))
    return [line for line, text in texts if all(word in text for word in words)]


def _columns() -> None:
    em = imgui.get_font_size()
    imgui.table_setup_scroll_freeze(0, 1)
    imgui.table_setup_column("message", imgui.TableColumnFlags_.width_stretch, 3.0)
    imgui.table_setup_column("file", imgui.TableColumnFlags_.width_stretch, 1.0)
    imgui.table_setup_column("field", imgui.TableColumnFlags_.width_stretch, 1.4)
    imgui.table_setup_column("offset", imgui.TableColumnFlags_.width_fixed, 6 * em)
    imgui.table_headers_row()


def _row(state: State, post: Post, line: MessageRow, number: int) -> None:
    imgui.table_next_row()
    imgui.table_next_column()
    if imgui.selectable(f"##{number}", False, ALL_COLUMNS)[0]:
        go_to(state, line)
    _menu(state, post, line)
    hint(lambda: _whole(line))
    imgui.same_line(0, 0)
    colored(f"{ICONS.get(line.kind, '')}  {line.text}", COLORS.get(line.kind, TEXT))
    imgui.table_next_column()
    faint(line.file)
    imgui.table_next_column()
    faint(line.path)
    imgui.table_next_column()
    if line.offset is not None:
        with mono():
            colored(f"0x{line.offset:X}", FAINT)


def _menu(state: State, post: Post, line: MessageRow) -> None:
    """Draw the menu of a line: what applies to it."""
    if not imgui.begin_popup_context_item():
        return
    if imgui.menu_item_simple("Copy"):
        copy_text(_whole(line))
    if line.offset is not None and imgui.menu_item_simple("Show bytes"):
        go_to(state, line)
    if line.missing and line.owner is not None:
        part = missing_part_of(line)
        if part is not None and part.name and imgui.menu_item_simple("Copy name"):
            copy_text(printable(part.name))
        item = part.item if part is not None else None
        texture = item.number if isinstance(item, TextureItem) and line.owner is state.document else None
        named = part is not None and (texture is not None or not isinstance(item, TextureItem))
        give_file_menu(post, part.name if part is not None and named else "", texture)
    imgui.end_popup()


def missing_part_of(line: MessageRow) -> MissingPart | None:
    """The file, material or texture that a line about a missing file names; of several materials and textures
    the longest name.
    """
    if line.files:
        return MissingPart(*line.files[0]) if len(line.files) == 1 else None
    model = line.owner.model if line.owner is not None and line.missing else None
    parts = (part for part in missing_parts(model) if part.name in line.text) if model is not None else ()
    return max(parts, key=lambda part: len(part.name), default=None)


def _whole(line: MessageRow) -> str:
    location = f"{line.path} at 0x{line.offset:X}" if line.offset is not None else ""
    return "\n".join(
        filter(None, [line.text, printable(line.document.path) if line.document else "", location])
    )


def go_to(state: State, line: MessageRow) -> None:
    """Bring the file of a message into view, and its bytes if their offset is known; for a missing file the
    page on which it can be given.
    """
    if line.document is None or line.owner not in state.documents:
        return
    state.show(state.documents.index(line.owner))
    part = missing_part_of(line)
    if line.files or (part is not None and part.item is not None):
        state.selection.pick(part.item if part is not None else None)
        state.interface.bring("properties")
    if line.offset is not None and len(line.document.data):
        offset = min(line.offset, len(line.document.data) - 1)
        state.selection.pick(ByteItem(offset), None if line.document is line.owner else line.document)
        state.interface.bring("chunks")


def count(state: State) -> int:
    """The number of warnings and errors."""
    return sum(line.kind != "note" for line in lines(state))
