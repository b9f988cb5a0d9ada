"""The materials and other blocks that a script may define, found without parsing it: the first words of their
names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.binary.code_pages import ENCODINGS
from viewer.storage.contents import ANY, Scanner

SCRIPTS = (".material", ".material.json")
"""The suffixes of scripts."""
LARGEST = 8 << 20
"""Size in bytes of the largest script that is read."""
HEADS = re.compile(
    rb"""\b(?:material|hlms|technique|pass|texture_unit|abstract\s++\w++)\b
        (?= "?
            (?:[ \t\r\n]++ | /\*(?:[^*]++ | \*(?!/))*+\*/ | //[^\n]*+)*+   # comments
            "? ([^\s{}":]++) )   # it may be the next keyword
        """,
    re.I | re.X,
)
"""The keyword of a block that a script may define, comments, and the first word of its name. Programs are
left out, because no script is searched for them.
"""
KEYS = re.compile(rb'"([^"\s:{}]++)[^"\n]*+"\s*+:\s*+\{')
"""The first word of each key of an object in JSON."""
ENDS = re.compile(r"""[\s{}":]""")
"""The letters at which a first word ends."""
ESCAPE = b"\\"


def words_in(data: bytes) -> Iterator[str]:
    """Yield the first words of the names that a script may define, their bytes as Latin-1."""
    yield from (found[1].decode("latin-1") for found in HEADS.finditer(data))
    keys = [found[1].decode("latin-1") for found in KEYS.finditer(data)]
    yield from keys
    if keys and ESCAPE in data:
        yield ANY


def words_of(name: str) -> set[str] | None:
    """The first word of the name of a material or block, as `words_in` finds it in each encoding. None if the
    name does not begin with a word: each script may define it.
    """
    word = ENDS.split(name, 1)[0]
    words = {word.encode(each, "ignore").decode("latin-1") for each in ENCODINGS}
    return words if all(words) else None


SCANNER = Scanner("ogre scripts 1", SCRIPTS, words_in, LARGEST)
