"""`rigscope list`, and the part of `info` about packages: files and checksums."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from viewer.commands.info.fact_table import error_facts, json_text
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import Progress, outcome
from viewer.commands.reading import context_of
from viewer.errors import FormatError, printable
from viewer.family.registry import has_role
from viewer.scene.document import Document
from viewer.scene.names import JOINT
from viewer.scene.package import GOOD, UNCHECKED, VERDICTS, Package, ratio
from viewer.scene.table import Table
from viewer.storage.documents import open_document

Facts = dict[str, Any]
ENTRY_HEADS = ("name", "size", "packed", "checksum", "state", "not extracted")
SOURCE_HEADS = ("path", "kind", "state")
STATES = {None: "", True: "ok", False: "wrong"}
LISTED = 12
"""The largest number of names in a message."""


def list_package(paths: list[str], values: Values) -> int:
    """Print the files of a package, or the rows of a table; return the exit status."""
    document = open_document(paths[0], context_of(values))
    if isinstance(document.content, Table):
        return _list_table(document, document.content, values)
    package_of(document)
    if values.get("verify"):
        verify(document)
    sys.stdout.writelines((package_json if values.get("json") else package_text)(document))
    return outcome([document])


def _list_table(document: Document, table: Table, values: Values) -> int:
    """Print the rows of a table; return the exit status."""
    from viewer.commands.table import table_json, table_text  # imported late, because only tables need it

    sys.stdout.writelines(table_json(document, table) if values.get("json") else table_text(table))
    return outcome([document])


def package_of(document: Document) -> Package:
    """The package of a document; UsageError for another document."""
    if not isinstance(document.content, Package):
        raise UsageError(f"{document.path} is not a package: {document.format}")
    return document.content


def holding(path: str, package: Package) -> str:
    """The message for a package that was given where a model is needed. It lists the models in the
    package.
    """
    models = [name for name in package.names if has_role(name, "model")]
    if not models:
        return f"{path} is a package of {len(package)} files, and none of them is a model"
    listed = ", ".join(map(printable, models[:LISTED])) + (", …" if len(models) > LISTED else "")
    example = f"{path}{JOINT}{models[0]}"
    return f"{path} is a package: choose one of its models, such as {example}; its models are {listed}"


def verify(document: Document) -> None:
    """Verify the checksum of each file, then the checksum of the package, which is computed from the
    checksums of its files. Report errors.
    """
    package, report = package_of(document), document.report
    known = {error.offset for error in report.errors}
    progress = Progress(len(package), noun="file")
    for _, error in package.check():
        if error is not None and error.offset not in known:
            error.file = document.path
            report.fail(error)
        progress.step()
    progress.clear()
    if len(package) and not package.sound():
        why = "the checksum of the package does not match the checksums of its files"
        report.fail(FormatError(why, "package/checksum", package.start, document.path))


def entry_facts(package: Package, number: int) -> Facts:
    """The facts of a file, as `info --json` prints them.

    `verified` is None if the checksum was not verified. `refused` is the reason why the file cannot be
    extracted under its name. For a game, `archive` is the source of the file, and `hides` are the sources
    whose copies it hides. `flags` say how the file is stored in its archive.
    """
    from viewer.library.extraction import refusal  # imported late, because most commands open no package

    name, verdict = package.names[number], int(package.verdicts[number])
    provided = package.providers_of(number)
    return {
        "name": name,
        "offset": int(package.offsets[number]),
        "size": int(package.sizes[number]),
        "packed": int(package.packed[number]),
        "checksum": package.checksum_of(number),
        "verified": None if verdict == UNCHECKED else verdict == GOOD,
        "refused": refusal(name) or None,
        "archive": provided[0].name if provided else None,
        "hides": [each.name for each in provided[1:]],
        "flags": list(package.flags(number)),
    }


def entry_row(_: int, facts: Facts) -> tuple[str, ...]:
    """The cells of a file in the text of `info`, in the columns ENTRY_HEADS."""
    return (
        facts["name"],
        f"{facts['size']:,}",
        f"{facts['packed']:,}",
        _checksum(facts),
        STATES[facts["verified"]],
        facts["refused"] or "",
    )


def _checksum(facts: Facts) -> str:
    return "" if facts["checksum"] is None else f"{facts['checksum']:08X}"


def package_facts(package: Package) -> Facts:
    """The facts of the whole package."""
    return {
        "files": len(package),
        "compressed": package.compressed,
        "start": package.start,
        "checksum": package.checksum,
        "size": int(package.sizes.sum()),
        "packed": int(package.packed.sum()),
    }


def package_json(document: Document) -> Iterator[str]:
    """Yield the package as one JSON object, with a line for each file."""
    package = package_of(document)
    whole = json_text(package_facts(package))
    sources = json_text(source_facts(package))
    yield f'{{"file": {json_text(document.path)}, "package": {whole}, "sources": {sources}, "entries": ['
    comma = "\n"
    for number in range(len(package)):
        yield comma + json_text(entry_facts(package, number))
        comma = ",\n"
    yield f'\n], "errors": {json_text(error_facts(document))}}}\n'


def package_text(document: Document) -> Iterator[str]:
    """Yield the package as text: a line for each file, and a line with the totals."""
    package = package_of(document)
    wide = 8 if package.verdicts.any() else 0
    yield f"{'size':>13} {'packed':>13} {'ratio':>6}  checksum  {'state':{wide}.{wide}}name\n"
    for number, verdict in enumerate(package.verdicts.tolist()):
        facts = entry_facts(package, number)
        refused = f"  ! {facts['refused']}" if facts["refused"] else ""
        state = f"{VERDICTS[verdict]:{wide}.{wide}}"
        yield f"{_line(facts)}  {state}{printable(facts['name'])}{_source_text(facts)}{refused}\n"
    count = f"{len(package):,} file{'' if len(package) == 1 else 's'}"
    yield f"{_line(package_facts(package))}  {'':{wide}}{count}\n"


def _source_text(facts: Facts) -> str:
    """The source of a file of a game, and the sources that it hides."""
    if facts["archive"] is None:
        return ""
    hides = f", hides {', '.join(facts['hides'])}" if facts["hides"] else ""
    return f"  ({printable(facts['archive'] + hides)})"


def source_facts(package: Package) -> list[Facts]:
    """The facts of the sources of a game, as `info --json` prints them. `order` counts the loaded sources; a
    source with a larger number hides the sources with smaller numbers.
    """
    return [
        {
            "path": each.path,
            "kind": each.kind,
            "order": number if each.loaded else None,
            "loaded": each.loaded,
            "why": each.why or None,
        }
        for number, each in enumerate(package.sources)
    ]


def source_row(_: int, facts: Facts) -> tuple[str, ...]:
    """The cells of a source in the text of `info`, in the columns SOURCE_HEADS."""
    return facts["path"], facts["kind"], "loaded" if facts["loaded"] else f"not loaded: {facts['why']}"


def _line(facts: Facts) -> str:
    size, packed = facts["size"], facts["packed"]
    return f"{size:13,} {packed:13,} {ratio(packed, size):6.0%}  {_checksum(facts):8}"
