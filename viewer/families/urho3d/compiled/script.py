"""Read compiled scripts into documents: the header, the texts that were recognised, the rest as data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from viewer.binary import Cursor, Span, Struct, tile
from viewer.binary.span import UNKNOWN
from viewer.binary.whole_file import read_whole
from viewer.errors import FormatError, Report
from viewer.families.urho3d.compiled.script_layout import HEAD, SCRIPT_START
from viewer.families.urho3d.literals import literals
from viewer.family.format import OpenedFile
from viewer.scene.document import Document, Origin
from viewer.scene.items import Item, TextItem
from viewer.scene.script import CompiledScript, ScriptDeclaration, ScriptLiteral

REFERENCE, VALUE, SCRIPT_OBJECT = 1 << 0, 1 << 1, 1 << 21
OPAQUE = (
    "output of AngelScript's serializer; its layout depends on the release, so only the recognised texts are "
    "named, and the rest is shown as data"
)


def load_script(file: OpenedFile) -> Document:
    """Read a compiled script as far as its content can be recognised."""
    path, data = file.path, file.data
    report = Report()
    head = read_whole(HEAD, data, path, report)
    module = _beginning(data, head) if report.complete else None
    known = (module or head).marks[-1]
    texts = literals(data, known) if report.complete else ()
    root = _tree(path, data, head, module, texts)
    script = CompiledScript(
        bool(head.stripped) if report.complete else None,
        module.enums if module else None,
        _classes(module) if module and not module.enums else None,
        texts,
        len(data) - known,
    )
    return Document(
        path=str(path),
        format="Urho3D script",
        version="ASBC",
        data=data,
        root=root,
        content=script if report.complete else None,
        report=report,
        origin=Origin(lambda: _tables(texts)),
    )


def _beginning(data: bytes, head: Struct) -> Struct | None:
    """The first record of the module; None if it cannot be read or its classes are implausible."""
    if head.stripped > 1:
        return None
    try:
        module = SCRIPT_START.read(Cursor(data, head.marks[-1]))
    except FormatError:
        return None
    return module if all(map(_sound, module.get("classes", ()))) else None


def _sound(each: Struct) -> bool:
    """Whether a record is a plausible class declaration, by its name and flags."""
    named = isinstance(each.name, int) or each.name.isidentifier()
    return bool(named and each.flags & SCRIPT_OBJECT and each.flags & (REFERENCE | VALUE))


def _classes(module: Struct) -> tuple[ScriptDeclaration, ...]:
    """The classes, with back-references to earlier names resolved."""
    known: list[str] = []

    def name(value: str | int) -> str:
        if isinstance(value, int):
            return known[value] if value < len(known) else ""
        if value:
            known.append(value)
        return value

    return tuple(
        ScriptDeclaration(name(each.name), name(each.namespace), each.flags) for each in module.classes
    )


def _tree(
    path: PurePath, data: bytes, head: Struct, module: Struct | None, texts: tuple[ScriptLiteral, ...]
) -> Span:
    """The root span: the header, the known part of the module, and an unknown part with the texts."""

    def children() -> list[Span]:
        parts = [part for record in (head, module) if record is not None for part in record.span().children]
        size = len(data) - known
        rest = Span("data", known, size, UNKNOWN, None, OPAQUE, lambda: _parted(known, len(data), texts))
        return tile([*parts, rest] if size else parts, 0, len(data))

    known = (module or head).marks[-1]
    error = str(head.error.why) if head.error else ""
    return Span(path.name, 0, len(data), "script", children=children, error=error)


def _parted(start: int, end: int, texts: tuple[ScriptLiteral, ...]) -> list[Span]:
    """The spans of the texts and of the data between them."""
    spans, at = [], start
    for number, each in enumerate(texts):
        if each.offset > at:
            spans.append(Span("data", at, each.offset - at, "data"))
        spans.append(_text_span(number, each))
        at = each.offset + each.size
    return [*spans, *([Span("data", at, end - at, "data")] if at < end else [])]


def _text_span(number: int, text: ScriptLiteral) -> Span:
    note = "recognised by its length and letters"
    return Span(f"[{number}]", text.offset, text.size, "text", text.text, note, index=number)


def _tables(texts: Sequence[ScriptLiteral]) -> dict[Item, Span]:
    """The table span of the texts. Its children are the texts; the data between the texts have no span."""
    if not texts:
        return {}
    rows = [_text_span(number, each) for number, each in enumerate(texts)]
    first, last = rows[0], rows[-1]
    return {TextItem(0): Span("data", first.offset, last.end - first.offset, "data", children=rows)}
