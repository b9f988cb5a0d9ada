"""Fingerprints: two runs give a finding the same one, even if numbers in its text have changed."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from viewer.check.files.file import SEARCHED_IN

NUMBER = re.compile(r"(?<![\w.'])[-+]?\d+(\.\d+)?(e[-+]?\d+)?(?![\w'])")
"""A number in a text, without the digits of names."""
BULK = re.compile(r"\b(vertices|indices|keys|keyframes)\[\d+]")
"""A row of bulk data in a field path; the first affected row changes with each export."""


def stable_text(text: str) -> str:
    """A text without numbers and searched folders, which change between runs."""
    return NUMBER.sub("N", text.partition(SEARCHED_IN)[0])


def stable_path(path: str) -> str:
    """A field path without the indices of vertices and keys."""
    return BULK.sub(r"\1[N]", path)


def fingerprint(rule: str, file: str, path: str, text: str) -> str:
    """A hash of what identifies a finding: its rule's id, relative file name, field path and text."""
    parts = "\0".join((rule, file, stable_path(path), stable_text(text)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def numbered(fingerprints: Iterable[str]) -> Iterator[str]:
    """The fingerprints with a count among equal ones: `…:1`, `…:2`."""
    seen: Counter[str] = Counter()
    for each in fingerprints:
        seen[each] += 1
        yield f"{each}:{seen[each]}"
