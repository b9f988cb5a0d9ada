"""`rigscope find`: updates the index and prints the files that match a query."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any
from unicodedata import east_asian_width

from msgspec.structs import asdict

from viewer.commands.batches import Terminal, runner_of
from viewer.commands.exit_status import DONE, NOTHING_FOUND, UNREAD, USAGE
from viewer.commands.info.fact_table import json_rows, json_text
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, print_lines, say
from viewer.commands.reading import context_of
from viewer.errors import printable
from viewer.family.registry import suffixes
from viewer.library.file_sources import PATTERN, Fail, expanded, source_files
from viewer.library.index.database import DamagedIndexError
from viewer.library.index.index import Index
from viewer.library.index.query import parse
from viewer.library.index.query_terms import QueryError
from viewer.library.index.rows import EntryTable
from viewer.library.index.update import IndexProgress
from viewer.library.outcome import Outcome
from viewer.library.workers.batches import Runner
from viewer.scene.files import FileEntry
from viewer.scene.names import JOINT
from viewer.scene.reading_context import ReadingContext
from viewer.storage.package_path import split

BOUNDS = ("min", "max")


def find(paths: list[str], values: Values) -> int:
    """Print the files in `paths` that match the query; return the exit status.

    The query is the last entry of `paths`.
    """
    if len(paths) < 2:
        raise UsageError("needs a PLACE and, as the last word, a QUERY in quotes, such as 'bones>60'")
    *places, query = paths
    try:
        parse(query)
    except QueryError as error:
        notice(error.why)
        say(f"  {printable(query)}")
        say(f"  {' ' * width(printable(query[: error.at]))}^")
        return USAGE
    runner, context = runner_of(values), context_of(values)
    unread: list[Outcome] = []
    named = {
        os.path.abspath(each): each for place in places for each in named_paths(place, unread.append, context)
    }
    index = Index(say=notice, context=context)
    wanted = partial(search, index, list(named), query, runner, unread.append, bool(values.get("json")))
    try:
        table = wanted()
    except DamagedIndexError as error:
        notice(str(error))
        table = wanted()
    lines = (
        files_json(table, query, named)
        if values.get("json")
        else (shown(path, named) for path in table.paths())
    )
    print_lines(lines)
    for line in dict.fromkeys(each.line for each in unread):
        say(line)
    if unread:
        return UNREAD
    return DONE if len(table) else NOTHING_FOUND


def named_paths(place: str, fail: Fail, context: ReadingContext) -> list[str]:
    """Return the folders, packages and files that an argument means.

    A pattern may also match files in a package.
    """
    inside = split(place)
    if inside is None or not PATTERN.search(inside[1]):
        return expanded(place, fail)
    return [file.path for file in source_files([place], suffixes(), fail, context)]


def search(
    index: Index, places: Sequence[str], query: str, runner: Runner, fail: Fail, facts: bool
) -> EntryTable:
    """Update the index and return the files that match the query. If a list of the files answers it, no file
    is read; with `facts` the matching files are. QueryError for an invalid query.
    """
    reads, files = parse(query).reads, list(source_files(places, suffixes(), fail, index.context))
    follow(index.update(files, places, runner, None if reads else ()))
    table = index.query(query, places)
    if facts and not reads:
        follow(index.update(files, places, runner, frozenset(table.paths())))
        table = index.query(query, places)
    return table


def follow(steps: Generator[IndexProgress, None, None]) -> None:
    """Show the progress of an update. After Ctrl+C print one line and let KeyboardInterrupt pass."""
    with Terminal(participle="indexed") as terminal, closing(steps):
        for number, step in enumerate(steps):
            if not number:
                terminal.begin(0, step.total)
            terminal.reach(step.done)


def shown(path: str, named: dict[str, str]) -> str:
    """Return a path with its folder as the user wrote it: `models/a.mdl` if the user wrote `models`."""
    for place, written in sorted(named.items(), key=lambda each: len(each[0]), reverse=True):
        if path == place:
            return written
        folder = place.rstrip(os.sep)
        if path.startswith((folder + os.sep, folder + JOINT)):
            return written.rstrip(os.sep) + path[len(folder) :]
    return path


def files_json(table: EntryTable, query: str, named: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a JSON object, one line for each file."""
    yield f'{{"query": {json_text(query)}, "files": ['
    yield from json_rows(entry_facts(entry, shown(entry.path, named)) for entry in table)
    yield "]}"


def entry_facts(entry: FileEntry, path: str) -> dict[str, Any]:
    """Return the facts of a file for JSON. Lengths are in seconds, times in seconds since 1970 (UTC)."""
    facts = asdict(entry.facts) if entry.facts is not None else {}
    if facts and facts["bounds"]:
        corners = facts["bounds"][:3], facts["bounds"][3:]
        facts["bounds"] = dict(zip(BOUNDS, corners, strict=True))
    if facts:
        facts["missing"] = [{"kind": kind, "name": name} for kind, name in facts["missing"]]
    return {
        "path": path,
        "name": entry.name,
        "bytes": entry.size,
        "modified": entry.modified / 1e9,
        **entry.mark._asdict(),
        **facts,
    }


def width(text: str) -> int:
    """Count the terminal columns that a text takes."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)
