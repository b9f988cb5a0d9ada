"""The materials that a script may define, found without parsing it: the first words of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.families.ogre.names import ENCODINGS
from viewer.storage.contents import ANY, Scanner

SCRIPTS = (".material", ".material.json")
"""The suffixes of scripts."""
LARGEST = 8 << 20
"""Size in bytes of the largest script that is read."""
HEADS = re.compile(
    rb"""\b(?:material|hlms)\b
        (?:[ \t\r\n]++ | /\*(?:[^*]++ | \*(?!/))*+\*/ | //[^\n]*+)++   # comments
        "? ([^\s{}":]++)""",
    re.I | re.X,
)
"""The keyword of a material or datablock, comments, and the first word of its name."""
KEYS = re.compile(rb'"([^"\s:{}]++)[^"\n]*+"\s*+:\s*+\{')
"""The first word of each key of an object in JSON."""
ENDS = re.compile(r"""[\s{}":]""")
"""The letters at which a first word ends."""
ESCAPE = b"\\u"


def words_in(data: bytes) -> Iterator[str]:
    """Yield the first words of the names that a script may define, their bytes as Latin-1."""
    yield from (found[1].decode("latin-1") for found in HEADS.finditer(data))
    yield from (found[1].decode("latin-1") for found in KEYS.finditer(data))
    if ESCAPE in data:
        yield ANY


def words_of(names: tuple[str, ...]) -> set[str]:
    """The first words of the spellings of a material's name, as `words_in` finds them in each encoding."""
    words = {ENDS.split(name, 1)[0] for name in names}
    encodings = (*ENCODINGS, "latin-1")
    return {word.encode(each, "ignore").decode("latin-1") for word in words for each in encodings}


SCANNER = Scanner("ogre scripts 1", SCRIPTS, words_in, LARGEST)
