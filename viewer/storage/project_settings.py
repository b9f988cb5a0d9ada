"""The settings file of a project, `rigscope.toml`, or `tool.rigscope` in `pyproject.toml`: its table, the
patterns in it, and the files that it pins.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import partial
from itertools import chain
from typing import Any

from msgspec import Struct, field

from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.scene.names import JOINT
from viewer.scene.reading_context import name_key
from viewer.storage.listing import listed_entries
from viewer.storage.package_path import on_disk
from viewer.storage.project_roots import REPOSITORIES, above
from viewer.storage.reading import read_file
from viewer.storage.versions import KeptAnswers, is_regular

OWN, SHARED = "rigscope.toml", "pyproject.toml"
"""The names of the settings files. The first of them that exists in a folder is used."""
DEEP = "**"
"""The part of a pattern that matches any number of folders."""
EVERY = ""
"""Stands for every material of a model that names none."""

TomlTable = dict[str, Any]


class Pins(Struct, frozen=True):
    """The files that a project pins for a model. `file` is the settings file; empty if there is none.
    `values` are files or names by the name that the model asks for, as `name_key` writes it. `error` says why
    the settings cannot be read.
    """

    file: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    error: str = ""


PinTables = tuple[tuple[str, Mapping[str, str]], ...]
"""The pins of a project: patterns of models, each with its `Pins.values`."""
_PINS: KeptAnswers[str, tuple[PinTables, str] | None] = KeptAnswers(1 << 20)
"""The pins in settings files, and why they cannot be read, by path; None for a file without settings."""
NO_PINS = Pins()


def pins_of(model_path: str | os.PathLike[str]) -> Pins:
    """The pins of a model in the nearest settings file above it, up to its repository."""
    for folder in above(os.path.dirname(os.path.abspath(on_disk(model_path)))):
        here = _existing(folder, (OWN, SHARED, *REPOSITORIES))
        for file in (os.path.join(folder, name) for name in (OWN, SHARED) if name in here):
            found = _PINS.get(file, partial(_read_pins, file), _size)
            if found is not None:
                tables, error = found
                name = relative_name(os.fspath(model_path), folder) if tables else ""
                values = [table for pattern, table in tables if matches(pattern, name)]
                return Pins(file, dict(chain.from_iterable(each.items() for each in values)), error)
        if not here.isdisjoint(REPOSITORIES):
            break
    return NO_PINS


def _size(kept: tuple[PinTables, str] | None) -> int:
    """Approximate memory in bytes of the pins of a project."""
    return 1000 + sum(200 * (1 + len(values)) for _, values in (kept[0] if kept else ()))


def _existing(folder: str, names: tuple[str, ...]) -> set[str]:
    """Those of `names` that exist in a folder."""
    entries = listed_entries(folder, BUDGET.upper_entries)
    if entries is None:
        return {name for name in names if os.path.exists(os.path.join(folder, name))}
    places = ((name, bisect_left(entries, name, key=lambda entry: entry.name)) for name in names)
    return {name for name, at in places if at < len(entries) and entries[at].name == name}


def _read_pins(path: str) -> tuple[PinTables, str] | None:
    """Read the pins of a settings file; None for a file without settings. An error is returned as text."""
    try:
        table = own_table(path) if is_regular(path) else None
    except ResourceError as error:
        return (), str(error)
    try:
        return None if table is None else (pin_tables(table.get("pins", {})), "")
    except ResourceError as error:
        return (), f"{path}: {error}"


def pin_tables(table: Any) -> PinTables:
    """Check and convert the table `pins` of the settings. Its keys are patterns of models. A value is a text
    for models that name no materials, or a table of texts by the name that the model asks for.

    ResourceError for any other value.
    """
    if not isinstance(table, dict):
        raise ResourceError("pins has to be a table")
    made = []
    for pattern, value in table.items():
        values = value if isinstance(value, dict) else {EVERY: value}
        for name, each in values.items():
            if not isinstance(each, str) or not each:
                key = f"pins.{pattern!r}.{name!r}" if name else f"pins.{pattern!r}"
                raise ResourceError(f"{key} has to be the name of a file or material")
        made.append((pattern, {name_key(name): each for name, each in values.items()}))
    return tuple(made)


def own_table(path: str) -> TomlTable | None:
    """Read this program's table from a TOML file; None if a `pyproject.toml` has no such table. ResourceError
    if it cannot be read.
    """
    try:
        data = read_file(path, BUDGET.text_bytes)
        if os.path.basename(path) == SHARED and b"rigscope" not in data:
            return None
        import tomllib  # imported late, because most folders have no settings

        whole = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ResourceError(f"{path}: {error}") from None
    except FormatError as error:
        raise ResourceError(str(error)) from None
    if os.path.basename(path) != SHARED:
        return whole
    tools = whole.get("tool")
    table = tools.get("rigscope") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ResourceError(f"{path}: tool.rigscope has to be a table")
    return table


def relative_name(path: str, folder: str) -> str:
    """The path of a file relative to a folder, with `/`; absolute if the file and the folder are on different
    drives. A file of a package keeps its name after `::`.
    """
    disk, joint, inner = path.partition(JOINT)
    try:
        name = os.path.relpath(disk, folder)
    except ValueError:
        name = os.path.abspath(disk)
    return name.replace(os.sep, "/") + joint + inner


def matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches a file name relative to the settings. `**` matches any number of folders, `*`
    and `?` match characters of one part, and `legacy/` matches all files below a folder. A pattern without
    `/` matches in every folder. `::` separates parts like `/`.
    """
    parts = name.replace(JOINT, "/").split("/")
    wanted = pattern.replace(JOINT, "/").removeprefix("./").split("/")
    if len(wanted) == 1:
        wanted.insert(0, DEEP)
    elif not wanted[-1]:
        wanted[-1] = DEEP
    reached = {0}  # the possible numbers of parts of the path that are matched so far
    for each in wanted:
        if each == DEEP:
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and fnmatchcase(parts[at], each)}
        if not reached:
            return False
    return len(parts) in reached
