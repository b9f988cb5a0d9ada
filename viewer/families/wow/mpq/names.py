"""Find the names of the files of an MPQ archive. An archive stores hashes of names; it has a list of names
only if its author added one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from viewer.binary.code_pages import decode
from viewer.binary.cursor import NdArray
from viewer.budget import BUDGET
from viewer.families.wow.mpq.layout import UNUSED
from viewer.storage.name_hashes import CHECK_A, CHECK_B, FOLD, check_keys, hash_name, hash_names

LISTFILE, ATTRIBUTES, SIGNATURE = b"(listfile)", b"(attributes)", b"(signature)"
SPECIAL = (LISTFILE, ATTRIBUTES, SIGNATURE)
"""The names that every archive is searched for."""
SEPARATORS = bytes.maketrans(b"\r;", b"\n\n")
"""Turns the bytes that separate the names of a list into line feeds."""
TOGETHER = 1 << 16
"""Number of names that are hashed together."""
KEEP_SLASHES = bytes(c if c == ord("/") else FOLD[c] for c in range(256))
"""Folds only the case: some tools hash names with slashes."""


class NameTable:
    """Looks up names in the hash table of an archive with `count` blocks. `hashes` [H] of HASH are the
    entries of the table.
    """

    def __init__(self, hashes: NdArray, count: int) -> None:
        used = np.flatnonzero(hashes["block"] < min(count, UNUSED))
        neutral = hashes["locale"][used] == 0
        keys = check_keys(hashes["check_a"][used], hashes["check_b"][used])
        # A game takes the last neutral entry of a name, else any entry: the taken entry sorts last.
        order = np.lexsort((used, neutral, keys))
        self._keys, self._blocks = keys[order], hashes["block"][used][order].astype(np.int64)
        self._locales = hashes["locale"][used][order]

    @property
    def blocks(self) -> NdArray:
        """The numbers of all blocks that the hash table names, sorted."""
        named = np.zeros(int(self._blocks.max(initial=-1)) + 1, bool)
        named[self._blocks] = True
        return np.flatnonzero(named)

    def find(self, name: bytes) -> int | None:
        """Return the block of a name, which is tried with backslashes, then with its slashes."""
        for fold in (FOLD, KEEP_SLASHES) if b"/" in name else (FOLD,):
            key = np.uint64(hash_name(name, CHECK_A, fold) << 32 | hash_name(name, CHECK_B, fold))
            at = int(np.searchsorted(self._keys, key, "right")) - 1
            if at >= 0 and self._keys[at] == key:
                return int(self._blocks[at])
        return None

    def name_blocks(self, names: Iterable[bytes]) -> dict[int, tuple[bytes, int]]:
        """Return a name and a locale for each block to which one of `names` belongs. The first fitting name
        of a block counts. A locale is 0 for the block that a game takes for the name.
        """
        found: dict[int, tuple[bytes, int]] = {}
        waiting = list(dict.fromkeys(names))
        for start in range(0, len(waiting), TOGETHER):
            some = waiting[start : start + TOGETHER]
            keys = check_keys(*hash_names(some, (CHECK_A, CHECK_B)))
            low, high = (np.searchsorted(self._keys, keys, side) for side in ("left", "right"))
            hits = np.flatnonzero(low < high)
            if not (high - low > 1).any():
                for number, block in zip(hits.tolist(), self._blocks[low[hits]].tolist(), strict=True):
                    found.setdefault(block, (some[number], 0))
                continue
            for number in hits.tolist():
                last = int(high[number]) - 1
                for at in range(last, max(int(low[number]) - 1, last - BUDGET.archive_locales), -1):
                    locale = 0 if at == last else int(self._locales[at])
                    if at == last or locale:
                        found.setdefault(int(self._blocks[at]), (some[number], locale))
        return found


def listed_names(data: bytes) -> list[bytes]:
    """The names in a list file, one a line or separated by semicolons. Too long names are left out."""
    longest = BUDGET.name_letters
    lines = data.translate(SEPARATORS).split(b"\n")
    return [name for name in map(bytes.strip, lines) if 0 < len(name) <= longest]


def shown_names(names: Sequence[bytes]) -> list[str]:
    """The texts of stored names, as `shown_name` makes them. Names in ASCII are converted together."""
    text = b"\n".join(names)
    if text.isascii() and text.count(b"\n") == len(names) - 1:
        return text.decode("ascii").replace("\\", "/").split("\n")
    return [shown_name(name) for name in names]


def shown_name(name: bytes, locale: int = 0) -> str:
    """The text of a stored name, with `/` between its parts. A file of another language has the number of the
    language before its suffix.
    """
    text = decode(name).replace("\\", "/")
    if not locale:
        return text
    stem, dot, suffix = text.rpartition(".")
    return f"{stem}.{locale:04X}.{suffix}" if dot and "/" not in suffix else f"{text}.{locale:04X}"
