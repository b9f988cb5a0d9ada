"""Findings: what went wrong, told apart by exception and place, and written down."""

from __future__ import annotations

import hashlib
import traceback
from pathlib import Path

from msgspec import Struct

from tests.fuzzing.samples import ROOT, Sample

OWN = str(ROOT / "viewer")
FRAMES = 3
"""The innermost frames of our own by which findings are told apart."""


class Finding(Struct, frozen=True):
    """What went wrong with a file: `kind` is the exception, `frames` say where, the innermost last."""

    format: str
    name: str
    data: bytes
    stage: str
    kind: str
    frames: tuple[str, ...]
    text: str

    @property
    def signature(self) -> str:
        """Equal for findings of one cause."""
        return "|".join((self.kind, *self.frames))

    @property
    def label(self) -> str:
        """The name of its folder."""
        return f"{self.format}-{hashlib.sha256(self.signature.encode()).hexdigest()[:8]}"


def finding_of(sample: Sample, data: bytes, stage: str, error: BaseException) -> Finding:
    """The finding of an exception."""
    steps = traceback.extract_tb(error.__traceback__)
    own = [step for step in steps if step.filename.startswith(OWN)]
    frames = tuple(f"{Path(step.filename).relative_to(OWN).as_posix()}:{step.name}" for step in own[-FRAMES:])
    if isinstance(error, AssertionError) and not own:
        frames = tuple(f"{Path(step.filename).name}:{step.name}:{step.lineno}" for step in steps[-1:])
    text = "".join(traceback.format_exception(error))
    if not isinstance(error, Exception):
        frames = (stage,)  # where the clock ran out is chance
    if type(error).__name__ == "MemoryLimit":
        frames = (stage,)
    return Finding(sample.format, sample.name, data, stage, type(error).__name__, frames, text)


def write(finding: Finding, folder: Path, command: str) -> Path:
    """Write the file and what is known of it; the path of the file."""
    place = folder / finding.label
    path = place / finding.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(finding.data)
    (place / "finding.txt").write_text(
        f"{command}\n\nstage: {finding.stage}\n{finding.text}", errors="backslashreplace"
    )
    return path
