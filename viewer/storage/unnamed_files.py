"""Made-up names for files of archives without a known name."""

from __future__ import annotations

from functools import cache

from viewer.family.registry import formats

LISTED_ONLY = r"(?i)(?:^|/)File\d{8}(?:\.\w+)?$|\.[0-9A-F]{4}(?:\.[^./]*)?$"
"""Matches names that are made for the list of files, and that no hash table has: the number of a file without
a name, or a name with a language.
"""
OTHER_CONTENTS: tuple[tuple[bytes, str], ...] = (
    *((b"DDS ", ".dds"), (b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"BM", ".bmp")),
    *((b"RIFF", ".wav"), (b"OggS", ".ogg"), (b"ID3", ".mp3")),
)
"""Pairs for files of no family: the bytes with which a kind of file begins, and the suffix of such files."""


@cache
def contents() -> tuple[tuple[bytes, str], ...]:
    """The pairs of `OTHER_CONTENTS`, and those of all formats."""
    own = tuple((magic, format.suffixes[0]) for format in formats() for magic in format.magics)
    return own + OTHER_CONTENTS


def made_up_name(block: int, head: bytes = b"") -> str:
    """Make a name for a file without a known name, from the number of its block and from its first bytes."""
    return f"File{block:08}" + next((suffix for magic, suffix in contents() if head.startswith(magic)), "")
