"""Recognise M2 files by magic or suffix, without importing their readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viewer.family.format import Folder

CHUNKED, PLAIN = b"MD21", b"MD20"
SUFFIXES = (".m2", ".mdx")
"""The suffixes of models. Names in other files end with `.mdx`, and some programs give it to the models."""
SKIN_MAGIC = b"SKIN"
SKELETON_SUFFIX, KEYS_SUFFIX = ".skel", ".anim"
SKELETON_CHUNKS = (b"SKL1", b"SKA1", b"SKB1", b"SKS1", b"SKPD")
KEY_CHUNKS = (b"AFM2", b"AFSA", b"AFSB")
"""The magics of `.anim` files: all keys, keys of attachments, keys of bones. Files before version 272 have no
magic.
"""
MODEL, SKELETON, KEYS = "WoW M2 model", "WoW M2 skeleton", "WoW M2 keys"
"""Format names of `.skel` and `.anim` files."""


def is_model(data: bytes, suffix: str) -> bool:
    """Return whether a file is a model, by its magic."""
    return data.startswith((PLAIN, CHUNKED))


def model_called(folder: Folder, stem: str) -> str | None:
    """The file name of the model in a folder whose name has this stem; None if there is none."""
    return next(filter(None, (folder.find(stem + suffix) for suffix in SUFFIXES)), None)


def is_skin(data: bytes, suffix: str) -> bool:
    """Return whether a file is a view, by its magic."""
    return data.startswith(SKIN_MAGIC)


def is_skel(data: bytes, suffix: str) -> bool:
    """Return whether a file is a `.skel`, by its first chunk. The chunks may come in any order, so any of
    them may be the first if the suffix is right.
    """
    return data.startswith(SKELETON_CHUNKS[0]) or (suffix == SKELETON_SUFFIX and data[:4] in SKELETON_CHUNKS)


def is_anim(data: bytes, suffix: str) -> bool:
    """Return whether a file is an `.anim`, by its magic or its suffix. Files before version 272 have no
    magic.
    """
    return data[:4] in KEY_CHUNKS or suffix == KEYS_SUFFIX
