"""The cache folder: the index, thumbnails, lists of games and projects, journals of batches."""

from __future__ import annotations

from pathlib import Path

from viewer.paths import user_folder

FOLDER_VARIABLE = "RIGSCOPE_CACHE"
"""Environment variable that replaces the path of the cache folder."""


def cache_folder() -> Path:
    """Return the path of this user's cache folder, which may be missing or read-only."""
    return user_folder("cache", FOLDER_VARIABLE)


def journal_folder() -> Path:
    """Return the path of the folder with the journals of batches."""
    return cache_folder() / "batches"
