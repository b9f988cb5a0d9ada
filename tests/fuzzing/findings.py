"""Findings: what went wrong, told apart by exception and place, and written down."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

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
    if not isinstance(error, Exception) or type(error).__name__ == "MemoryLimit":
        frames = (stage,)  # where the clock or the memory ran out is chance
    return Finding(sample.format, sample.name, data, stage, type(error).__name__, frames, text)


class Findings(Struct):
    """The findings of a run, each cause written once below `folder`. `report` prints a line."""

    folder: Path
    report: Callable[[str], None]
    written: dict[str, Path] = field(default_factory=dict)

    def add(self, finding: Finding, words: str) -> None:
        """Write the file and what is known of it, unless its cause is known. `words` choose its case."""
        if finding.signature in self.written:
            return
        place = self.folder / finding.label
        path = self.written[finding.signature] = place / finding.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(finding.data)
        command = f"python3 dev.py fuzz {finding.format} {words} --repeat {path}"
        (place / "finding.txt").write_text(
            f"{command}\n\nstage: {finding.stage}\n{finding.text}", errors="backslashreplace"
        )
        last = finding.text.strip().splitlines()[-1] if finding.text else ""
        self.report(
            f"FOUND {finding.stage}: {last[:200]}\n      {' > '.join(finding.frames)}\n      {command}"
        )
