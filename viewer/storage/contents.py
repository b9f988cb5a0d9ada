"""The words that files define or mention, so that a file is parsed only when its content is used.

A scanner finds the words in the bytes of a file. It may find more words than the file has, and never fewer.
The words are kept with the version of each file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct, field

from viewer.errors import FormatError, ResourceError
from viewer.storage.source import FolderSource, Source
from viewer.storage.versions import UNSETTLED, Version, file_version

ANY = "\0"
"""The word of a file that may have any word, because its bytes do not show its words."""

SECTION = "\t"
"""Separates a word from what follows it, if a scanner finds more than words."""


def new_digest() -> Any:
    """A digest for versions of lists."""
    from hashlib import blake2b  # imported late, so that the first frame comes sooner

    return blake2b(digest_size=7)


class Scanner(NamedTuple):
    """How words are found in files whose names end with one of `ends`. `kind` names the scanner in a stored
    index; it changes whenever `words` finds other words. Files with more than `limit` bytes are not scanned.
    """

    kind: str
    ends: tuple[str, ...]
    words: Callable[[bytes], Iterable[str]]
    limit: int


class Contents(Struct, dict=True):
    """The words in N files: `files` are their stored names, `versions` their versions. `owners` has the
    numbers of the files that have a word.
    """

    files: list[str] = field(default_factory=list)
    versions: list[Version | None] = field(default_factory=list)
    owners: dict[str, list[int]] = field(default_factory=dict)

    @cached_property
    def version(self) -> Version:
        """The version of the contents: it changes when one of the files does."""
        digest = new_digest()
        digest.update(repr((self.files, self.versions)).encode("utf-8", "surrogateescape"))
        return Version(int.from_bytes(digest.digest(), "big"), len(self.files))

    @cached_property
    def _version_of(self) -> dict[str, Version | None]:
        return dict(zip(self.files, self.versions, strict=True))

    def __contains__(self, stored: str) -> bool:
        return stored in self._version_of

    def changed(self, source: Source, files: Iterable[str]) -> bool:
        """Whether one of these files is not as it was when its words were found."""
        return any(_version(source, each) != self._version_of.get(each) for each in files)

    @cached_property
    def _more(self) -> dict[str, list[str]]:
        """The words with more than one section, by their first section."""
        found: dict[str, list[str]] = {}
        for word in self.owners:
            first, section, _ = word.partition(SECTION)
            if section:
                found.setdefault(first, []).append(word)
        return found

    def sections(self, word: str) -> Iterator[tuple[str, str]]:
        """Yield what follows a word in the files, each with the stored name of the file."""
        for each in self._more.get(word, ()):
            rest = each[len(word) + len(SECTION) :]
            yield from ((self.files[number], rest) for number in self.owners[each])

    def having(self, words: Iterable[str]) -> list[str]:
        """The stored names of the files that may have one of `words`, in the order of the list."""
        asked = [each for word in words for each in (word, *self._more.get(word, ()))]
        numbers = {number for word in (*asked, ANY) for number in self.owners.get(word, ())}
        return [self.files[number] for number in sorted(numbers)]


def scanned(
    scanner: Scanner, source: Source, files: Sequence[str], known: Contents | None = None
) -> Contents:
    """Return the words in the `files` of a source. A file that did not change since `known` is not read."""
    versions = [_version(source, each) for each in files]
    if known is not None and known.files == files and known.versions == versions:
        return known
    before = _words_by_file(known) if known is not None else {}
    made = Contents([*files], versions)
    for number, (file, version) in enumerate(zip(files, versions, strict=True)):
        words = before.get((file, version)) if version is not None else None
        for word in _words_of(scanner, source, file) if words is None else words:
            made.owners.setdefault(word, []).append(number)
    return made


def _version(source: Source, stored: str) -> Version | None:
    """The version of a file. All files of an archive have one version: a changed archive is a new source."""
    return file_version(source.where(stored)) if isinstance(source, FolderSource) else UNSETTLED


def _words_by_file(known: Contents) -> dict[tuple[str, Version | None], list[str]]:
    """The words of each file, by its stored name and version."""
    words: list[list[str]] = [[] for _ in known.files]
    for word, owners in known.owners.items():
        for number in owners:
            words[number].append(word)
    return dict(zip(zip(known.files, known.versions, strict=True), words, strict=True))


def _words_of(scanner: Scanner, source: Source, stored: str) -> Iterable[str]:
    """The words in a file, each once; none if it cannot be read."""
    try:
        return dict.fromkeys(scanner.words(source.read(stored, scanner.limit)))
    except (FormatError, ResourceError):
        return ()
