"""Parses XML and JSON texts. Every size is checked, so that no text can exhaust the memory.

The parsers belong to Python's standard library. They are imported when the first text is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from msgspec import Struct, field

from viewer.budget import BUDGET
from viewer.errors import FormatError

TEXT_LIMIT = 4 << 20
"""The largest size of an XML or JSON text in bytes."""

SHORT_TEXT_LIMIT = 1 << 20
"""The largest size of a short text (a material, a list of names) in bytes."""


class MarkupElement(Struct, eq=False):
    """An XML element without its character data."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[MarkupElement] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        """The text of an attribute."""
        return self.attributes.get(name, default)

    def all(self, tag: str) -> Iterator[MarkupElement]:
        """Yield the children with this tag, in the order of the text."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> MarkupElement | None:
        """The first child with this tag."""
        return next(self.all(tag), None)

    def walk(self) -> Iterator[MarkupElement]:
        """The element and all its descendants, in the order of the text."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))


def parse_xml(data: bytes, file: str) -> MarkupElement:
    """Parse an XML text and return its root element. FormatError as for `read_xml`, or if the text has more
    than `TEXT_LIMIT` bytes.
    """
    document = MarkupElement("")
    stack = [document]
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > BUDGET.markup_elements:
            raise FormatError(f"more than {BUDGET.markup_elements} elements")
        element = MarkupElement(tag, attributes)
        stack[-1].children.append(element)
        stack.append(element)

    _check_size(data, file, b"=")
    read_xml(data, file, start, lambda _tag: stack.pop())
    return document.children[0]


def read_xml(
    data: bytes,
    file: str,
    start: Callable[[str, dict[str, str]], object],
    end: Callable[[str], object] | None = None,
) -> None:
    """Read an XML text. `start` gets the tag and the attributes of each element, `end` the tag of each
    element that ends. A FormatError has line and column as its path, and the offset in bytes.

    Entity declarations are refused, because a few of them can expand to gigabytes.
    """
    from xml.parsers import expat

    parser = expat.ParserCreate()

    def refuse(*_: object) -> NoReturn:
        raise FormatError("entity declarations are not supported")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except FormatError as error:
        error.path = f"line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber + 1}"
        error.offset, error.file = max(parser.CurrentByteIndex, 0), file
        raise
    except expat.ExpatError as error:
        location = f"line {error.lineno}, column {error.offset + 1}"
        offset = max(parser.ErrorByteIndex, 0)
        raise FormatError(f"broken XML, {expat.ErrorString(error.code)}", location, offset, file) from error
    except (ValueError, LookupError) as error:
        raise FormatError(f"broken XML, {error}", file=file) from error


def parse_json(data: bytes, file: str) -> Any:
    """Parse a JSON text. A FormatError has line and column as its path, and the offset in bytes."""
    import json

    _check_size(data, file, b",[{")
    try:
        text = data.decode(json.detect_encoding(data))
        return json.loads(text)
    except json.JSONDecodeError as error:
        location = f"line {error.lineno}, column {error.colno}"
        offset = len(error.doc[: error.pos].encode("utf-8", "surrogatepass"))
        raise FormatError(f"broken JSON, {error.msg}", location, offset, file) from error
    except UnicodeDecodeError as error:
        raise FormatError(f"not {error.encoding} text", "", error.start, file) from error
    except ValueError as error:
        raise FormatError(f"broken JSON, {error}", file=file) from error
    except RecursionError as error:
        raise FormatError("nested too deeply", file=file) from error


def is_json(data: bytes) -> bool:
    """Whether a text begins like JSON. The suffix of a resource is not reliable."""
    return data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def json_text(value: object) -> str:
    """Convert a JSON scalar or a list of numbers to the text of an XML attribute; empty for any other
    value.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list) and all(isinstance(part, (int, float)) for part in value):
        return " ".join(json_text(part) for part in value)
    return ""


def json_texts(value: object) -> dict[str, str]:
    """Convert the members of a JSON object to XML attributes; empty for any other value."""
    if not isinstance(value, dict):
        return {}
    return {json_text(name): json_text(member) for name, member in value.items()}


def _check_size(data: bytes, file: str, marks: bytes) -> None:
    if len(data) > TEXT_LIMIT:
        raise FormatError(f"{len(data)} bytes are more than the limit of {TEXT_LIMIT}", file=file)
    if sum(data.count(mark) for mark in marks) > BUDGET.markup_parts:
        raise FormatError(f"more than {BUDGET.markup_parts} values", file=file)
