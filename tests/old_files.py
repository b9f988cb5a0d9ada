"""Folders that changed long ago."""

from __future__ import annotations

import os
from pathlib import Path

LONG_AGO = 1_000_000_000


def write_old_tree(folder: Path) -> Path:
    """Write three files of models in three folders that changed long ago, with a text between them."""
    for name in ("b.mdl", "note.txt", "a10.mdl", "a2.mdl", "deep/c.mdl", "deep/er/d.mdl"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    for each in ("deep/er", "deep", "."):
        os.utime(folder / each, (LONG_AGO, LONG_AGO))
    return folder
