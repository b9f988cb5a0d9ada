"""Facts about the program, its libraries and the machine: the About dialog shows and copies them."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from viewer import __version__
from viewer.family.registry import plugin_versions

if TYPE_CHECKING:
    from importlib.metadata import PackageMetadata

PROGRAM = "rigscope"
LICENCE = "MIT"
DRIVER = {"Graphics": "GL_RENDERER", "Vendor": "GL_VENDOR", "OpenGL": "GL_VERSION"}
"""The titles of OpenGL's texts about the graphics driver."""
LONGEST = 60
"""The largest number of letters in a licence's name; a longer text is the licence itself."""
CLASSIFIER = "License :: OSI Approved :: "


class Library(Struct, frozen=True):
    """A library that the program uses. `licence` is empty if the library states no licence."""

    name: str
    version: str
    licence: str


class About(Struct, frozen=True):
    """The version of the program, rows (title, text) about the machine, the libraries, and the installed
    families of formats, each with its version.
    """

    version: str
    machine: tuple[tuple[str, str], ...]
    libraries: tuple[Library, ...]
    plugins: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All facts as lines of text, for a bug report."""
        lines = [f"Rigscope {self.version} ({LICENCE} licence)"]
        lines += [f"{title}: {text}" for title, text in self.machine]
        for each in self.libraries:
            lines.append(f"{each.name} {each.version} ({each.licence or 'licence unknown'})")
        lines += [f"plugin {each}" for each in self.plugins]
        return "\n".join(lines)


def about(graphics: Mapping[str, object]) -> About:
    """Collect the facts.

    `graphics` are OpenGL's texts under the names of DRIVER. The call takes some milliseconds.
    """
    driver = ((title, str(graphics.get(name, "unknown"))) for title, name in DRIVER.items())
    python = f"{platform.python_version()} ({platform.python_implementation()}, {8 * _pointer_size()} bit)"
    machine = (*driver, ("Python", python), ("System", platform.platform()))
    return About(__version__, machine, tuple(_libraries()), plugin_versions())


def _pointer_size() -> int:
    """The size of a pointer in bytes."""
    return (sys.maxsize.bit_length() + 1) // 8


def _libraries() -> Iterator[Library]:
    """Yield the installed libraries that the program requires; none if the program is not installed."""
    from importlib import metadata  # imported late, because only the dialog needs it

    try:
        required = metadata.requires(PROGRAM) or []
    except metadata.PackageNotFoundError:
        return
    for line in required:
        name = re.match(r"[\w.-]+", line)
        if name is None or "extra ==" in line:
            continue
        try:
            found = metadata.metadata(name[0])
        except metadata.PackageNotFoundError:
            continue
        version = next(iter(found.get_all("Version") or []), "")
        yield Library(name[0], version, _licence(found))


def _licence(package: PackageMetadata) -> str:
    """Return the licence that a package states in an expression, a classifier or a short text.

    Without such a statement, return the name of the package's licence file.
    """
    expressions, texts, classifiers, files = (
        package.get_all(field) or []
        for field in ("License-Expression", "License", "Classifier", "License-File")
    )
    named = [each.removeprefix(CLASSIFIER) for each in classifiers if each.startswith(CLASSIFIER)]
    short = [each for each in texts if 0 < len(each) <= LONGEST and "\n" not in each]
    return next(iter((*expressions, *named, *short, *(f"see its {file}" for file in files))), "")
