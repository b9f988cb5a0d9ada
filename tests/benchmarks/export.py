"""Exports as glTF, in process time: a character of long tracks, and one of many tracks in many sequences."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from tests import ogre_shapes
from tests.benchmarks.made import BONES, KEYS, SEQUENCES, many_sequences
from tests.benchmarks.measure import Row, Rows, alternated
from tests.benchmarks.race_files import character
from viewer.export.gltf.export import export_gltf
from viewer.export.gltf.model import ExportSource
from viewer.export.gltf.options import ExportOptions
from viewer.storage.documents import open_document
from viewer.storage.writing import replaced

RUNS = 7


def rows() -> Rows:
    """Opening and exporting, against the same keys cut out in numpy and as many bytes written."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        elf = character(folder / "elf", 51, ogre_shapes.long_tracks(), parts=4, rings=70)
        yield _row("export Elf's shape", elf, 306, 66_402 // 306, 90)
        (folder / "many").mkdir()
        path = many_sequences(folder / "many")
        yield _row(
            f"export {BONES} bones, {SEQUENCES} sequences", path, 3 * BONES * SEQUENCES, KEYS, 17, aim=12
        )


def _row(title: str, path: Path, tracks: int, keys: int, limit: float, aim: float | None = None) -> Row:
    """A row for a model whose animations have so many tracks of so many keys."""
    output = path.with_name("out.glb")

    def ours() -> None:
        document = open_document(path)
        assert document.model is not None
        export_gltf(ExportSource(document.model, document.animations), ExportOptions(), str(output))

    def floor() -> None:
        for each in files:
            each.read_bytes()
        for times, values in zip(np.zeros((tracks, keys)), np.zeros((tracks, keys, 4)), strict=True):
            times.astype("<f4").tobytes()
            values.astype("<f4").tobytes()
        with replaced(output) as file:
            file.write(written)

    files = [*path.parent.iterdir()]
    ours()
    written = bytes(output.stat().st_size)
    times = alternated([partial(_spent, ours), partial(_spent, floor)], RUNS)
    return Row(title, *times, limit, "its keys cut in numpy, as many bytes written", aim=aim)


def _spent(work: Callable[[], object]) -> float:
    """Seconds of the processor, without what an earlier run left to the collector of cycles."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start
