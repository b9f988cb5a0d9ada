"""`rigscope formats`: prints the specification of each format, made from the layouts that read it."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from msgspec import Struct

from viewer.binary import Record
from viewer.binary.specification import SpecificationRow, SpecificationSection, specification
from viewer.commands.exit_status import DONE
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.formats import d3d9
from viewer.formats.axp import layout as axp_layout
from viewer.formats.axp import probe as axp_probe
from viewer.formats.blp import layout as blp
from viewer.formats.d3d9 import constant_table
from viewer.formats.d3d9 import program as program9
from viewer.formats.dbc import layout as dbc
from viewer.formats.dxbc import container, signature
from viewer.formats.dxbc import program as program10
from viewer.formats.m2 import skel
from viewer.formats.m2.clips import anim
from viewer.formats.m2.layout import records as layout
from viewer.formats.m2.layout.header import HEADER_WITH_COMBINERS
from viewer.formats.m2.layout.specification import CHUNK, FILE_CHUNKS, sections
from viewer.formats.mpq import layout as mpq_layout
from viewer.formats.mpq import probe as mpq_probe
from viewer.formats.ogre import mesh_layout, skeleton_layout
from viewer.formats.ogre.next import layout as next_layout
from viewer.formats.urho3d import animation_layout, model_layout, script_layout, shader_layout
from viewer.formats.urho3d.package import layout as package_layout
from viewer.scene import names

CHUNKS = (
    "Every chunk begins with its id (u16) and its length (u32); the length includes these 6 bytes. Offsets\n"
    "in a chunk count from its start. Readers rely on the order of chunks, because a length may be wrong."
)
TABLES = "Offsets lead from the header to everything else. A reference is a count and an offset."


class FormatPage(Struct, frozen=True):
    """The page of a format.

    `format` is the name of the `Format` that opens its files; empty if the format occurs only inside other
    files.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    format: str
    module: ModuleType
    make: Callable[[], tuple[SpecificationSection, ...]]
    note: str = ""

    @property
    def about(self) -> str:
        """The description of the format, from the docstring of its layout's module."""
        return _parts(self.module)[0]

    @property
    def source(self) -> str:
        """The sources about the format, from the docstring of its layout's module."""
        return _parts(self.module)[1]

    @property
    def sections(self) -> tuple[SpecificationSection, ...]:
        """The fields of the format, by record."""
        return self.make()


def _parts(module: ModuleType) -> tuple[str, str]:
    """Split a module's docstring at `Source:` into two texts. Each text is joined to one line."""
    about, _, source = re.sub(r"\s+", " ", module.__doc__ or "").strip().partition("Source")
    return about.strip(), source.lstrip("s").lstrip(": ").strip()


def _records(
    name: str,
    title: str,
    suffixes: str,
    module: ModuleType,
    *roots: tuple[Record, str],
    note: str = "",
) -> FormatPage:
    """Make the page of a format that is read from front to back.

    Each of `roots` is a pair: a record at the start of a file, and a note about the files that begin with
    this record.
    """
    make = lambda: tuple(specification(root, each) for root, each in roots)  # noqa: E731
    opened = title if suffixes else ""
    return FormatPage(name, title, tuple(suffixes.split()), opened, module, make, note)


PAGES = (
    _records("urho3d-model", "Urho3D model", ".mdl", model_layout, (model_layout.MODEL, "")),
    _records(
        "urho3d-animation", "Urho3D animation", ".ani", animation_layout, (animation_layout.ANIMATION, "")
    ),
    _records("urho3d-package", "Urho3D package", ".pak", package_layout, (package_layout.PACKAGE, "")),
    _records(
        "urho3d-shader",
        "Urho3D shader",
        ".vs3 .ps3 .vs4 .ps4 .vs2 .ps2",
        shader_layout,
        (shader_layout.SHADER, "Since 2014-02: one program."),
        (shader_layout.UNHASHED_SHADER, "Model 4 of the first release with Direct3D 11."),
        (shader_layout.OLD_SHADER, "Before 2014-02: several programs."),
        (
            shader_layout.OLDEST_SHADER,
            "A file of the engine's first tool, in which every program has its own registers.",
        ),
    ),
    _records(
        "urho3d-script",
        "Urho3D script",
        ".asc",
        script_layout,
        (script_layout.HEAD, "The header."),
        (script_layout.BEGINNING, "The beginning of AngelScript's own byte code."),
    ),
    _records(
        "mpq",
        "MPQ archive",
        " ".join(mpq_probe.SUFFIXES),
        mpq_layout,
        (mpq_layout.HEADER, "The header."),
        (mpq_layout.USER_DATA, "User data before the header."),
        (mpq_layout.HASHES, "The hash table, which finds files by their names."),
        (mpq_layout.BLOCKS, "The block table: how each file is stored."),
    ),
    _records(
        "axp",
        "AXP archive",
        axp_probe.SUFFIX,
        axp_layout,
        (axp_layout.HEADER, "The header."),
        (axp_layout.HASHES, "The hash table, which finds files by their names."),
        (axp_layout.BLOCKS, "The block table: where each file is stored."),
    ),
    _records("ogre-mesh", "OGRE mesh", ".mesh", mesh_layout, (mesh_layout.MESH_FILE, ""), note=CHUNKS),
    _records(
        "ogre-next-mesh",
        "OGRE-Next mesh",
        ".mesh",
        next_layout,
        (next_layout.MESH_FILE, ""),
        note=CHUNKS,
    ),
    _records(
        "ogre-skeleton",
        "OGRE skeleton",
        ".skeleton",
        skeleton_layout,
        (skeleton_layout.SKELETON_FILE, ""),
        note=CHUNKS,
    ),
    FormatPage(
        "m2",
        "WoW M2 model",
        (".m2",),
        "WoW M2 model",
        layout,
        lambda: (*sections(HEADER_WITH_COMBINERS), *sections(CHUNK), FILE_CHUNKS),
        TABLES,
    ),
    FormatPage(
        "m2-view",
        "WoW M2 view",
        (".skin",),
        "WoW M2 view",
        layout,
        lambda: tuple(sections(layout.SKIN)),
        TABLES,
    ),
    FormatPage(
        "m2-skeleton",
        "WoW M2 skeleton",
        (".skel",),
        "WoW M2 skeleton",
        skel,
        lambda: tuple(sections(CHUNK, *skel.CHUNKS.values(), versions=(skel.GENERATION,))),
        TABLES,
    ),
    FormatPage(
        "m2-keys",
        "WoW M2 keys",
        (".anim",),
        "WoW M2 keys",
        anim,
        lambda: tuple(sections(CHUNK)),
        "Key times and key values, to which the tracks of the model refer. The file has no header.\n"
        "Since version 272 the keys are the content of a chunk.",
    ),
    _records(
        "blp",
        "BLP picture",
        ".blp",
        blp,
        (blp.BLP2, "World of Warcraft."),
        (blp.BLP1, "Warcraft III and betas of World of Warcraft."),
    ),
    FormatPage(
        "dbc",
        "WoW table",
        (".dbc",),
        "WoW table",
        dbc,
        dbc.sections,
        "The columns of other tables are unknown: they are shown as numbers, or as texts if all values of a\n"
        "column are offsets of texts.",
    ),
    _records(
        "dxbc",
        "DXBC container, in Urho3D shaders of model 4",
        "",
        container,
        (container.HEADER, ""),
        (container.PART, ""),
        (signature.SIGNATURE, ""),
        (program10.HEAD, ""),
        (program10.INSTRUCTION, ""),
    ),
    _records(
        "d3d9",
        "Direct3D 9 program, in Urho3D shaders of models 2 and 3",
        "",
        d3d9,
        (program9.HEAD, ""),
        (program9.INSTRUCTION, ""),
        (constant_table.TABLE, "The names of the registers, inside a comment."),
        (constant_table.ROWS, ""),
    ),
)


def page(name: str) -> FormatPage:
    """Return the page with this name, suffix or title. ResourceError with similar names if there is none."""
    lowered = name.casefold().removeprefix(".")
    for each in PAGES:
        if lowered in (each.title.casefold(), *(suffix[1:] for suffix in each.suffixes)):
            return each
    known = [each.name for each in PAGES]
    return PAGES[names.find_name("format", name, known)]


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
        rows = (f"| {page.name} | {page.title} | {' '.join(page.suffixes)} |" for page in PAGES)
        return "\n".join(("| name | format | suffixes |", "|---|---|---|", *rows))
    wide = [
        max(len(text) for text in column) for column in zip(*((p.name, p.title) for p in PAGES), strict=True)
    ]
    lines = (
        f"{page.name:<{wide[0]}}  {page.title:<{wide[1]}}  {' '.join(page.suffixes)}".rstrip()
        for page in PAGES
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
    for each in (page.about, *page.note.split("\n"), f"Source: {page.source}"):
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
    facts = [{key: value for key, value in _facts(page).items() if key != "records"} for page in PAGES]
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
