"""The cache folder, for the index and the thumbnails."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_VARIABLE = "RIGSCOPE_CACHE"
"""The environment variable with another path of the folder."""


def cache_folder() -> Path:
    """The cache folder of this user; it may be missing or read-only."""
    if os.environ.get(FOLDER_VARIABLE):
        return Path(os.environ[FOLDER_VARIABLE])
    from platformdirs import user_cache_path

    return user_cache_path("rigscope", appauthor=False)
