"""`rigscope get` and `rigscope set`: print and change values of files by the paths of `tree`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from viewer.commands.diff import span_lines
from viewer.commands.exit_status import DONE, UNREAD, USAGE
from viewer.commands.info.fact_table import finite, json_rows
from viewer.commands.options.given_options import Values, divided, is_for_many
from viewer.commands.options.parser import UsageError
from viewer.commands.output import confirm, line_about, notice, outcome, print_lines, replaced_line, say
from viewer.commands.reading import context_of
from viewer.compare.diff.spans import span_differences
from viewer.edit.operations import edited, replacements, rewritten, rules_of, value_of
from viewer.edit.paths import Node, node_at, walk
from viewer.edit.values import EditError
from viewer.errors import FormatError, ResourceError, ViewerError, counted, words_of
from viewer.family.registry import suffixes
from viewer.library.file_sources import SourceFile, source_files
from viewer.library.outcome import Outcome
from viewer.scene.document import Document
from viewer.scene.edits import Edit
from viewer.scene.files import Role
from viewer.scene.names import JOINT
from viewer.scene.reading_context import ReadingContext
from viewer.storage.documents import open_undressed
from viewer.storage.versions import file_version
from viewer.storage.writing import is_read_only, replaced, target_of

ROLES: tuple[Role, ...] = ("model", "animation", "part", "picture", "code", "table")
"""The roles of files that are read in folders."""


def get(words: list[str], values: Values) -> int:
    """Print the values at paths; return the exit status. Lines begin with the file if there are several."""
    context = context_of(values)
    places, paths = divided(words)
    failed = list[Outcome]()
    files = list(_files(places, failed, context))
    several, found, status = len(files) > 1, list[dict[str, Any]](), _say_failed(failed)
    for file in files:
        try:
            document = open_undressed(file.path, context)
            lines = [node for path in paths for node in _with_values(document, path)]
        except ViewerError as error:
            status = max(status, _say_error(file.path, error, several))
            continue
        if values.get("json"):
            found += [_facts(document, file.path, node) for node in lines]
        else:
            print_lines(_lines(document, lines, len(paths), f"{file.path}: " if several else ""))
        status = max(status, outcome([document]))
    if values.get("json"):
        print_lines(["[", *json_rows(map(finite, found)), "]"])
    return status


def set_values(words: list[str], values: Values) -> int:
    """Change values, and write the files; return the exit status."""
    context = context_of(values)
    replaces = values.get("replace")
    places, parts = (words, []) if replaces else divided(words)
    edits = [Edit(*each.split("=", 1)) for each in parts]
    failed = list[Outcome]()
    files = list(_files(places, failed, context))
    status, changed = _say_failed(failed), 0
    several = len(files) > 1 or is_for_many(values.get("output") or "")
    if several and values.get("output") and not is_for_many(values["output"]):
        values = {**values, "output": os.path.join(values["output"], "")}
    for file in files:
        try:
            changed += _set(file, edits, values, context, several)
        except ViewerError as error:
            status = max(status, _say_error(file.path, error, several))
        except OSError as error:
            notice(f"{error.filename or file.path}: cannot be written: {words_of(error)}")
            status = USAGE
    if several or replaces:
        verb = "would change" if values.get("dry_run") else "changed"
        notice(f"{verb} {changed} of {counted(len(files), 'file')}")
    return status


def _files(places: Sequence[str], failed: list[Outcome], context: ReadingContext) -> Iterator[SourceFile]:
    """Yield the files of places. A package is one file, because the files in it are not replaced."""
    for place in places:
        version = file_version(place) if os.path.isfile(place) else None
        if version is not None:
            name = os.path.basename(place)
            yield SourceFile(place, name, place, version.size, version.modified)
        else:
            yield from source_files([place], suffixes(*ROLES), failed.append, context)


def _say_failed(failed: Iterable[Outcome]) -> int:
    """Print a line for each place that cannot be read; return the exit status."""
    lines = [line_about(each.path, each.line) for each in failed]
    for line in lines:
        say(line)
    return UNREAD if lines else DONE


def _say_error(path: str, error: ViewerError, several: bool) -> int:
    """Print why a file is left out; return the exit status."""
    text = " ".join(str(error).split())
    if isinstance(error, FormatError):
        say(text)
    else:
        notice(f"{path}: {text}")
    return USAGE if isinstance(error, ResourceError | UsageError) and not several else UNREAD


def _with_values(document: Document, path: str) -> Iterator[Node]:
    """Yield the node of a path; if it has no value, all nodes below it that have one."""
    node = node_at(document.root, path)
    if value_of(document, node) is not None:
        yield node
        return
    yield from (
        each for each in walk(node) if not each.span.passing_children and value_of(document, each) is not None
    )


def _lines(document: Document, nodes: Sequence[Node], asked: int, front: str) -> Iterator[str]:
    """Yield a line for each value. With more values than paths, each line begins with its path."""
    for node in nodes:
        value = value_of(document, node)
        yield f"{front}{node.path}={value}" if len(nodes) != asked else f"{front}{value}"


def _facts(document: Document, path: str, node: Node) -> dict[str, Any]:
    span = node.span
    return {
        "file": path,
        "path": node.path,
        "offset": span.offset,
        "size": span.size,
        "type": span.type,
        "value": value_of(document, node) if rules_of(document).stored_text(document, span) else span.value,
        "note": span.note,
    }


def _set(
    file: SourceFile, edits: Sequence[Edit], values: Values, context: ReadingContext, several: bool
) -> bool:
    """Change one file. Whether a value has changed. EditError, ResourceError or OSError if nothing is
    written.
    """
    output = _output(file, values)
    version = file_version(file.path)
    document = open_undressed(file.path, context)
    if values.get("replace"):
        old, _, new = values["replace"].partition("=")
        edits = replacements(document, values["of"], old, new)
    incomplete = bool(values.get("incomplete"))
    if not edits:
        _copy(document, output, values)
        return False
    made = edited(document, edits, incomplete=incomplete)
    if values.get("dry_run"):
        front = f"{file.path}: " if several else ""
        found = list(span_differences(document, made.document))
        print_lines(f"{front}{line}" for line in span_lines(found))
        return bool(made.changes)
    if made.changes or values.get("output"):
        if values.get("write") and file_version(file.path) != version:
            raise EditError("another program has changed the file meanwhile: it is left as it is")
        _write(output, made.document.data, [] if values.get("write") else [file.path])
    return bool(made.changes)


def _output(file: SourceFile, values: Values) -> str:
    """The path that a changed file is written to. EditError if it cannot be."""
    output = values.get("output")
    if values.get("write"):
        if JOINT in file.path:
            raise EditError("a file in a package is not replaced: write it elsewhere, with -o")
        if is_read_only(file.path):
            raise EditError("the file is read-only")
        return file.path
    if output is None:
        return ""
    return os.path.join(output, *file.name.split("/")) if is_for_many(output) else output


def _copy(document: Document, output: str, values: Values) -> None:
    """Write a file without a change: every record anew. If it cannot be, the output is a copy, and EditError
    says so.
    """
    if values.get("replace"):
        return
    try:
        data, why = rewritten(document), None
    except EditError as error:
        data, why = document.data, error
    if values.get("output") and not values.get("dry_run"):
        _write(output, data, [document.path])
    if why is not None:
        raise EditError(f"{why}; {output} is a copy" if values.get("output") else str(why))


def _write(output: str, data: bytes, inputs: Sequence[str]) -> None:
    folder = os.path.dirname(output)
    if folder:
        os.makedirs(folder, exist_ok=True)
    existed = bool(inputs) and os.path.lexists(target_of(output, inputs))
    with replaced(output, inputs) as file:
        file.write(data)
    if existed:
        notice(replaced_line(output))
    confirm(output)
