"""The folder for what can be made again: the index and the thumbnails."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER_VARIABLE = "RIGSCOPE_CACHE"
"""The environment variable that overrides the path of the folder."""


def cache_folder() -> Path:
    """The folder of this user's caches; it need not exist, and may be read-only."""
    if os.environ.get(FOLDER_VARIABLE):
        return Path(os.environ[FOLDER_VARIABLE])
    from platformdirs import user_cache_path

    return user_cache_path("rigscope", appauthor=False)
