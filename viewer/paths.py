"""Find the program's own files and the user's folders. In an installed wheel the program's files are inside
the package; in a checkout they are beside the package.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the path of the folder `shaders` or `assets`. FileNotFoundError if the installation lacks the
    folder.
    """
    for folder in (PACKAGE / name, PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the program's folder {name!r} is missing beside {PACKAGE}")


def user_folder(kind: Literal["cache", "config", "data"], variable: str = "") -> Path:
    """Return the path of this user's folder of a kind, which may be missing or read-only; the environment
    `variable` replaces it. If the system knows no home folder of the user, no file can be written there.
    """
    if os.environ.get(variable):
        return Path(os.environ[variable])
    from platformdirs import PlatformDirs

    try:
        return Path(getattr(PlatformDirs("rigscope", appauthor=False), f"user_{kind}_dir"))
    except RuntimeError:
        return Path(os.devnull) / "rigscope"
