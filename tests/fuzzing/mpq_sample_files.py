"""The MPQ archives behind the samples, by name."""

from __future__ import annotations

import tests.wow  # noqa: F401
from viewer.families.wow.mpq.layout import ADJUSTED, COMPRESSED, ENCRYPTED, IMPLODED, SINGLE, SUMMED
from viewer.families.wow.mpq.writer import MpqFile, by_bzip2, by_sparse, mpq_bytes

TEXT = b"bear crocodile frog " * 300
EXPLODED = bytes.fromhex("00048224258f807f")
"""`AIAIAIAIAIAIA`, packed by PKWARE's implode."""


def files() -> list[MpqFile]:
    """Files that are stored in every way."""
    return [
        MpqFile("Stored.txt", TEXT, 0),
        MpqFile("Creature\\Zlib.txt", TEXT),
        MpqFile("Creature\\Bzip2.txt", TEXT, pack=by_bzip2),
        MpqFile("Sparse.bin", bytes(4000) + TEXT, pack=by_sparse),
        MpqFile("Imploded.txt", b"AI" * 6 + b"A", IMPLODED, lambda data: EXPLODED),
        MpqFile("Encrypted.txt", TEXT, COMPRESSED | ENCRYPTED | ADJUSTED | SUMMED),
        MpqFile("Single.txt", TEXT, COMPRESSED | SINGLE | ENCRYPTED),
    ]


def archives() -> dict[str, bytes]:
    """Both versions, an archive behind other data, and one without names."""
    return {
        "one.mpq": mpq_bytes(files()),
        "two.mpq": mpq_bytes(files(), 2),
        "host.mpq": bytes(512) + mpq_bytes(files()[:2]),
        "nameless.mpq": mpq_bytes(files(), listed=False, summed=False),
    }
