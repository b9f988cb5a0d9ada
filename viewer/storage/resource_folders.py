"""The user's resource folders, which are searched after the folders near a model.

Each path names a folder (with game data, Urho3D roots or archives), an archive, or the `resources.cfg` of an
OGRE program.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain, islice, takewhile

from viewer.budget import BUDGET
from viewer.errors import FormatError, ResourceError
from viewer.family.registry import built_in_suffixes
from viewer.lru import RecentValues
from viewer.scene.material import FoundBy
from viewer.scene.names import file_name
from viewer.scene.reading_context import ReadingContext
from viewer.storage.archive import Archive
from viewer.storage.configuration import CONFIGURATION, configurations_of, configured
from viewer.storage.contents import Contents, Scanner, digest_of, scanned
from viewer.storage.listing import entries_of, present
from viewer.storage.own_picture import is_view
from viewer.storage.package_path import ARCHIVES, archive_at, open_package
from viewer.storage.place import is_game
from viewer.storage.source import FolderSource, Source, resource_name
from viewer.storage.versions import KeptAnswers, file_version, record

ROOTS = ("Data", "CoreData")
AUTOLOAD = "Autoload"
"""The name of the folder whose subfolders and packages are resource roots, in addition to `ROOTS`."""
PACKAGE_SUFFIX = ".pak"
"""The suffix of a packed resource root, such as `Data.pak`."""
COMPARED = 64
"""The largest number of files of one name whose bytes are compared."""
DIGEST_BYTES = 100
"""Approximate size in bytes of a digest in memory."""
_DIGESTS: KeptAnswers[str, bytes] = KeptAnswers(1 << 20)
"""The digests of files on the disk by path."""
NAME_BYTES = 400
"""Approximate size in bytes of a listed name in memory."""
_WORDS = RecentValues[tuple[str, str], Contents](16 << 20)
"""The words in the files of a source by the kind of the scanner and the path of the source. A file whose
version is the same is not scanned again.
"""
Kept = Callable[[Sequence[str]], Sequence[str]]
"""A function that returns some of the stored names that it gets."""


class SourceIndex:
    """The files of a source by base name without regard to case.

    `error` is the reason why the files cannot be listed, else empty. `by` records how a resource was found in
    this source, such as `project`. `marked` is False for a project whose root is a guess.
    """

    by: FoundBy = "given"
    marked = True
    _cut = False
    """Whether the source has more files than the index lists. A file that is not listed is found only by its
    whole name.
    """

    def __init__(self, source: Source, deep: bool, most: int = BUDGET.listed_files) -> None:
        self.source = source
        self.names: list[str] = []
        self.error = ""
        self._order: Sequence[int] | None = None
        self._of_models: frozenset[str] | None = None
        self._endings: dict[tuple[str, ...], list[str]] = {}
        self._contents: dict[str, Contents] = {}
        try:
            self.add(islice(source.names(deep=deep), most))
        except FormatError as error:
            self.error = str(error)
        self._cut = deep and len(self.names) >= most

    def add(self, names: Iterable[str]) -> None:
        """Add stored names to the list."""
        self.names += names
        self._order, self._endings, self._of_models = None, {}, None

    @property
    def _folders_of_models(self) -> frozenset[str]:
        """The folders that have models, and the folders above them."""
        if self._of_models is None:
            paths = {name.rpartition("/")[0] for name in self.of_suffix(built_in_suffixes("model"))}
            above = (accumulate(path.split("/"), "{}/{}".format) for path in paths)
            self._of_models = frozenset(chain.from_iterable(above))
        return self._of_models

    @property
    def order(self) -> Sequence[int]:
        """The numbers of all files in the order of their folded base names."""
        if self._order is None:
            bases = [name.rpartition("/")[2].casefold() for name in self.names]
            self._order = array("I", sorted(range(len(bases)), key=bases.__getitem__))
        return self._order

    def _base(self, number: int) -> str:
        """The folded base name of a file."""
        return self.names[number].rpartition("/")[2].casefold()

    def _with_base(self, base: str) -> list[str]:
        """The stored names with this base name, ignoring case."""
        return [name for _, name in self._beginning(base.casefold(), whole=True)]

    def _beginning(self, front: str, whole: bool = False) -> Iterator[tuple[str, str]]:
        """Yield the folded base names that begin with `front`, or that are `front` (`whole`), each with its
        stored name. `front` is folded.
        """
        order = self.order
        for at in range(bisect_left(order, front, key=self._base), len(order)):
            base = self._base(order[at])
            if not base.startswith(front) or (whole and base != front):
                return
            yield base, self.names[order[at]]

    def find(self, name: str, from_: str = "", model: str = "") -> str | None:
        """Find the stored name of the file that fits `name` best; see `best`."""
        return next(iter(self.best(name, from_, model)), None)

    def best(self, name: str, from_: str = "", model: str = "", keep: Kept | None = None) -> list[str]:
        """Find the stored names of the files with the base name of `name` that fit best and are equally near;
        the first one is used. The folders of a file come first, then whether the program of the `model` lists
        it, then its distance from `from_`, then upper and lower case. With `keep` only the files that it
        returns. A guessed project gives fewer files, depending on the path of the `model` that needs the
        file; see `ProjectIndex`.
        """
        parts = name.replace("\\", "/").split("/")
        known = self._allowed(self._with_base(parts[-1]), parts, from_, model)
        known = keep(known) if keep is not None else known
        if not known and self._cut:
            stored = self.source.find(name)
            return [] if stored is None else [stored]
        if len(known) < 2:
            return [*known]
        distance, is_listed = self.distance_from(from_), self.listed_by_program(known, from_, model)

        def rank(stored_name: str) -> tuple[int, bool, tuple[int, bool, int]]:
            return -matching_parts(stored_name, parts), not is_listed(stored_name), distance(stored_name)

        return sorted(_first(known, rank), key=partial(_is_other_case, parts[-1]))

    def rivals(self, names: Sequence[str]) -> tuple[str, ...]:
        """Those of stored names whose files have other bytes than the file of the first name."""
        return tuple(each for each in names[1:COMPARED] if not self._are_equal(names[0], each))

    def _are_equal(self, one: str, other: str) -> bool:
        """Whether two files have equal bytes."""
        if _size(self.source, one) != _size(self.source, other):
            return False
        return _digest(self.source, one) == _digest(self.source, other)

    def _allowed(self, names: Sequence[str], parts: Sequence[str], from_: str, model: str) -> Sequence[str]:
        """Return those of `names` that this source gives. All of them have the wanted base name; `parts` are
        the folders and the base name that are wanted.
        """
        return names

    def listed_by_program(self, names: Sequence[str], *loaded: str) -> Callable[[str], bool]:
        """Return a test for files of `names`: would a program that loads one of the files `loaded` find this
        file? Only projects know that.
        """
        return lambda stored: False

    def whole(self, plain: str) -> str | None:
        """Find the stored name of the file with this whole name, ignoring case."""
        known = self._with_base(plain.rpartition("/")[2])
        alike = [each for each in known if each.casefold() == plain.casefold()]
        found = plain if plain in alike else next(iter(alike), None)
        return self.source.find(plain) if found is None and self._cut else found

    def is_sole(self, name: str, *, copies: bool = False) -> bool:
        """Whether exactly one file has this base name. With `copies`, files of equal bytes are one file."""
        known = self._with_base(file_name(name))
        return len(known) == 1 or (copies and 0 < len(known) <= COMPARED and not self.rivals(known))

    def ending_with(self, name: str) -> list[str]:
        """The stored names that end with the whole of `name`, ignoring case."""
        parts = name.split("/")
        return [each for each in self._with_base(parts[-1]) if matching_parts(each, parts) == len(parts)]

    @staticmethod
    def matches_whole(stored_name: str, name: str) -> bool:
        """Whether a stored name ends with the whole of `name`, which has folders."""
        parts = name.replace("\\", "/").split("/")
        return matching_parts(stored_name, parts) == len(parts) > 1

    @staticmethod
    def matches_tail(stored_name: str, name: str) -> bool:
        """Whether a stored name ends with the base name and at least one folder of a name."""
        return matching_parts(stored_name, name.replace("\\", "/").split("/")) > 1

    def searched(self, name: str) -> tuple[str, ...]:
        """The paths at which a name is searched, for messages; empty if no file can have this name."""
        return (self.source.where(plain),) if (plain := resource_name(name)) else ()

    def of_stem(
        self,
        base: str,
        suffixes: tuple[str, ...],
        from_: str,
        context: ReadingContext,
        keep: Kept | None = None,
    ) -> list[str]:
        """Find the stored names of the files of this name with one of `suffixes` that fit best and are
        equally near; the first one is used. Views that Rigscope drew are left out.

        Only the last suffix of `base` is exchanged. The file whose folders match best comes first, then a
        file that the program of `from_` lists, then the nearest, then the order of `suffixes`. With `keep`
        only the files that it returns.
        """
        *folders, base = base.replace("\\", "/").split("/")
        stem = os.path.splitext(base.casefold())[0]
        alike = (name for key, name in self._beginning(stem) if os.path.splitext(key)[0] == stem)
        known: Sequence[str] = [each for each in alike if suffix_of(each) in suffixes]
        known = keep(known) if keep is not None else known
        distance, is_listed = self.distance_from(from_), self.listed_by_program(known, from_)

        def rank(stored_name: str) -> tuple[int, bool, tuple[int, bool, int], int]:
            matching = matching_parts(stored_name.rpartition("/")[0], folders)
            return (
                -matching,
                not is_listed(stored_name),
                distance(stored_name),
                suffixes.index(suffix_of(stored_name)),
            )

        return _first([each for each in known if not is_view(self.source.where(each), context)], rank)

    def of_suffix(self, suffixes: tuple[str, ...], from_: str = "") -> list[str]:
        """List the stored names with one of `suffixes`, the nearest first."""
        found = [name for name in self.ending(suffixes) if suffix_of(name) in suffixes]
        return sorted(found, key=self.distance_from(from_)) if from_ else found

    def beginning(self, stem: str, suffixes: tuple[str, ...]) -> Iterator[str]:
        """Yield the stored names whose base names begin with `stem` and end with one of `suffixes`, ignoring
        case.
        """
        yield from (name for _, name in self._beginning(stem.casefold()) if name.lower().endswith(suffixes))

    def having(self, scanner: Scanner, words: Iterable[str]) -> list[str]:
        """The stored names of the files that may have one of `words`; see `Scanner`."""
        return self.contents(scanner).having(words)

    def contents(self, scanner: Scanner) -> Contents:
        """The words in the files of a scanner."""
        if scanner.kind not in self._contents:
            key = scanner.kind, self.source.where("")
            found = scanned(scanner, self.source, self.ending(scanner.ends), _WORDS.find(key))
            _WORDS.keep(key, found, NAME_BYTES * len(found.files) + len(found.text) + len(found.packed))
            if isinstance(self.source, FolderSource):
                pairs = zip(map(self.source.where, found.files), found.versions, strict=True)
                record({path: version for path, version in pairs if version is not None})
            self._contents[scanner.kind] = found
        return self._contents[scanner.kind]

    def ending(self, ends: tuple[str, ...]) -> list[str]:
        """List the stored names that end with one of `ends`, in lower case, in the order of the list."""
        if ends not in self._endings:
            self._endings[ends] = [name for name in self.names if name.lower().endswith(ends)]
        return self._endings[ends]

    def distance_from(self, from_: str) -> Callable[[str], tuple[int, bool, int]]:
        """Return a function that gives the distance of a stored name from the file `from_`: the number of
        folders up, whether the way down enters a folder with models of its own, and the number of folders
        down. If `from_` is outside the source, all files are equally near.
        """
        top = self.source.where("")
        front = os.path.join(top, "")
        if not from_ or not from_.startswith(front):
            return lambda stored: (0, False, 0)
        own = from_[len(front) :].replace(os.sep, "/").split("/")[:-1]

        def distance(stored_name: str) -> tuple[int, bool, int]:
            folders = stored_name.split("/")[:-1]
            pairs = zip(own, folders, strict=False)
            common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            entered = len(folders) > common and "/".join(folders[: common + 1]) in self._folders_of_models
            return len(own) - common, entered, len(folders) - common

        return distance


def matching_parts(stored_name: str, parts: Sequence[str]) -> int:
    """The number of equal parts at the ends of two names, ignoring case."""
    equal = 0
    for one, other in zip(reversed(stored_name.split("/")), reversed(parts), strict=False):
        if one.casefold() != other.casefold():
            break
        equal += 1
    return equal


def _first(names: Iterable[str], rank: Callable[[str], tuple[object, ...]]) -> list[str]:
    """The names of the lowest rank, in their order."""
    ranks = {name: rank(name) for name in names}
    first = min(ranks.values(), default=())
    return [name for name, each in ranks.items() if each == first]


def _is_other_case(base: str, stored_name: str) -> bool:
    """Whether the base name of a file differs from `base` in upper and lower case."""
    return stored_name.rpartition("/")[2] != base


def _size(source: Source, stored: str) -> int | None:
    """The size of a file in bytes; None if it has vanished or its source does not know it."""
    if isinstance(source, Archive):
        return source.size_of(stored)
    version = file_version(source.where(stored))
    return None if version is None else version.size


def _digest(source: Source, stored: str) -> bytes:
    """A digest of the bytes of a file; empty if it cannot be read."""

    def read() -> bytes:
        try:
            return digest_of(source.read(stored), 16)
        except (FormatError, ResourceError):
            return b""

    path = source.where(stored)
    return (
        _DIGESTS.get(path, read, lambda digest: DIGEST_BYTES) if isinstance(source, FolderSource) else read()
    )


class _Lists:
    """The listed locations of resource folders, and how often all lists were dropped."""

    changes = 0

    def __init__(self) -> None:
        self.locations: dict[tuple[object, ...], tuple[tuple[Source, bool], ...]] = {}
        self.indexes: dict[Source, SourceIndex] = {}


_lists = _Lists()


def forget_resources() -> None:
    """Drop the cached lists of resource folders, because files may have changed. The next search lists them
    again.
    """
    _lists.locations, _lists.indexes = {}, {}
    _lists.changes += 1


def resource_changes() -> int:
    """How often cached lists were dropped. Further caches of lists are dropped when the number changes."""
    return _lists.changes


def resource_indexes(context: ReadingContext) -> Iterator[SourceIndex]:
    """Yield the index of each resource location, in order. A location is listed once, when the iterator
    reaches it.
    """
    if not context.resources:
        return
    key = context.resources, context.of_archives
    if key not in _lists.locations:
        every = (each for path in context.resources for each in locations_of(path, context))
        _lists.locations[key] = tuple(islice(every, BUDGET.locations))
    indexes = _lists.indexes
    for source, deep in _lists.locations[key]:
        index = indexes.get(source)
        if index is None:
            index = indexes[source] = SourceIndex(source, deep)
        yield index


def locations_of(path: str, context: ReadingContext) -> Iterator[tuple[Source, bool]]:
    """Yield each source at a resource path, with a bool: whether its sub-folders are searched. A missing path
    has no sources.
    """
    suffix = suffix_of(path)
    place = open_package(path, context) if is_game(path) else None
    if place is not None:
        yield place, True
    elif os.path.isdir(path):
        for configuration in configurations_of(path):
            yield from configured(configuration, context)
        for root in roots_of(path):
            yield from _source(root, context)
        yield FolderSource(path), True
        for entry in entries_of(path):
            if suffix_of(entry.name) in (*ARCHIVES, PACKAGE_SUFFIX) and entry.path not in roots_of(path):
                yield from _source(entry.path, context)
    elif suffix == CONFIGURATION:
        yield from configured(path, context)
    else:
        yield from _source(path, context)


def _source(path: str, context: ReadingContext) -> Iterator[tuple[Source, bool]]:
    """Yield a folder or an archive as a source with sub-folders."""
    if os.path.isdir(path):
        yield FolderSource(path), True
    elif os.path.isfile(path):
        source = archive_at(path, context)
        if source is not None:
            yield source, True


def roots_of(folder: str) -> Iterator[str]:
    """Yield the Urho3D resource roots directly in a folder, in the order of the engine: an earlier root hides
    files of later roots. All packages come before all folders. Among the packages and among the folders,
    roots in `Autoload` come before `Data` and `CoreData`.

    Source: Urho3D, `Engine::InitializeResourceCache` and `ResourceCache`, whose `searchPackagesFirst_` is
    true.
    """
    inner = present(folder, (*(name + end for name in ROOTS for end in ("", PACKAGE_SUFFIX)), AUTOLOAD))
    loaded = entries_of(os.path.join(folder, AUTOLOAD)) if AUTOLOAD in inner else ()
    added = [each for each in reversed(loaded) if each.is_dir() or each.name.lower().endswith(PACKAGE_SUFFIX)]
    for packed in (True, False):
        yield from (each.path for each in added if each.is_dir() is not packed)
        for name in ROOTS:
            root = name + PACKAGE_SUFFIX if packed else name
            if inner.get(root) is not packed and root in inner:
                yield os.path.join(folder, root)


def suffix_of(name: str) -> str:
    """The suffix of a name in lower case, with its dot."""
    return os.path.splitext(name)[1].lower()
