"""Find the program's own files. In an installed wheel these files are inside the package; in a checkout they
are beside the package.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the path of the folder `shaders` or `assets`. FileNotFoundError if the installation lacks the
    folder.
    """
    for folder in (PACKAGE / name, PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the program's folder {name!r} is missing beside {PACKAGE}")
