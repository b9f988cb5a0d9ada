"""The one registry of families: what the built-in and the installed families give together.

A family is imported when a suffix or the first bytes of a file ask for it; all of them when no suffix and no
magic of a built-in family fits. Most questions about suffixes are answered by data, so that no family is
imported. `viewer.families` lists the built-in families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from threading import RLock
from typing import TYPE_CHECKING

from viewer.families import BUILT_IN, BuiltIn

if TYPE_CHECKING:
    from viewer.family.archive import ArchiveFormat
    from viewer.family.family import Family, FamilyRule
    from viewer.family.format import Format
    from viewer.family.installed import Installed
    from viewer.family.page import FormatPage
    from viewer.family.picture import ImageDecoder
    from viewer.family.place import Recogniser
    from viewer.scene.engine import EngineSearch
    from viewer.scene.files import FileKind, Role

HEAD = 64
"""How many first bytes of a file are compared with magics."""
IMPORTING = 5.0
"""How many seconds a thread waits until another thread has imported a plugin."""
MOST_FAULTS = 100
"""The largest number of lines about plugins that wait until somebody shows them."""


class _Plugins:
    """The installed families. `allowed` is False if the program runs without plugins. `families` has each
    family that was imported, by its value; None if it cannot be used. `faults` are the lines that nobody has
    taken yet, `told` all lines so far. `kinds` is what `kinds_by_suffix` returns. `generation` counts how
    often all was forgotten.
    """

    allowed = True
    generation = 0

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget all plugins, so that they are looked for again."""
        self.rows: tuple[Installed, ...] | None = None
        self.families: dict[str, Family | None] = {}
        self.faults: list[str] = []
        self.told: set[str] = set()
        self.kinds: dict[str, FileKind] = {}
        self.generation += 1

    def complain(self, line: str) -> None:
        """Record a line about a plugin, once."""
        if line not in self.told and len(self.told) < MOST_FAULTS:
            self.told.add(line)
            self.faults.append(line)


_plugins, _lock, _importing = _Plugins(), RLock(), RLock()


def use_plugins(allowed: bool) -> None:
    """Set whether installed families are used. They are looked for again."""
    with _lock:
        _plugins.allowed = allowed
        _plugins.forget()


def uses_plugins() -> bool:
    """Whether installed families are used."""
    return _plugins.allowed


def generation() -> int:
    """A number that changes when the installed families are looked for again."""
    return _plugins.generation


def complain(line: str) -> None:
    """Record a line about a plugin, once; `take_faults` returns it."""
    _plugins.complain(line)


def take_faults() -> list[str]:
    """The lines about plugins that cannot be used or have failed since the last call."""
    taken, _plugins.faults = _plugins.faults, []
    return taken


def installed() -> tuple[Installed, ...]:
    """The installed families, without importing one. A suffix of another family is left out with a line."""
    with _lock:
        if not _plugins.allowed:
            return ()
        if _plugins.rows is None:
            from viewer.family.installed import (
                installed_families,
            )  # imported late: many starts need no suffix

            rows = installed_families()
            for line in rows.faults:
                _plugins.complain(line)
            _plugins.rows = tuple(_own_suffixes(rows.families))
        return _plugins.rows


def _own_suffixes(rows: Sequence[Installed]) -> Iterator[Installed]:
    """Yield installed families with the suffixes that no family before them has."""
    owners = {suffix: row.name for row in built_in() for suffix in row.kinds}
    for row in rows:
        for suffix in row.suffixes:
            if suffix in owners:
                _plugins.complain(
                    f"the plugin {row.distribution} names the suffix {suffix}, which {owners[suffix]} has: "
                    f"{owners[suffix]} opens these files"
                )
        own = tuple(suffix for suffix in row.suffixes if suffix not in owners)
        owners |= dict.fromkeys(own, row.distribution)
        yield row._replace(suffixes=own)


def plugin_versions() -> tuple[str, ...]:
    """The names and versions of the installed families: what keys of caches depend on."""
    return tuple(sorted(f"{row.distribution} {row.version}" for row in installed()))


@cache
def built_in() -> tuple[BuiltIn, ...]:
    """The rows of the built-in families whose packages exist."""
    return tuple(row for row in BUILT_IN if find_spec(row.package) is not None)


def family_of(row: BuiltIn) -> Family:
    """The family of a row. The first call imports it."""
    found: Family = import_module(f"{row.package}.family").FAMILY
    return found


def plugin_of(row: Installed) -> Family | None:
    """The family of an installed distribution; None, with a line, if it cannot be used. The first call
    imports it. If another thread imports a plugin for too long, this one counts as unusable for now.
    """
    if row.value in _plugins.families:
        return _plugins.families[row.value]
    if not _importing.acquire(timeout=IMPORTING):
        _plugins.complain(f"the plugin {row.distribution} is not used: the import of a plugin does not end")
        return None
    try:
        if row.value not in _plugins.families:
            _plugins.families[row.value] = None  # for a plugin that asks for families while it is imported
            _plugins.families[row.value] = _imported(row)
        return _plugins.families[row.value]
    finally:
        _importing.release()


def _imported(row: Installed) -> Family | None:
    from viewer.family.guard import FAULTS, Guard, described, refusal

    module, _, attribute = row.value.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except FAULTS as error:
        _plugins.complain(f"the plugin {row.distribution} cannot be imported: {described(error)}")
        return None
    why = refusal(found)
    if why:
        _plugins.complain(f"the plugin {row.distribution} cannot be used: {why}")
        return None
    before = [family_of(each) for each in built_in()]
    before += [each for each in _plugins.families.values() if each is not None]
    taken = [format.name for family in before for format in family.formats]
    magics = tuple(magic for each in built_in() for magic in each.magics)
    family: Family = Guard(row, _plugins.complain).family(found, taken, magics)
    return family


def broken_plugin(suffix: str) -> str:
    """The line about a plugin that would open files with a suffix and cannot be used; usually empty."""
    rows = (row for row in installed() if suffix in row.suffixes and plugin_of(row) is None)
    row = next(rows, None)
    return "" if row is None else next((line for line in _plugins.told if row.distribution in line), "")


def families() -> Iterator[Family]:
    """Yield all families. Each is imported when the iteration reaches it."""
    yield from map(family_of, built_in())
    yield from (each for each in map(plugin_of, installed()) if each is not None)


def families_for(head: bytes, suffix: str) -> list[Family]:
    """The families that the first bytes of a file or its suffix ask for, in order."""
    return [family_of(row) for row in _rows_for(head, suffix)] or _plugins_for(suffix)


def _rows_for(head: bytes, suffix: str) -> list[BuiltIn]:
    """The rows of the built-in families that the first bytes of a file or its suffix ask for."""
    first = bytes(head[:HEAD])  # the bytes may be a map of the file
    return [row for row in built_in() if suffix in row.kinds or first.startswith(row.magics)]


def _plugins_for(suffix: str) -> list[Family]:
    rows = [row for row in installed() if suffix in row.suffixes] if suffix else []
    return [family for family in map(plugin_of, rows) if family is not None]


def in_turn(head: bytes, suffix: str) -> Iterator[Family]:
    """Yield all families: first those that `families_for` returns, then the rest."""
    first = families_for(head, suffix)
    yield from first
    yield from (each for each in families() if each not in first)


def formats() -> Iterator[Format]:
    """Yield the formats of all families, in order."""
    return (format for family in families() for format in family.formats)


def format_named(name: str) -> Format | None:
    """The format with this name; the families are tried in their order."""
    return next((each for each in formats() if each.name == name), None)


def engine_of(name: str) -> str:
    """The engine whose treatment of the files `check` describes, by the name of a format."""
    format = format_named(name)
    return format.engine if format is not None and format.engine else name.partition(" ")[0]


def engine_search(format: Format) -> EngineSearch:
    """How the engine of a format finds files."""
    return next(each for each in families() if format in each.formats).engine


def need_effects(*kinds: str) -> dict[str, str]:
    """What the engines of the built-in families do without files of these kinds, by the name of the family.
    Of several kinds, each is named.
    """
    found: dict[str, str] = {}
    for family in map(family_of, built_in()):
        effects = family.engine.effects
        texts = [
            f"{kind}: {effects[kind]}" if len(kinds) > 1 else effects[kind]
            for kind in kinds
            if kind in effects
        ]
        if texts:
            found[family.name] = " ".join(texts)
    return found


def archives(head: bytes, suffix: str) -> Iterator[ArchiveFormat]:
    """Yield all formats of archives; first those of the families that the file asks for."""
    return (archive for family in in_turn(head, suffix) for archive in family.archives)


def decoders(head: bytes, suffix: str) -> Iterator[ImageDecoder]:
    """Yield the decoders of the built-in families that a picture asks for by first bytes or suffix."""
    return (decoder for row in _rows_for(head, suffix) for decoder in family_of(row).pictures)


def plugin_decoders(suffix: str) -> Iterator[ImageDecoder]:
    """Yield the decoders of the installed families that a picture asks for by its suffix."""
    yield from (decoder for family in _plugins_for(suffix) for decoder in family.pictures)


def recognisers(names: Sequence[str]) -> Iterator[Recogniser]:
    """Yield the functions that recognise places in a folder with these names of files and folders. Places of
    installed families are recognised if a file has one of their suffixes.
    """
    folded = [name.casefold() for name in names]
    for row in built_in():
        if row.places and any(name.endswith(row.places) for name in folded):
            yield from family_of(row).places


def pages() -> list[FormatPage]:
    """The pages of all formats, family by family. The call imports the layouts of all formats."""
    return [page for family in families() for page in family.pages()]


def rules() -> list[tuple[str, FamilyRule]]:
    """The rules of all families, each with the name of its family. The call imports all of them."""
    return [(family.name, rule) for family in families() for rule in family.rules()]


def suffix_of(name: str) -> str:
    """The suffix of a name in lower case, with its dot; empty without a dot."""
    _, dot, end = name.lower().rpartition(".")
    return dot + end


def kind_of(name: str) -> FileKind | None:
    """What a file with this name is taken for before it is read. A family that is not built in is
    imported.
    """
    from viewer.scene.files import kind_named  # imported late, because it imports numpy

    suffix = suffix_of(name)
    built = next((row.kinds[suffix] for row in built_in() if suffix in row.kinds), "")
    if built or not suffix:
        return kind_named(built)
    row = next((each for each in installed() if suffix in each.suffixes), None)
    family = None if row is None else plugin_of(row)
    return None if family is None else next((f.kind for f in family.formats if suffix in f.suffixes), None)


def has_role(name: str, *roles: Role) -> bool:
    """Whether a file with this name has one of `roles`, by its suffix."""
    kind = kind_of(name)
    return kind is not None and kind.role in roles


def kinds_by_suffix() -> dict[str, FileKind]:
    """What files with a suffix are taken for before they are read, by suffix. All installed families are
    imported.
    """
    if not _plugins.kinds:
        known = [suffix for row in built_in() for suffix in row.kinds]
        known += [suffix for row in installed() for suffix in row.suffixes]
        kinds = {suffix: kind_of(suffix) for suffix in known}
        _plugins.kinds = {suffix: kind for suffix, kind in kinds.items() if kind is not None}
    return _plugins.kinds


def suffixes(*roles: Role) -> tuple[str, ...]:
    """The suffixes of readable files, each once, in lower case with dots; `roles` limits them to some roles.
    All installed families are imported.
    """
    return tuple(suffix for suffix, kind in kinds_by_suffix().items() if not roles or kind.role in roles)


def built_in_suffixes(role: Role) -> tuple[str, ...]:
    """The suffixes of files with this role in built-in families; no family is imported."""
    from viewer.scene.files import kind_named  # imported late, because it imports numpy

    pairs = ((suffix, kind_named(name)) for row in built_in() for suffix, name in row.kinds.items())
    return tuple(suffix for suffix, kind in pairs if kind is not None and kind.role == role)


def _words(of: Callable[[BuiltIn], Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for row in built_in() for word in of(row)))


def is_foreign(name: str, head: Callable[[], bytes]) -> bool:
    """Whether a file is another program's, by its suffix and its first bytes. `head` reads them; it is called
    for a suffix that several programs use.
    """
    row = next((row for row in built_in() if name.lower().endswith(row.shared or ("\0",))), None)
    return row is not None and not head().startswith(row.magics)


def displayed() -> tuple[str, ...]:
    """The suffixes of models that have displays."""
    return _words(lambda row: row.displays)


def look_keys() -> tuple[str, ...]:
    """The choices of a look. Later choices depend on earlier choices."""
    return _words(lambda row: row.look_keys)


def item_slots() -> tuple[str, ...]:
    """The slots of worn items in the built-in families, such as `head`."""
    return _words(lambda row: row.item_slots)


def clients() -> tuple[str, ...]:
    """The known versions of games, each with its own order of archives."""
    return _words(lambda row: row.clients)
