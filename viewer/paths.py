"""The folders of the program's own files: beside the package in a wheel, one level up in a checkout."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `shaders` or `assets`, in an installed wheel or in a checkout."""
    for folder in (PACKAGE / name, PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the program's folder {name!r} is missing beside {PACKAGE}")
