"""Finds installed families: lines of the group `rigscope.families` in the entry points of installed
distributions. The name of a line is a suffix without its dot; lines with one value are one family.

The folders of the distributions are read directly, because importing `importlib.metadata` takes 27 ms.
Source: PyPA, "Entry points specification" and "Recording installed projects".
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

GROUP = "rigscope.families"
ENDS = (".dist-info", ".egg-info")
"""The ends of the names of folders of installed distributions: `name-version.dist-info`."""
LARGEST = 1 << 20
"""The largest number of bytes that are read of a file with entry points."""


class Installed(NamedTuple):
    """An installed family: the normalized name and the version of its distribution, the `value` of its lines
    (`module:attribute`), and the suffixes that ask for it, in lower case with dots. `named` are the suffixes
    of its lines, also those that another family has.
    """

    distribution: str
    version: str
    value: str
    suffixes: tuple[str, ...]
    named: tuple[str, ...]


class InstalledFamilies(NamedTuple):
    """The installed families, the first on the path first, and a line for each fault."""

    families: tuple[Installed, ...]
    faults: tuple[str, ...]


def installed_families(path: Sequence[str] | None = None) -> InstalledFamilies:
    """Find the families of the distributions on a module search path (None: `sys.path`)."""
    families: list[Installed] = []
    faults: list[str] = []
    known: set[str] = set()
    for folder in dict.fromkeys(map(os.path.abspath, sys.path if path is None else path)):
        for name in _distributions(folder):
            distribution, version = _identity(name)
            try:
                lines = dict(_lines(f"{folder}{os.sep}{name}{os.sep}entry_points.txt"))
            except (OSError, UnicodeDecodeError) as error:
                faults.append(f"the plugin {distribution} cannot be read: {error}")
                continue
            if not lines:
                continue
            if distribution in known:
                faults.append(
                    f"the plugin {distribution} is installed twice: {os.path.join(folder, name)} is not used"
                )
                continue
            known.add(distribution)
            values: dict[str, list[str]] = {}
            for suffix, value in lines.items():
                values.setdefault(value, []).append(f".{suffix.lower()}")
            for value, suffixes in values.items():
                if _is_name(value):
                    own = tuple(suffixes)
                    families.append(Installed(distribution, version, value, own, own))
                else:
                    faults.append(f"the plugin {distribution} names {value!r}, which is no module:attribute")
    return InstalledFamilies(tuple(families), tuple(faults))


def _distributions(folder: str) -> list[str]:
    """The names of the folders of distributions in a folder of modules, sorted."""
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(ENDS))
    except OSError:
        return []


def _identity(name: str) -> tuple[str, str]:
    """The normalized name and the version of a distribution, from the name of its folder."""
    distribution, _, version = name.rpartition(".")[0].partition("-")
    distribution = "-".join(filter(None, distribution.lower().replace("_", "-").replace(".", "-").split("-")))
    return distribution, version.partition("-")[0]


def _is_name(value: str) -> bool:
    """Whether a value has the form `module:attribute`."""
    module, _, attribute = value.partition(":")
    return attribute.isidentifier() and all(part.isidentifier() for part in module.split("."))


def _lines(path: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the group's lines in a file; none if the file does not exist."""
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST)
    except (FileNotFoundError, NotADirectoryError):
        return
    if GROUP.encode() not in data:
        return
    inside = False
    for line in data.decode("utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("["):
            inside = text == f"[{GROUP}]"
        elif inside and "=" in text:
            name, _, value = text.partition("=")
            yield name.strip(), value.partition("[")[0].strip()
