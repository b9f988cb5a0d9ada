"""Makes projects: files below a folder, with or without a marker."""

from __future__ import annotations

import shutil
from pathlib import Path


def make_tree(root: Path, *names: str, marker: str = ".git") -> Path:
    """Write each file below `root` with its name as content, and an empty folder `marker` ("": none)."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode("utf-8", "surrogateescape"))
    if marker:
        (root / marker).mkdir(parents=True, exist_ok=True)
    return root


def copy_project(corpus: Path, name: str, folder: Path, shelf: str = "projects") -> Path:
    """Copy a project of the corpus, from its folder `shelf`, into a folder and give it an empty `.git`."""
    shutil.copytree(corpus / shelf / name, folder / name)
    (folder / name / ".git").mkdir()
    return folder / name
