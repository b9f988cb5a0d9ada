"""The values in the Windows registry with which the Explorer opens files: types, suffixes, the program.

Sources: Microsoft, Win32 Shell: "Programmatic Identifiers", "File Types", "Application Registration".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.family.format import Format
from viewer.family.registry import formats

CLASSES = r"Software\Classes"
"""The key of the user's file types below HKEY_CURRENT_USER."""
PROGRAM, TITLE = "rigscope.exe", "Rigscope"

RegistryEntry = tuple[str, str]
"""The key and the name of a registry value. The key is below HKEY_CURRENT_USER; an empty name means the key's
default value.
"""


def type_name(format: Format) -> str:
    """Return the name that the files of a format have in the registry, such as `Rigscope.OGREmesh`."""
    return f"{TITLE}.{re.sub(r'[^A-Za-z0-9]', '', format.name)}"


def registry_entries(program: str, icon: str) -> dict[RegistryEntry, str]:
    """Return the values to write. `program` and `icon` are the absolute paths of the program and its icon."""
    opens = f'"{program}" "%1"'
    return dict(_entries(opens, icon))


def suffix_defaults() -> dict[str, str]:
    """Return the type of each suffix. This type becomes the default type of the suffix if the registry has no
    type for the suffix yet.
    """
    return {suffix: type_name(each) for each in [*formats()][::-1] for suffix in each.suffixes}


def _entries(opens: str, icon: str) -> Iterator[tuple[RegistryEntry, str]]:
    application = rf"{CLASSES}\Applications\{PROGRAM}"
    yield (application, "FriendlyAppName"), TITLE
    yield (rf"{application}\DefaultIcon", ""), icon
    yield (rf"{application}\shell\open\command", ""), opens
    for format in formats():
        name = type_name(format)
        yield (rf"{CLASSES}\{name}", ""), format.name
        yield (rf"{CLASSES}\{name}\DefaultIcon", ""), icon
        yield (rf"{CLASSES}\{name}\shell\open\command", ""), opens
        for suffix in format.suffixes:
            yield (rf"{application}\SupportedTypes", suffix), ""
            yield (rf"{CLASSES}\{suffix}\OpenWithProgids", name), ""
