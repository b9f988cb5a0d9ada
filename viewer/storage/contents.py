"""The words that files define or mention, so that a file is parsed only when its content is used.

A scanner finds the words in the bytes of a file. It may find more words than the file has, and never fewer.
The words are kept with the version of each file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from msgspec import Struct, field

from viewer.arrays import Array
from viewer.errors import FormatError, ResourceError
from viewer.lru import RecentValues
from viewer.storage.archive import Archive
from viewer.storage.source import FolderSource, Source
from viewer.storage.tested import is_over
from viewer.storage.versions import (
    UNSETTLED,
    Version,
    file_version,
    have_versions,
    is_settled,
    unrecorded_version,
)

ANY = ""
"""The word of a file that may have any word, because its bytes do not show its words."""
END = "\0"
"""Stands before and after each word of a text."""
SECTION = "\t"
"""Separates a word from what follows it, if a scanner finds more than words."""
NUMBER = np.dtype("<u4")
"""The type of the numbers of words."""
ASKED = 1000
"""How many answers about words or names are kept."""


def digest_of(data: bytes, size: int = 7) -> bytes:
    """A digest of `size` bytes; 7 bytes fit into a version."""
    from hashlib import blake2b  # imported late, so that the first frame comes sooner

    return blake2b(data, digest_size=size).digest()


class Scanner(Struct, frozen=True):
    """How words are found in files whose names end with one of `ends`. `kind` names the scanner in a stored
    index; it changes whenever `words` finds other words. Files with more than `limit` bytes are not scanned.
    """

    kind: str
    ends: tuple[str, ...]
    words: Callable[[bytes], Iterable[str]]
    limit: int


class Contents(Struct, dict=True, array_like=True):
    """The words in N files: `files` are their stored names, `versions` their versions, None for a file that
    is scanned again. `text` has each different word once, with `END` behind it. `packed` has the u4 numbers
    of the words of all files. The words of a file are from `starts[number]` to `starts[number + 1]`.
    """

    files: list[str] = field(default_factory=list)
    versions: list[Version | None] = field(default_factory=list)
    text: str = END
    packed: bytes = b""
    starts: list[int] = field(default_factory=lambda: [0])

    @property
    def fits(self) -> bool:
        """Whether the parts fit together, which they may not in a file that another program has written."""
        starts, text = self.starts, self.text
        if not starts or len(self.packed) % NUMBER.itemsize or not (text[:1] == text[-1:] == END):
            return False
        counts = len(starts) == len(self.files) + 1 == len(self.versions) + 1 and starts == sorted(starts)
        inside = int(self._numbers.max(initial=0)) < max(1, text.count(END) - 1)
        return counts and inside and (starts[0], starts[-1]) == (0, len(self._numbers))

    @cached_property
    def _numbers(self) -> Array:
        return np.frombuffer(self.packed, NUMBER)

    @cached_property
    def version(self) -> Version:
        """The version of the contents: it changes when one of the files does, or its words."""
        files = repr((self.files, self.versions, self.starts)).encode("utf-8", "surrogatepass")
        digest = digest_of(files + self.text.encode() + self.packed)
        return Version(int.from_bytes(digest, "big"), len(self.files))

    @cached_property
    def _version_of(self) -> dict[str, Version | None]:
        return dict(zip(self.files, self.versions, strict=True))

    def __contains__(self, stored: str) -> bool:
        return stored in self._version_of

    @cached_property
    def _found(self) -> RecentValues[tuple[str, ...], list[str]]:
        return RecentValues(ASKED)

    def has(self, versions: Mapping[str, Version | None]) -> bool:
        """Whether all these files have the versions with which their words were found."""
        return all(each is not None and self._version_of.get(file) == each for file, each in versions.items())

    def having(self, words: Iterable[str]) -> list[str]:
        """The stored names of the files that may have one of `words`, in the order of the list."""
        key = (*sorted(words), ANY)
        return self._found.get(key, lambda: [self.files[n] for n in self._owners(key)], lambda _: 1)

    def _owners(self, words: Sequence[str]) -> list[int]:
        """The numbers of the files that have one of these words, in order."""
        rows = {row for word in words for end in (END, SECTION) for row, _ in self._at(word, end)}
        return sorted({owner for owner, _, _ in self._uses(rows)})

    def _uses(self, rows: Iterable[int]) -> list[tuple[int, int, int]]:
        """The files that have the words of these numbers, in order: the number of the file, the place among
        the words of all files, and the number of the word.
        """
        found: list[tuple[int, int, int]] = []
        for row in rows:
            places = np.flatnonzero(self._numbers == row).tolist()
            found += ((bisect_right(self.starts, place) - 1, place, row) for place in places)
        return sorted(found)

    def _at(self, word: str, end: str) -> Iterator[tuple[int, int]]:
        """Yield the number of each word that begins with a word and `end`, and the place behind `end` in the
        text.
        """
        sought = _unicode(f"{END}{word}{end}")
        at, row, counted = self.text.find(sought), 0, 0
        while at >= 0:
            row, counted = row + self.text.count(END, counted, at), at
            yield row, at + len(sought)
            at = self.text.find(sought, at + 1)

    def sections(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield what follows a word in the files, each with the stored name of the file."""
        follows = {row: self.text[at : self.text.index(END, at)] for row, at in self._at(word, SECTION)}
        for owner, _, row in self._uses(follows):
            yield self.files[owner], follows[row]

    def words(self) -> Iterator[tuple[str, Version | None, list[str]]]:
        """Yield each file with its version and its words."""
        words, numbers = self.text.split(END)[1:], self._numbers.tolist()
        for file, version, (start, end) in zip(self.files, self.versions, pairwise(self.starts), strict=True):
            yield file, version, [words[number] for number in numbers[start:end]]


def scanned(
    scanner: Scanner,
    source: Source,
    files: Sequence[str],
    known: Contents | None = None,
    until: float | None = None,
) -> Contents:
    """Return the words in the `files` of a source. A file that did not change since `known` is not read. The
    files that are not read at the time `until` have no words and the version None.
    """
    if known is not None and known.files == files and _are_current(source, known):
        return known
    versions = [*versions_in(source, files, unrecorded_version).values()]
    before = {(file, version): words for file, version, words in known.words()} if known is not None else {}
    number_of: dict[str, int] = {}
    numbers, starts = list[int](), [0]
    for number, (file, version) in enumerate(zip(files, versions, strict=True)):
        words = before.get((file, version)) if version is not None else None
        if words is None and is_over(until):
            words, versions[number] = [], None
        words = _words_of(scanner, source, file) if words is None else words
        numbers.extend(number_of.setdefault(word, len(number_of)) for word in words)
        starts.append(len(numbers))
    text = END + "".join(word + END for word in number_of)
    return Contents([*files], versions, text, np.array(numbers, NUMBER).tobytes(), starts)


def _are_current(source: Source, known: Contents) -> bool:
    """Whether all files have the versions with which their words were found."""
    if not isinstance(source, FolderSource):
        return [*versions_in(source, known.files, unrecorded_version).values()] == known.versions
    return None not in known.versions and have_versions(
        source.path, zip(known.files, known.versions, strict=True)
    )


def versions_in(
    source: Source, files: Sequence[str], version: Callable[[str], Version | None] = file_version
) -> dict[str, Version | None]:
    """The versions of files of a source, None for a file that may change without a new version. All files of
    an archive have its version.
    """
    found: list[Version | None] = [UNSETTLED] * len(files)
    if isinstance(source, Archive):
        found = [version(source.path)] * len(files)
    elif isinstance(source, FolderSource):
        found = [version(f"{source.path}/{each}") for each in files]
    settled = (each if each is not None and is_settled(each) else None for each in found)
    return dict(zip(files, settled, strict=True))


def _words_of(scanner: Scanner, source: Source, stored: str) -> list[str]:
    """The words in a file, each once; none if it cannot be read."""
    try:
        words = [*scanner.words(source.read(stored, scanner.limit))]
    except (FormatError, ResourceError):
        return []
    text = END.join(words)
    if text.count(END) != len(words) - 1 or not text.isascii():
        words = _unicode(text).split(END) if words else []
    return [*dict.fromkeys(words)]


def _unicode(text: str) -> str:
    """Replace the halves of surrogate pairs in a text, which cannot be stored."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
