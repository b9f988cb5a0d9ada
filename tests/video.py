"""What a video file holds, as the packaged ffmpeg decodes it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Video:
    """`frames` [N, height, width, 3] u8; `facts` is the line that ffmpeg prints of the stream."""

    facts: str
    fps: float
    frames: np.ndarray[Any, Any]


def decoded(path: Path) -> Video:
    """The video in a file."""
    from imageio_ffmpeg import get_ffmpeg_exe

    command = (get_ffmpeg_exe(), "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
    done = subprocess.run(command, capture_output=True, check=True)
    facts = next(line for line in done.stderr.decode().splitlines() if "Video:" in line)
    size = re.search(r", (\d+)x(\d+)", facts)
    rate = re.search(r"([\d.]+) fps", facts)
    assert size and rate, facts
    frames = np.frombuffer(done.stdout, np.uint8).reshape(-1, int(size[2]), int(size[1]), 3)
    return Video(facts, float(rate[1]), frames)
