"""`rigscope formats`: prints the specification of each format, made from the layouts that read it."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from viewer.binary.specification import SpecificationRow, SpecificationSection
from viewer.commands.exit_status import DONE
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.family.page import FormatPage
from viewer.family.registry import pages
from viewer.scene import names


def page(name: str) -> FormatPage:
    """Return the page with this name, suffix or title. ResourceError with similar names if there is none."""
    lowered = name.casefold().removeprefix(".")
    known = pages()
    for each in known:
        if lowered in (each.title.casefold(), *(suffix[1:] for suffix in each.suffixes)):
            return each
    return known[names.find_name("format", name, [each.name for each in known])]


WIDTH = 120
WIDEST_TYPE = 30
NARROWEST = 48
"""The smallest width of the column with the meanings."""


def formats(paths: list[str], values: Values) -> int:
    """Print the list of formats, or the specification of one format; return the exit status."""
    if len(paths) > 1:
        raise UsageError(f"needs one NAME, not {len(paths)}")
    kinds = [kind for kind in ("json", "markdown") if values.get(kind)]
    if len(kinds) > 1:
        raise UsageError(f"--{kinds[0]} or --{kinds[1]}, not both")
    kind = kinds[0] if kinds else "text"
    if not paths:
        print(listing(kind))
    else:
        sys.stdout.writelines(f"{line}\n" for line in written(page(paths[0]), kind))
    return DONE


def listing(kind: str = "text") -> str:
    """List the name, title and file suffixes of all pages. `kind` is text, json or markdown."""
    if kind == "json":
        return listing_json()
    if kind == "markdown":
        rows = (f"| {page.name} | {page.title} | {' '.join(page.suffixes)} |" for page in pages())
        return "\n".join(("| name | format | suffixes |", "|---|---|---|", *rows))
    wide = [
        max(len(text) for text in column)
        for column in zip(*((p.name, p.title) for p in pages()), strict=True)
    ]
    lines = (
        f"{page.name:<{wide[0]}}  {page.title:<{wide[1]}}  {' '.join(page.suffixes)}".rstrip()
        for page in pages()
    )
    return "\n".join(lines)


def written(page: FormatPage, kind: str) -> Iterator[str]:
    """Return the lines of a page as text, json or markdown."""
    return (
        iter((page_json(page),)) if kind == "json" else markdown(page) if kind == "markdown" else text(page)
    )


def text(page: FormatPage) -> Iterator[str]:
    """Yield the page as lines with aligned columns. A long meaning continues on the next lines."""
    yield f"{page.title}  {' '.join(page.suffixes)}".rstrip()
    for each in (page.about, *page.note.split("\n"), page.source and f"Source: {page.source}"):
        yield from textwrap.wrap(each, WIDTH)
    for section in page.sections:
        yield ""
        yield from _section(section)


def _section(section: SpecificationSection) -> Iterator[str]:
    yield section.title
    yield from textwrap.wrap(section.note, WIDTH)
    table = [(row.offset, "  " * row.level + row.name, row.type, _description(row)) for row in section.rows]
    widths = [max((len(cells[column]) for cells in table), default=0) for column in range(3)]
    widths[2] = min(widths[2], WIDEST_TYPE)
    for *cells, said in table:
        left = "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
        yield from _wrapped(left, said, sum(widths) + 4)


def _description(row: SpecificationRow) -> str:
    """The condition and the meaning of a field as one text."""
    return " ".join(filter(None, (row.presence and f"[{row.presence}]", row.note)))


def _wrapped(left: str, said: str, indent: int) -> Iterator[str]:
    """Yield the lines of a text in the last column; a long text continues on further lines."""
    lines = textwrap.wrap(said, max(WIDTH - indent, NARROWEST)) or [""]
    yield f"{left}  {lines[0]}".rstrip()
    yield from (" " * (indent + 2) + line for line in lines[1:])


def markdown(page: FormatPage) -> Iterator[str]:
    """Yield the lines of the page, with one table for each record."""
    yield f"# {page.title}"
    yield ""
    yield from (page.about, "", *([page.note.replace("\n", " "), ""] if page.note else []))
    if page.source:
        yield f"Source: {page.source}"
    for section in page.sections:
        yield from ("", f"## {section.title}", "", *([section.note, ""] if section.note else []))
        yield "| offset | field | type | condition | meaning | unit |"
        yield "|---|---|---|---|---|---|"
        for row in section.rows:
            indent = "&nbsp;" * 2 * row.level
            cells = (row.offset, indent + row.name, row.type, row.presence, row.meaning, row.unit)
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def page_json(page: FormatPage) -> str:
    """The page as a JSON object. A field has level, offset, name, type, condition, meaning and unit."""
    return json.dumps(_facts(page), ensure_ascii=False, indent=1)


def listing_json() -> str:
    """All pages as JSON, without their fields."""
    facts = [{key: value for key, value in _facts(page).items() if key != "records"} for page in pages()]
    return json.dumps(facts, ensure_ascii=False, indent=1)


def _facts(page: FormatPage) -> dict[str, Any]:
    return {
        "name": page.name,
        "title": page.title,
        "suffixes": list(page.suffixes),
        "about": page.about,
        "note": page.note.replace("\n", " "),
        "source": page.source,
        "records": [
            {"name": section.title, "note": section.note, "fields": [_field(row) for row in section.rows]}
            for section in page.sections
        ],
    }


def _field(row: SpecificationRow) -> dict[str, Any]:
    return {
        "level": row.level,
        "offset": row.offset,
        "name": row.name,
        "type": row.type,
        "condition": row.condition,
        "meaning": row.meaning,
        "unit": row.unit,
    }
