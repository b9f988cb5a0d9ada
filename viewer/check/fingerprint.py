"""Fingerprints of findings. A finding has the same fingerprint in every run, even if numbers in its text
change.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from viewer.scene.needs import SEARCHED_IN

NUMBER = re.compile(r"(?<![\w.'])[-+]?\d+(\.\d+)?(e[-+]?\d+)?(?![\w'])")
"""Matches a number in a text. Digits inside a name are not matched."""
BULK = re.compile(r"\b(vertices|indices|keys|keyframes)\[\d+]")
"""Matches a row number of vertices, indices or keys in a field path. The first affected row changes with each
export.
"""


def stable_text(text: str) -> str:
    """Remove numbers and searched folders from a text, because they change between runs."""
    return NUMBER.sub("N", text.partition(SEARCHED_IN)[0])


def stable_path(path: str) -> str:
    """Remove the indices of vertices and keys from a field path."""
    return BULK.sub(r"\1[N]", path)


def fingerprint(rule: str, file: str, path: str, text: str) -> str:
    """Compute the hash that identifies a finding, from its rule's id, relative file name, field path and
    text.
    """
    parts = "\0".join((rule, file, stable_path(path), stable_text(text)))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def numbered(fingerprints: Iterable[str]) -> Iterator[str]:
    """Append a running number to each fingerprint, so that equal fingerprints differ: `…:1`, `…:2`."""
    seen: Counter[str] = Counter()
    for each in fingerprints:
        seen[each] += 1
        yield f"{each}:{seen[each]}"
