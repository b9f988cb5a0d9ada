"""`rigscope diff`: prints the differences of two files as text or JSON.

It can also be git's text converter or external diff.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from viewer.commands.exit_status import DIFFERENT, DONE, UNREADABLE
from viewer.commands.info.fact_table import finite, json_rows, json_text
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import notice, outcome, print_lines, say
from viewer.commands.reading import context_of
from viewer.commands.tree import short
from viewer.compare.diff.comparing import compare
from viewer.compare.diff.spans import LISTED_SPANS, SpanDifference, span_differences
from viewer.errors import FormatError, ResourceError
from viewer.scene.difference import Change, Difference, Differences
from viewer.scene.reading_context import ReadingContext

# this function opens a model without a display, as it is in the file
from viewer.storage.documents import open_undressed

MARKS = {Change.ADDED: "+", Change.REMOVED: "-", Change.RENAMED: ">", Change.CHANGED: "~"}
LISTED = 40
"""The largest number of lines per group in the text."""
NOWHERE = "/dev/null"
"""The path that git passes in place of a missing file."""


def diff(paths: Sequence[str], values: Values) -> int:
    """Print the differences of two files; return the exit status.

    UsageError for any other number of files than two.
    """
    try:
        if values.get("textconv"):
            return _describe(paths, context_of(values))
        if values.get("git"):
            return _driven_by_git(paths, values)
        if values.get("animation") or values.get("with_animation"):
            # imported late, because only this comparison poses bones
            from viewer.commands.diff_motion import diff_motion

            return diff_motion(paths, values)
        if len(paths) != 2:
            raise UsageError(f"needs two files, A and B, not {len(paths) or 'none'}")
        return _compare(paths[0], paths[1], values)
    except FormatError as error:
        say(" ".join(str(error).split()))
    except MemoryError:
        notice("there is not enough memory")
    return UNREADABLE


def _compare(one: str, other: str, values: Values, title: str = "") -> int:
    context = context_of(values)
    documents = open_undressed(one, context), open_undressed(other, context)
    found = compare(*documents, values.get("tolerance"))
    if values.get("git"):
        found = replace(found, notes=())  # copies from git have no other files beside them
    spans = list(span_differences(*documents)) if values.get("bytes") else None
    form = "json" if values.get("json") else values.get("format", "text")
    print_lines(differences_json(found, spans) if form == "json" else differences_text(found, spans, title))
    if outcome(documents):
        return UNREADABLE
    return DONE if found.same else DIFFERENT


def differences_text(
    found: Differences, spans: Sequence[SpanDifference] | None, title: str = ""
) -> Iterator[str]:
    """Yield the summary, the notes, and one line for each difference, by group."""
    yield f"{title}{found.summary}"
    yield from (f"note: {each}" for each in found.notes)
    for group, members in groupby(found.found, lambda each: each.group):
        yield group.word
        together = list(members)
        yield from map(_line, together[:LISTED])
        if len(together) > LISTED:
            yield f"  … {len(together) - LISTED:,} more; --json lists all"
    if spans is not None:
        yield from _span_lines(spans)


def _line(each: Difference) -> str:
    return f"  {MARKS[each.change]} {each.name}{f': {each.text}' if each.text else ''}"


def _span_lines(spans: Sequence[SpanDifference]) -> Iterator[str]:
    yield "bytes" if spans else "bytes: none differ"
    for each in spans:
        offsets = (_offset(each.offset), _offset(each.other_offset))
        yield f"  {offsets[0]} {offsets[1]}  {each.path}: {_value(each, False)} → {_value(each, True)}"
    if len(spans) >= LISTED_SPANS:
        yield f"  … only the first {LISTED_SPANS:,} are listed"


def _offset(offset: int | None) -> str:
    return "-" * 8 if offset is None else f"{offset:08X}"


def _value(each: SpanDifference, second: bool) -> str:
    offset, value = (each.other_offset, each.other_value) if second else (each.offset, each.value)
    return "nothing" if offset is None else short(value)


def differences_json(found: Differences, spans: Sequence[SpanDifference] | None) -> Iterator[str]:
    """Yield the lines of a JSON object, one line for each difference."""
    head = {
        "same": found.same,
        "summary": found.summary,
        "unequal_bytes": found.unequal_bytes,
        "tolerance": found.tolerance,
        "notes": list(found.notes),
    }
    yield json_text(finite(head))[:-1] + ', "differences": ['
    yield from json_rows(finite(_facts(each)) for each in found.found)
    yield "]" if spans is not None else "]}"
    if spans is not None:
        yield ', "bytes": ['
        yield from json_rows(finite(_span_facts(each)) for each in spans)
        yield "]}"


def _facts(each: Difference) -> dict[str, Any]:
    return {
        "group": each.group.word,
        "change": each.change.value,
        "name": each.name,
        "text": each.text,
        "amount": each.amount,
        "unit": each.unit,
        "times": each.times,
        "items": [str(item) for item in each.items],
        "other_items": [str(item) for item in each.other_items],
        "minor": each.minor,
    }


def _span_facts(each: SpanDifference) -> dict[str, Any]:
    return {
        "path": each.path,
        "offset": each.offset,
        "other_offset": each.other_offset,
        "value": each.value,
        "other_value": each.other_value,
    }


def _describe(paths: Sequence[str], context: ReadingContext) -> int:
    """Print a file as the text that git compares.

    Text is printed for an unreadable file too, because git would stop without it.
    """
    if len(paths) != 1:
        raise UsageError(f"--textconv needs one file, not {len(paths) or 'none'}")
    from viewer.compare.diff.description import description

    try:
        print_lines(description(open_undressed(paths[0], context)))
    except (FormatError, ResourceError) as error:
        why = error.why if isinstance(error, FormatError) else "cannot be read"
        print_lines([f"not readable: {why}"])
    return DONE


def _driven_by_git(paths: Sequence[str], values: Values) -> int:
    """Compare two versions of a file for git, which passes the arguments of an external diff.

    These arguments are the path, then the file, hash and mode of the old version and of the new version. The
    exit status is always 0, because git stops at any other status.
    """
    if len(paths) not in (1, 7, 9):
        raise UsageError(f"--git needs the seven arguments that git passes, not {len(paths)}")
    path, old, new = paths[0], *(paths[1::3][:2] if len(paths) > 1 else (NOWHERE, NOWHERE))
    if len(paths) == 1:
        print_lines([f"{path}: not merged"])
    elif NOWHERE in (old, new):
        print_lines([f"{path}: {'added' if old == NOWHERE else 'removed'}"])
    else:
        try:
            _compare(old, new, values, f"{path}: ")
        except (FormatError, ResourceError) as error:
            why = error.why if isinstance(error, FormatError) else "cannot be read"
            print_lines([f"{path}: not compared, {why}"])
    return DONE
