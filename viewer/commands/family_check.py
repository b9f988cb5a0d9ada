"""Tries a family on files as its author would: reading, writing again, damage. Errors are not guarded,
because an author needs the traceback.
"""

from __future__ import annotations

import random
import struct
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import PurePath

from msgspec import Struct

from viewer.binary import Record
from viewer.binary.rewriting import read_again, written_again
from viewer.binary.span import unexplained
from viewer.check.checking import check
from viewer.check.rule import Rule
from viewer.errors import ViewerError, counted
from viewer.family import registry
from viewer.family.family import Family
from viewer.family.format import Format, OpenedFile
from viewer.family.gate import pass_gate
from viewer.library.workers.batches import outcomes_of, usable_processors
from viewer.library.workers.pool import WorkerPool
from viewer.scene.document import Document
from viewer.scene.material import UNITS as MATERIAL_UNITS
from viewer.scene.model import SEMANTICS, Model
from viewer.scene.reading_context import DEFAULT
from viewer.storage.package_path import folder_of, read_path

CASES = 100
"""How often a file is damaged."""
SECONDS = 20.0
"""How long a damaged file may take to open."""
SPANS = 20_000
"""How many spans of a tree are looked at."""
MEANINGS = {name.rstrip("0123456789") for name in SEMANTICS}
EXTREMES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x00010000, 0x7FC00000, 0x7F800000)
"""Numbers that replace numbers of a file."""


class FamilyRow(Struct, frozen=True):
    """A family of the registry: `value` is `module:attribute` of its `Family`; `distribution` and `version`
    are those of the plugin, empty for a built-in family. `family` is None if it cannot be used.
    """

    name: str
    value: str
    distribution: str
    version: str
    suffixes: tuple[str, ...]
    family: Family | None


def family_rows() -> list[FamilyRow]:
    """All families: the built-in ones, then the installed ones, which are imported."""
    rows = [
        FamilyRow(row.name, f"{row.package}.family:FAMILY", "", "", tuple(row.kinds), registry.family_of(row))
        for row in registry.built_in()
    ]
    for each in registry.installed():
        family = registry.plugin_of(each)
        name = family.name if family is not None else each.distribution
        rows.append(FamilyRow(name, each.value, each.distribution, each.version, each.suffixes, family))
    return rows


class Tried(Struct, frozen=True):
    """A line about a file: what was tried, and with `bad` that it failed. `unread`: the family cannot read
    the file, so that nothing else is tried.
    """

    text: str
    bad: bool = False
    unread: bool = False


def try_family(row: FamilyRow, path: str) -> Iterator[Tried]:
    """Try a family on a file, and yield a line for each step. ViewerError if the file cannot be read, or no
    worker process starts.
    """
    file, data = read_path(path, DEFAULT)
    format = _format_of(_raw(row.value), data, file.suffix.lower())
    if format is None:
        yield Tried("no format of the family accepts the file", bad=True, unread=True)
        return
    (outcome,) = outcomes_of(WorkerPool(open_damaged, 1, SECONDS), [(path, row.value, None)])
    if outcome.error is not None:
        yield Tried(f"reading fails: {outcome.why}", bad=True, unread=True)
        return
    try:
        document = _opened(format, data, file, path)
    except Exception:
        yield Tried(f"reading fails:\n{traceback.format_exc()}", bad=True, unread=True)
        return
    left = unexplained(document.root)
    errors = "".join(f"\n  {error}" for error in document.report.errors)
    yield Tried(f"read as {format.name}: {left} of {len(data)} bytes unexplained{errors}", bool(errors))
    yield from _tree_faults(document)
    yield from _odd_names(document, format)
    yield _written(document, data)
    yield _ruled(_raw(row.value), document)
    yield from _damaged(row.value, path)


def _raw(value: str) -> Family:
    """The family itself, without guards."""
    module, _, attribute = value.partition(":")
    found: Family = getattr(import_module(module), attribute)
    return found


def _format_of(family: Family, data: bytes, suffix: str) -> Format | None:
    """The first format of a family that accepts a file by its bytes, else by its suffix too."""
    tried = ((each, kind) for kind in ("", suffix) for each in family.formats)
    return next((each for each, kind in tried if each.probe(data, kind)), None)


def _opened(format: Format, data: bytes, file: PurePath, path: str) -> Document:
    document = format.load(OpenedFile(data, file, folder_of(path, DEFAULT)))
    pass_gate(document, strict=True)
    for clip in document.animations:
        len(clip.tracks)
    return document


def _tree_faults(document: Document) -> Iterator[Tried]:
    """Yield a line if the spans of a tree do not tile."""
    waiting, left = [document.root], SPANS
    while waiting and left:
        span, left = waiting.pop(), left - 1
        at = span.offset
        for child in list(span.children[:left]) if len(span.children) else ():
            if child.offset != at:
                yield Tried(f"the tree has a gap or an overlap at 0x{at:X} in {span.name}", bad=True)
                return
            at = child.end
            waiting.append(child)


def _odd_names(document: Document, format: Format) -> Iterator[Tried]:
    """Yield a line for each name that means nothing to the program, so that a part is not drawn."""
    if document.format != format.name:
        yield Tried(f"the document has the format {document.format!r} instead of {format.name!r}", bad=True)
    model = document.content if isinstance(document.content, Model) else Model("")
    semantics = {each.semantic for buffer in model.vertex_buffers for each in buffer.elements}
    for name in sorted(each for each in semantics if each.rstrip("0123456789") not in MEANINGS):
        known = ", ".join(SEMANTICS)
        yield Tried(f"vertices have {name!r}, which is not drawn; drawn are {known}")
    for geometry in model.geometries:
        streams = {stream for lod in geometry.lods if lod.count for stream in lod.streams}
        if streams and not any(model.vertex_buffers[each].element("position") for each in streams):
            yield Tried(f"geometry {geometry.name!r} has no positions, and is not drawn", bad=True)
    for unit in sorted({unit for each in model.materials for unit in each.units} - {*MATERIAL_UNITS}):
        known = ", ".join(MATERIAL_UNITS)
        yield Tried(f"materials have the unit {unit!r}, which is not drawn; drawn are {known}")


def _written(document: Document, data: bytes) -> Tried:
    """Write a file again by the layout of its tree."""
    layout = document.root.layout
    if not isinstance(layout, Record):
        return Tried("not written again: no layout describes the whole file")
    if not document.report.complete:
        return Tried("not written again: the file is incomplete")
    try:
        record = read_again(layout, data, document.order).record
        written = written_again(layout, record, data, document.order)
    except Exception:
        return Tried(f"writing fails:\n{traceback.format_exc()}", bad=True)
    if written == data:
        more = len(data) - record.marks[-1]
        return Tried("written again: the same bytes" + (f", the last {more} copied" if more else ""))
    at = next(n for n, pair in enumerate(zip(written, data, strict=False)) if pair[0] != pair[1])
    return Tried(f"written again: {len(written)} bytes, which differ from 0x{at:X} on", bad=True)


def _ruled(family: Family, document: Document) -> Tried:
    """Apply the rules of a family to a document."""
    rules = [rule for rule in family.rules() if isinstance(rule, Rule)]
    try:
        found = check(document, rules)
    except Exception:
        return Tried(f"a rule fails:\n{traceback.format_exc()}", bad=True)
    return Tried(f"checked by {counted(len(rules), 'rule')} of the family: {counted(len(found), 'finding')}")


def _damaged(value: str, path: str) -> Iterator[Tried]:
    """Open a file `CASES` times with damage, in worker processes."""
    pool = WorkerPool(open_damaged, min(usable_processors(), 4), SECONDS)
    calls = ((path, value, number) for number in range(CASES))
    bad = 0
    for outcome in outcomes_of(pool, calls):
        why = outcome.value if outcome.error is None else outcome.why
        if why:
            bad += 1
            yield Tried(f"damaged: {why}", bad=True)
    yield Tried(f"damaged {CASES} times: {CASES - bad} times a document or an error with its place")


def damaged(data: bytes, number: int) -> bytes:
    """Damage a file: cut it, turn a bit, replace a number, or repeat a piece. Equal numbers do the same."""
    chance, out = random.Random(number), bytearray(data)
    for _ in range(chance.randint(1, 3)):
        most = chance.choice((min(len(out), 256), len(out)))
        at = chance.randrange(max(most - 4, 1))
        match chance.choice(("cut", "turn", "replace", "repeat")):
            case "cut":
                del out[at:]
            case "turn" if out:
                out[at] ^= 1 << chance.randrange(8)
            case "replace" if len(out) >= at + 4:
                struct.pack_into("<I", out, at, chance.choice(EXTREMES))
            case "repeat":
                out[at:at] = out[at : at + chance.randrange(64)]
    return bytes(out)


def open_damaged(path: str, value: str, number: int | None) -> str:
    """In a worker process: open a damaged file (None: the file as it is). Return what is wrong; empty if
    nothing is.
    """
    file, data = read_path(path, DEFAULT)
    broken = data if number is None else damaged(data, number)
    family = _raw(value)
    try:
        format = _format_of(family, broken, file.suffix.lower())
        if format is None:
            return ""
        document = _opened(format, broken, file, path)
    except ViewerError as error:
        return "" if str(error) else f"case {number}: an error without a text"
    except Exception:
        return f"case {number}:\n{traceback.format_exc()}"
    return "".join(f"case {number}: {each.text}" for each in _tree_faults(document))
