"""The archives of a World of Warcraft client, in the order in which the client loads them.

Source: measured on the clients 1.12.1 and 3.3.5a, the patterns in the program of 2.4.3. If several archives
have a file, the file of the last archive replaces the file of every earlier archive. A pattern such as
`patch-?.MPQ` matches one character.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from viewer.budget import BUDGET
from viewer.errors import FormatError
from viewer.family.place import PlaceLayout
from viewer.scene.reading_context import ReadingContext
from viewer.storage.listing import entries_of
from viewer.storage.place import case_twins, data_folder, source_at, user_order
from viewer.storage.reading import read_file

VANILLA, CRUSADE, LICH_KING = "1.12", "2.4.3", "3.3.5"
SUFFIX = ".mpq"
LOCALE = re.compile(r"[a-z]{2}[A-Z]{2}")
"""The name of a folder with the archives of a language, such as `enUS`."""
ORDERS: Mapping[str, tuple[str, ...]] = {
    VANILLA: (
        *("dbc", "speech", "fonts", "interface", "misc", "sound", "wmo", "terrain", "texture", "model"),
        *("patch", "patch-?", "speech2"),
    ),
    CRUSADE: (
        *("common", "expansion", "L/locale-L", "L/speech-L", "L/expansion-locale-L"),
        *("L/expansion-speech-L", "patch", "patch-?", "L/patch-L", "L/patch-L-?"),
    ),
    LICH_KING: (
        *("L/lichking-speech-L", "L/expansion-speech-L", "L/lichking-locale-L", "L/expansion-locale-L"),
        *("L/speech-L", "L/locale-L", "common-2", "common", "lichking", "expansion", "base"),
        *("L/patch-L", "patch", "patch-?|L/patch-L-?", "alternate"),
    ),
}
"""The archives of each client without their suffix, in an order in which later archives hide earlier
archives. `L` stands for the language, `?` for one character. Names with `|` between them are sorted together
by their paths.
"""
CLIENT_NAMES = frozenset(
    name for order in ORDERS.values() for name in order if not set("L?|") & set(name) and name != "patch"
)
"""Names that prove a folder is a client: its archives without number and language; `patch` also occurs
elsewhere.
"""


def client_layout(folder: str, context: ReadingContext) -> PlaceLayout | None:
    """Find the archives of the client in its folder or in its folder `Data`; None if the folder is no such
    client.
    """
    data = data_folder(folder, _has_archives)
    if data is None:
        return None
    found = {os.path.relpath(path, data).replace(os.sep, "/"): path for path in _archives(data)}
    locale, others = _locale(folder, data, found)
    version = context.client or _version(found, locale)
    twins = case_twins(found)
    order, why = user_order(found, context.archive_order) or (_client_order(found, version, locale), "")
    loaded = [name for name in order if name not in twins]
    left = sorted((name for name in found if name not in loaded), key=str.casefold)
    sources = (
        *(source_at(name, found[name]) for name in loaded),
        *(
            source_at(name, found[name], twins.get(name) or why or _reason(name, version, locale))
            for name in left
        ),
    )
    language = f", {locale}" if locale else ""
    return PlaceLayout(f"World of Warcraft {version}{language}", sources, (folder, data, *others))


def _has_archives(folder: str) -> bool:
    """Whether a folder has the archives of a client: an archive that only clients have, or an archive named
    `patch` beside the folder of a language.
    """
    entries = entries_of(folder)
    stems = {_stem(each.name) for each in entries if each.name.casefold().endswith(SUFFIX)}
    if stems & CLIENT_NAMES:
        return True
    return "patch" in stems and any(LOCALE.fullmatch(each.name) and each.is_dir() for each in entries)


def _archives(data: str) -> Iterator[str]:
    """Yield the paths of the archives in `Data` and in its folders of languages."""
    for entry in entries_of(data):
        if entry.name.casefold().endswith(SUFFIX):
            yield entry.path
        elif LOCALE.fullmatch(entry.name) and entry.is_dir():
            inner = entries_of(entry.path)
            yield from (each.path for each in inner if each.name.casefold().endswith(SUFFIX))


def _stem(name: str) -> str:
    """The folded name of an archive without its suffix."""
    return name.casefold().removesuffix(SUFFIX)


def _locale(folder: str, data: str, archives: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The language of the client, and the folders of all languages.

    The language is named in `WTF/Config.wtf`. Otherwise it is the language of the folder with `locale-L.MPQ`,
    or else the language of the first folder.
    """
    folders = sorted({name.split("/")[0] for name in archives if "/" in name})
    paths = tuple(os.path.join(data, each) for each in folders)
    config = os.path.join(os.path.dirname(data) if data == folder else folder, "WTF", "Config.wtf")
    if os.path.isfile(config):
        try:
            text = read_file(config, BUDGET.text_bytes).decode("utf-8", "replace")
        except FormatError:
            text = ""
        named = re.search(r'SET\s+locale\s+"(\w+)"', text, re.IGNORECASE)
        if named and named[1] in folders:
            return named[1], paths
    stems = {f"{name.split('/')[0]}/{_stem(name.split('/')[-1])}" for name in archives if "/" in name}
    whole = (each for each in folders if f"{each}/locale-{each}".casefold() in {s.casefold() for s in stems})
    return next(whole, folders[0] if folders else ""), paths


def _version(archives: Mapping[str, str], locale: str) -> str:
    stems = {_stem(name) for name in archives}
    if "lichking" in stems or "common-2" in stems:
        return LICH_KING
    if "expansion" in stems:
        return CRUSADE
    return VANILLA if stems & set(ORDERS[VANILLA][:-3]) or not locale else LICH_KING


def _client_order(archives: Mapping[str, str], version: str, locale: str) -> list[str]:
    """The archives that a client loads, in the order in which later ones hide earlier ones."""
    order: list[str] = []
    for row in ORDERS[version]:
        patterns = [_pattern(each, locale) for each in row.split("|")]
        fitting = [name for name in archives if any(each.fullmatch(name) for each in patterns)]
        order += sorted(fitting, key=lambda name: name.casefold().replace("/", "\\"))
    return order


def _pattern(row: str, locale: str) -> re.Pattern[str]:
    text = re.escape(row).replace("L", re.escape(locale) or "(?!)").replace(r"\?", "[^/]")
    return re.compile(text + re.escape(SUFFIX), re.IGNORECASE)


def _reason(name: str, version: str, locale: str) -> str:
    """Why a client does not load an archive."""
    folder, _, base = name.rpartition("/")
    stem = _stem(base)
    if folder and version == VANILLA:
        return f"the client {version} has no folders of languages"
    if folder and folder != locale:
        return f"it belongs to the language {folder}, and the client uses {locale}"
    patch = f"patch-{folder}-".casefold() if folder else "patch-"
    if stem.startswith(patch) and len(stem) != len(patch) + 1:
        return f"the client {version} loads only patches with one character after {patch}"
    return f"the client {version} loads no archive of this name"
