"""Exports as glTF, in process time: a character of long tracks, and one of many tracks in many sequences."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from tests import m2_files, ogre_shapes
from tests.benchmarks.m2 import BONES, KEYS, SEQUENCES, large
from tests.benchmarks.measure import Row, Rows, Run, best
from tests.benchmarks.race_files import character
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.storage.documents import open_document
from viewer.storage.writing import replaced

LONG_TRACKS, LONG_KEYS = 306, 66_402 // 306
"""The tracks of Elf's shape, and about the keys of each."""
PATHS = 3


def rows() -> Rows:
    """Opening and exporting, against the same keys cut out in numpy and as many bytes written."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        elf = character(folder / "elf", 51, ogre_shapes.long_tracks(), parts=4, rings=70)
        yield _row("export Elf's shape", elf, LONG_TRACKS, LONG_KEYS, 90)
        path = folder / "many" / "large.m2"
        path.parent.mkdir()
        path.write_bytes(large())
        path.with_name("large00.skin").write_bytes(m2_files.skin())
        title = f"export {BONES} bones, {SEQUENCES} sequences"
        yield _row(title, path, PATHS * BONES * SEQUENCES, KEYS, 24)


def _row(title: str, path: Path, tracks: int, keys: int, limit: float) -> Row:
    output = path.with_name("out.glb")

    def ours() -> None:
        document = open_document(path)
        assert document.model is not None
        export_gltf(ExportSource(document.model, document.animations), ExportOptions(), str(output))

    seconds = best(ours, 3.0, time.process_time)
    floor = best(_floor(path, output, tracks, keys), 1.0, time.process_time)
    return Row(title, seconds, floor, limit, "its keys cut in numpy, as many bytes written")


def _floor(path: Path, output: Path, tracks: int, keys: int) -> Run:
    """Read the files, copy the times and values of each track, and write the bytes of the export."""
    written = bytes(output.stat().st_size)

    def run() -> None:
        for each in path.parent.iterdir():
            if each != output:
                each.read_bytes()
        times, values = np.zeros((tracks, keys)), np.zeros((tracks, keys, 4))
        for track in range(tracks):
            times[track].astype("<f4").tobytes()
            values[track].astype("<f4").tobytes()
        with replaced(output.with_suffix(".bin")) as file:
            file.write(written)
        output.with_suffix(".bin").unlink()

    return run
