"""The cache folder of the index, the thumbnails, the lists of games and the journals of batches."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_VARIABLE = "RIGSCOPE_CACHE"
"""Environment variable that replaces the path of the cache folder."""


def cache_folder() -> Path:
    """Return the path of this user's cache folder, which may be missing or read-only."""
    if os.environ.get(FOLDER_VARIABLE):
        return Path(os.environ[FOLDER_VARIABLE])
    from platformdirs import user_cache_path

    return user_cache_path("rigscope", appauthor=False)


def journal_folder() -> Path:
    """Return the path of the folder with the journals of batches."""
    return cache_folder() / "batches"
