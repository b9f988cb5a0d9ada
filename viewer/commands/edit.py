"""`rigscope get` and `rigscope set`: print and change values of files by the paths of `tree`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from viewer.commands.diff import span_lines
from viewer.commands.exit_status import DONE, UNREAD, USAGE
from viewer.commands.info.fact_table import finite, json_rows
from viewer.commands.options.given_options import Values, divided, is_for_many
from viewer.commands.options.parser import UsageError
from viewer.commands.output import confirm, line_about, notice, outcome, print_lines, replaced_line, say
from viewer.commands.reading import context_of
from viewer.compare.diff.spans import span_differences
from viewer.edit.operations import IncompleteError, edited, replacements, rewritten
from viewer.edit.paths import Node, node_at, walk
from viewer.edit.rules import rules_of, value_of
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
            asked = [node_at(document.root, path) for path in paths]
        except ViewerError as error:
            status = max(status, _say_error(file.path, error, several))
            continue
        nodes = (inner for node in asked for inner in _with_values(document, node))
        if values.get("json"):
            found += [_facts(document, file.path, node) for node in nodes]
        else:
            named = any(value_of(document, node) is None for node in asked)
            front = f"{file.path}: " if several else ""
            print_lines(f"{front}{_line(document, node, named)}" for node in nodes)
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
    several = len(files) > 1
    outputs = _outputs(files, values)
    for file in files:
        try:
            changed += _set(file, edits, values, context, outputs)
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
        more = "; --incomplete edits the fields that were read" if isinstance(error, IncompleteError) else ""
        notice(f"{path}: {text}{more}")
    return USAGE if isinstance(error, ResourceError | UsageError) and not several else UNREAD


def _with_values(document: Document, node: Node) -> Iterator[Node]:
    """Yield a node; if it has no value, all nodes below it that have one and no parts."""
    if value_of(document, node) is not None:
        yield node
        return
    leaves = (each for each in walk(node) if not len(each.span.passing_children))
    yield from (each for each in leaves if value_of(document, each) is not None)


def _line(document: Document, node: Node, named: bool) -> str:
    """The value of a node; if `named`, as `set` takes it."""
    value = value_of(document, node) or ""
    return f"{node.path}={value}" if named else value


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


def _outputs(files: Sequence[SourceFile], values: Values) -> dict[str, str]:
    """The path of the output by the path of each file, empty if nothing is written. Several files are written
    below a folder. UsageError if two files have the same output.
    """
    if values.get("write"):
        return {file.path: file.path for file in files}
    output: str = values.get("output") or ""
    if not output or values.get("dry_run"):
        return {file.path: "" for file in files}
    found = dict[str, str]()
    for file in files:
        below = len(files) > 1 or is_for_many(output)
        made = os.path.join(output, *file.name.split("/")) if below else output
        other = next((path for path, each in found.items() if each == made), None)
        if other is not None:
            raise UsageError(f"{other} and {file.path} would both be written to {made}")
        found[file.path] = made
    return found


def _set(
    file: SourceFile,
    edits: Sequence[Edit],
    values: Values,
    context: ReadingContext,
    outputs: Mapping[str, str],
) -> bool:
    """Change one file. Whether a value has changed. EditError, ResourceError or OSError if nothing is
    written.
    """
    if values.get("write"):
        _expect_writable(file.path)
    version, document = file_version(file.path), open_undressed(file.path, context)
    if values.get("replace"):
        old, _, new = values["replace"].partition("=")
        edits = replacements(document, values["of"], old, new)
        if not edits:
            return False
    output = "" if values.get("dry_run") else outputs[file.path]
    inputs = [] if values.get("write") else list(outputs)
    if not edits:
        _write_anew(document, output, inputs)
        return False
    made = edited(document, edits, incomplete=bool(values.get("incomplete")))
    if values.get("dry_run"):
        front = f"{file.path}: " if len(outputs) > 1 else ""
        print_lines(f"{front}{line}" for line in span_lines(list(span_differences(document, made.document))))
    elif made.changes or not values.get("write"):
        if values.get("write") and file_version(file.path) != version:
            raise EditError("another program has changed the file meanwhile: it is left as it is")
        _write(output, made.document.data, inputs)
    return bool(made.changes)


def _expect_writable(path: str) -> None:
    """EditError if a file cannot be replaced."""
    if JOINT in path:
        raise EditError("a file in a package is not replaced: write it elsewhere, with -o")
    if is_read_only(path):
        raise EditError("the file is read-only")


def _write_anew(document: Document, output: str, inputs: Sequence[str]) -> None:
    """Write a file without a change: every record anew. If it cannot be, the output is a copy, and EditError
    says so.
    """
    try:
        data, why = rewritten(document), None
    except EditError as error:
        data, why = document.data, error
    if output and inputs:
        _write(output, data, inputs)
    if why is not None:
        raise EditError(f"{why}; {output} is a copy" if inputs and output else str(why))


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
