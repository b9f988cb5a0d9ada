"""Probes of models and of their part files, without their readers."""

from __future__ import annotations

CHUNKED, PLAIN = b"MD21", b"MD20"
PATCH = b"PTCH"
SKIN_MAGIC = b"SKIN"
SKELETON_SUFFIX, KEYS_SUFFIX = ".skel", ".anim"
SKELETON_CHUNKS = (b"SKL1", b"SKA1", b"SKB1", b"SKS1", b"SKPD")
KEY_CHUNKS = (b"AFM2", b"AFSA", b"AFSB")
"""The magics of a file of keys: keys of all, of attachments, of bones; before 272 such a file has no
magic.
"""
SKELETON, KEYS = "WoW M2 skeleton", "WoW M2 keys"
"""The names of the formats."""


def is_model(data: bytes, suffix: str) -> bool:
    """Whether a file is a model, by its magic; also true for patches of models, which the loader refuses by
    name.
    """
    return data.startswith((PLAIN, CHUNKED)) or (data.startswith(PATCH) and suffix == ".m2")


def is_skin(data: bytes, suffix: str) -> bool:
    """Whether a file is a view, by its magic."""
    return data.startswith(SKIN_MAGIC)


def is_skel(data: bytes, suffix: str) -> bool:
    """Whether a file is a `.skel`, by its magic; the chunks may come in any order."""
    return data.startswith(SKELETON_CHUNKS[0]) or (suffix == SKELETON_SUFFIX and data[:4] in SKELETON_CHUNKS)


def is_anim(data: bytes, suffix: str) -> bool:
    """Whether a file is an `.anim`, by its magic or its suffix: before version 272 the file holds keys
    only.
    """
    return data[:4] in KEY_CHUNKS or suffix == KEYS_SUFFIX
