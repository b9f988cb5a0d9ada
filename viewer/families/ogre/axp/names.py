"""The names of the files of an AXP archive: their hashes, and the list of names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from viewer.binary.cursor import NdArray
from viewer.budget import BUDGET
from viewer.storage.name_hashes import CHECK_A, CHECK_B, check_keys, hash_names, number_table

ENCODING = "gb18030"
"""The code page of names, a superset of GBK."""
LIST = "(list)"
LINE = re.compile(rb"^(.+)\|([0-9A-Fa-f]{1,8})\|([0-9A-Fa-f]{1,8})\r?$", re.MULTILINE)
"""Matches the line of a file in the list. A letter of GBK may end with the byte of `|`."""
BEGINNING = re.compile(rb"[0-9A-Fa-f]{1,8}\r?\n\d+\r?\n")
"""Matches the beginning of a list."""
TABLE = number_table(4)
FOLD = {ord("\\"): "/", **{ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}


class ListedFile(NamedTuple):
    """A line of the list: the name, the size in bytes and the check word of a file."""

    name: str
    size: int
    check: int


def listed_files(data: bytes) -> list[ListedFile]:
    """The lines of a list; lines with a name that is too long are left out."""
    return [
        ListedFile(decoded(name), int(size, 16), int(check, 16))
        for name, size, check in LINE.findall(data)
        if len(name) <= BUDGET.name_letters
    ]


def decoded(name: bytes) -> str:
    """The text of a stored name. A byte that is no letter of the code page becomes a surrogate."""
    return name.decode(ENCODING, "surrogateescape")


def name_keys(names: Sequence[str]) -> NdArray:
    """The two checks of each name as one number [N] u8, the second check in the low half."""
    folded = [name.translate(FOLD).encode(ENCODING, "surrogateescape") for name in names]
    first, second = hash_names(folded, (CHECK_A, CHECK_B), TABLE, None, signed=True)
    return check_keys(first, second)
