"""Pages of `rigscope formats`: the specification of a format, made from its layout."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from viewer.binary import Record

if TYPE_CHECKING:
    from viewer.binary.specification import SpecificationSection


class FormatPage(Struct, frozen=True):
    """The page of a format.

    `format` is the name of the `Format` that opens its files; empty if the format occurs only inside other
    files. The docstring of `module` describes the format, and names the sources behind `Source:`. `make`
    returns the sections.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    format: str
    module: ModuleType
    make: Callable[[], tuple[Any, ...]]
    note: str = ""

    @property
    def about(self) -> str:
        """The description of the format, from the docstring of its layout's module."""
        return _parts(self.module)[0]

    @property
    def source(self) -> str:
        """The sources about the format, from the docstring of its layout's module."""
        return _parts(self.module)[1]

    @property
    def sections(self) -> tuple[SpecificationSection, ...]:
        """The fields of the format, by record."""
        return self.make()


def _parts(module: ModuleType) -> tuple[str, str]:
    """Split a module's docstring at `Source:` into two texts. Each text is joined to one line."""
    about, _, source = re.sub(r"\s+", " ", module.__doc__ or "").strip().partition("Source")
    return about.strip(), source.lstrip("s").lstrip(": ").strip()


def page_of_records(
    name: str,
    title: str,
    suffixes: str,
    module: ModuleType,
    *roots: tuple[Record, str],
    note: str = "",
) -> FormatPage:
    """Make the page of a format that is read from front to back.

    Each of `roots` is a pair: a record at the start of a file, and a note about the files that begin with
    this record.
    """

    def make() -> tuple[SpecificationSection, ...]:
        from viewer.binary.specification import specification  # imported late, because few starts need it

        return tuple(specification(root, each) for root, each in roots)

    opened = title if suffixes else ""
    return FormatPage(name, title, tuple(suffixes.split()), opened, module, make, note)
