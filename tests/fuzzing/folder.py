"""The folders in memory in which the mutated files lie, each beside what belongs to its sample."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from tests.fuzzing.index_sample_files import INDEX, put_index
from tests.fuzzing.samples import Sample
from viewer.storage.resource_folders import forget_resources

MEMORY = Path("/dev/shm")


class Folders:
    """A folder for each sample, made when it is first needed."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="rigscope-fuzz-", dir=MEMORY if MEMORY.is_dir() else None))
        self._made: dict[Sample, Path] = {}
        self._written = 0

    def put(self, sample: Sample, data: bytes) -> str:
        """Write the mutated file, and return the path of the file to open."""
        folder = self._made.get(sample) or self._make(sample)
        path = folder / sample.name
        with open(path, "wb") as file:
            file.write(data)
        self._written += 1
        moment = 1_600_000_000_000_000_000 + self._written  # a cache that goes by time sees every change
        os.utime(path, ns=(moment, moment))
        if sample.name == INDEX:
            put_index(folder, data)
            forget_resources()
        return str(folder / sample.entry)

    def remove(self) -> None:
        """Delete all folders."""
        shutil.rmtree(self.root, ignore_errors=True)

    def _make(self, sample: Sample) -> Path:
        folder = self._made[sample] = self.root / str(len(self._made))
        (folder / sample.name).parent.mkdir(parents=True)
        for name, data in sample.beside.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if name != sample.name:
                path.write_bytes(data)
        for other in sample.folder.iterdir() if sample.folder else ():
            if other.name != sample.name:
                (folder / other.name).symlink_to(other)
        return folder
