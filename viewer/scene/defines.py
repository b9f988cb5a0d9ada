"""Recovers the defines of a compiled shader: candidates are tested against the hash in its file name."""

from __future__ import annotations

from typing import NamedTuple


class Spelling(NamedTuple):
    """A normalised text of defines: how the text was normalised, the text, and its hash."""

    how: str
    text: str
    hash: int


def sdbm(text: str) -> int:
    """The 32-bit SDBM hash of the text's UTF-8. Source: Urho3D `MathDefs.h`, `SDBMHash`."""
    value = 0
    for byte in text.encode("utf-8", "surrogateescape"):
        value = (byte + 65599 * value) & 0xFFFFFFFF
    return value


def spellings(text: str) -> tuple[Spelling, ...]:
    """The ways in which the engine may have normalised a text of defines before hashing it.

    It sorts the defines and makes them upper-case; up to release 1.7 the hash then took lower-case letters.
    Source: Urho3D `Shader::NormalizeDefines`, `StringHash::Calculate`.
    """
    sorted_ = " ".join(sorted(text.upper().split()))
    tried = {
        "as typed": text,
        "sorted, upper-case": sorted_,
        "sorted, lower-case": sorted_.lower(),
        "lower-case": text.lower(),
    }
    found: dict[str, str] = {}
    for how, spelt in tried.items():
        found.setdefault(spelt, how)
    return tuple(Spelling(how, spelt, sdbm(spelt)) for spelt, how in found.items())


def fitting(text: str, wanted: int) -> Spelling | None:
    """The spelling of the defines whose hash is `wanted`; None if no spelling fits."""
    return next((each for each in spellings(text) if each.hash == wanted), None)
