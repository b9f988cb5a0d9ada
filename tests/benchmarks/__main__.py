"""`python3 dev.py bench [GROUP …]`: every claim of speed as a ratio, of groups named or of all but `gpu`."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.benchmarks import (
    check,
    desktop,
    export,
    f3d,
    frame,
    games,
    gpu,
    index,
    opening,
    panels,
    projects,
    race,
    startup,
    thumbnails,
    window,
)
from tests.benchmarks.measure import Row

GROUPS = {
    "parse": opening.rows,
    "m2": opening.wow_rows,
    "check": check.rows,
    "index": index.rows,
    "frame": frame.rows,
    "panels": panels.rows,
    "window": window.rows,
    "still": window.still_rows,
    "beside": window.beside_rows,
    "loading": window.loading_rows,
    "projects": projects.rows,
    "games": games.rows,
    "export": export.rows,
    "startup": startup.rows,
    "desktop": desktop.rows,
    "thumbnails": thumbnails.rows,
    "race": race.rows,
    "f3d": f3d.rows,
    "gpu": gpu.rows,
}
BY_NAME = ("gpu",)
"""The groups that run only if they are named."""


def line(row: Row) -> str:
    """One row of the table."""
    verdict = "ok" if row.kept else "OVER"
    scale, unit = (2.0**-20, "MiB") if row.bytes else (1, "  ") if row.counts else (1e3, "ms")
    times = f"{row.ours * scale:10.3f} {unit} {row.floor * scale:10.3f} {unit}"
    floor = row.floor_name if row.aim is None else f"{row.floor_name}; the aim is {row.aim:g}"
    return f"{row.name:<44} {times} {row.ratio:8.2f} < {row.limit:<6g} {verdict:<5} {floor}"


def main(words: list[str]) -> int:
    """Print the table; 1 where a claim does not hold. The settings and ratings of the person who runs it are
    neither used nor changed.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"RIGSCOPE_DATA": folder, "RIGSCOPE_SETTINGS": str(Path(folder) / "settings.json")}
        return table(words)


def table(words: list[str]) -> int:
    """Print the rows of the groups in `words`, or of all groups; return the exit status."""
    print(f"{'row':<44} {'ours':>13} {'floor':>13} {'ratio':>8}   limit")
    kept = True
    for name, rows in GROUPS.items():
        if name not in words and (words or name in BY_NAME):
            continue
        for row in rows():
            print(line(row), flush=True)
            kept = kept and row.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
