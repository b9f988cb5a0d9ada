"""`rigscope families`: the built-in and the installed families; with --check, tries one on files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from viewer.commands.exit_status import DONE, UNREAD
from viewer.commands.family_check import FamilyRow, Tried, family_rows, try_family
from viewer.commands.info.fact_table import json_text
from viewer.commands.options.given_options import Values
from viewer.commands.options.parser import UsageError
from viewer.commands.output import print_lines
from viewer.errors import GraphicsError, ViewerError, counted
from viewer.scene import names


def families(paths: list[str], values: Values) -> int:
    """List all families, or try one of them on files; return the exit status."""
    rows = family_rows()
    chosen = values.get("check")
    if chosen is None:
        if paths:
            raise UsageError("takes no FILE without --check NAME")
        print_lines([json_text([_facts(row) for row in rows])] if values.get("json") else _lines(rows))
        return DONE
    if not paths:
        raise UsageError("--check NAME needs a FILE")
    row = rows[names.find_name("family", chosen, [row.name for row in rows])]
    bad = False
    for path in paths:
        for tried in _tried(row, path):
            bad |= tried.bad
            print_lines(f"{path}: {tried.text}".splitlines())
    return UNREAD if bad else DONE


def _tried(row: FamilyRow, path: str) -> Iterator[Tried]:
    """Try a family on a file, then draw the thumbnail of the file if it can be read."""
    try:
        for tried in try_family(row, path):
            yield tried
            if tried.unread:
                return
        yield _drawn(path)
    except (ViewerError, OSError) as error:
        yield Tried(str(error), bad=True)


def _drawn(path: str) -> Tried:
    """Draw the thumbnail of a file."""
    # imported late, because these modules draw
    from viewer.library.thumbnails.thumbnail import NothingShownError, ThumbnailTask, draw_thumbnail

    task = ThumbnailTask()
    try:
        document = task.opened(path)
        if document.model is None:
            return Tried("not drawn: the file has no model")
        draw_thumbnail(task.view(document), task.size)
    except NothingShownError as reason:
        return Tried(f"not drawn: {reason}", bad=True)
    except GraphicsError as error:
        return Tried(f"not drawn: {error}")
    except (ViewerError, OSError) as error:
        return Tried(f"drawing fails: {error}", bad=True)
    return Tried("drawn")


def _lines(rows: list[FamilyRow]) -> Iterator[str]:
    """Yield a line for each family and a line for each of its formats."""
    for row in rows:
        origin = f"plugin {row.distribution} {row.version}".rstrip() if row.distribution else "built in"
        yield f"{row.name}  {origin}{'' if row.family else '  cannot be used'}"
        for format in row.family.formats if row.family is not None else ():
            yield f"  {format.name}  {' '.join(format.suffixes)}"
        given = ", ".join(
            counted(count, name.removesuffix("s")) for name, count in _counts(row).items() if count
        )
        if given:
            yield f"  also {given}"


def _counts(row: FamilyRow) -> dict[str, int]:
    """What a family gives besides formats."""
    family = row.family
    if family is None:
        return {}
    return {
        "archives": len(family.archives),
        "places": len(family.places),
        "pictures": len(family.pictures),
        "pages": len(family.pages()),
        "rules": len(family.rules()),
    }


def _facts(row: FamilyRow) -> dict[str, Any]:
    family = row.family
    return {
        "name": row.name,
        "plugin": {"name": row.distribution, "version": row.version} if row.distribution else None,
        "usable": family is not None,
        "api": None if family is None else family.api,
        "suffixes": list(row.suffixes),
        "formats": [
            {"name": each.name, "suffixes": list(each.suffixes), "kind": each.kind.name}
            for each in (family.formats if family is not None else ())
        ],
        **_counts(row),
    }
