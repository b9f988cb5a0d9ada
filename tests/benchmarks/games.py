"""Opening the folder of a game: a client of 20 archives with 400,000 names."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.benchmarks.measure import Row, Rows
from viewer.formats.mpq.writer import MpqFile, mpq_bytes
from viewer.storage.package_path import open_package

ARCHIVES = (
    *("dbc", "speech", "fonts", "interface", "misc", "sound", "wmo", "terrain", "texture", "model", "patch"),
    *(f"patch-{letter}" for letter in "23456789A"),
)
FILES = 20_000
"""Files of an archive."""
LISTED, READ = 2.5, 1e-3
"""Seconds until all files are listed, and seconds to read a file by its name."""
TRIES = 200


def rows() -> Rows:
    """List all files of a client, and read files by their names."""
    with tempfile.TemporaryDirectory() as folder:
        make_client(Path(folder))
        begun = time.perf_counter()
        game = open_package(folder)
        assert game is not None
        count = len([*game.names(deep=True)])
        listed = time.perf_counter() - begun
        assert count == len(ARCHIVES) * FILES
        begun = time.perf_counter()
        for number in range(TRIES):
            assert game.read(name(number % len(ARCHIVES), number * 50)) == b"x"
        read = (time.perf_counter() - begun) / TRIES
    yield Row(f"list a client of {count:,} files, cold", listed, LISTED, 1, "2.5 s")
    yield Row("read a file of it by name", read, READ, 1, "1 ms")


def name(archive: int, number: int) -> str:
    """The name of a file of an archive."""
    return f"World/Sub{archive}/Folder{number // 100}/File_{number}.blp"


def make_client(folder: Path) -> None:
    """Write the archives of a client."""
    (folder / "Data").mkdir()
    for number, archive in enumerate(ARCHIVES):
        files = [MpqFile(name(number, each).replace("/", "\\"), b"x", 0) for each in range(FILES)]
        (folder / f"Data/{archive}.MPQ").write_bytes(mpq_bytes(files))
