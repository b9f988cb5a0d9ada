"""Findings: what went wrong, told apart by exception and place, made small and written down."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from tests.fuzzing.samples import ROOT, Sample

OWN = str(ROOT / "viewer")
FRAMES = 3
"""The innermost frames of our own by which findings are told apart."""
TRIALS, SECONDS = 400, 20.0
"""How long a finding is made smaller."""


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


def smaller(data: bytes, original: bytes, holds: Callable[[bytes], bool]) -> bytes:
    """A smaller file, or one nearer to the original, of which the same `holds`, within some tries."""
    end, tries = time.monotonic() + SECONDS, 0

    def attempt(candidate: bytes) -> bool:
        nonlocal data, tries
        if candidate == data or tries >= TRIALS or time.monotonic() > end:
            return False
        tries += 1
        if holds(candidate):
            data = candidate
            return True
        return False

    _restore(original, lambda: data, attempt)
    _cut(lambda: data, attempt)
    return data


def _cut(now: Callable[[], bytes], attempt: Callable[[bytes], bool]) -> None:
    """Leave out blocks, halves first."""
    size = len(now()) // 2
    while size:
        at = len(now()) - size
        while at >= 0:
            attempt(now()[:at] + now()[at + size :])
            at -= size
        size //= 2


def _restore(original: bytes, now: Callable[[], bytes], attempt: Callable[[bytes], bool]) -> None:
    """Put back the sample's bytes wherever they make no difference."""
    if len(original) != len(now()):
        return
    size = len(original)
    while size:
        for at in range(0, len(original), size):
            block = original[at : at + size]
            if now()[at : at + size] != block:
                attempt(now()[:at] + block + now()[at + size :])
        size //= 2


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
