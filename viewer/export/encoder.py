"""The packaged ffmpeg as a process that frames are piped into, and what each format asks of it."""

from __future__ import annotations

import errno
import subprocess
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import IO

import numpy as np

from viewer.arrays import Array
from viewer.dataclass import dataclass
from viewer.errors import ResourceError

LOG = "log.txt"
MADE = "made"
PALETTE, FRAMES = "palette.png", "frames.nut"

BT709 = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv"
TO_BT709 = "scale=out_color_matrix=bt709:out_range=tv"


@dataclass(frozen=True, slots=True)
class Codec:
    """What ffmpeg is told, words with blanks between. `output` follows the input of the frames and makes the
    file `MADE`; where there is a `second` run, it makes what that needs. `alpha`: it can be transparent.
    `even`: only even sizes. `fastest`: the most frames a second that players show as they are.
    """

    output: str
    second: str = ""
    alpha: bool = True
    even: bool = False
    fastest: float = 1000.0


CODECS = {
    # CRF 18 looks like the original; yuv420p and the index in front are what browsers and messengers want.
    ".mp4": Codec(
        f"-c:v libx264 -preset fast -crf 18 -vf {TO_BT709},format=yuv420p {BT709} "
        f"-movflags +faststart -f mp4 {MADE}",
        alpha=False,
        even=True,
    ),
    ".webm": Codec(
        "-c:v libvpx-vp9 -crf 24 -b:v 0 -deadline good -cpu-used 5 -row-mt 1 "
        f"-vf {TO_BT709},format=yuva420p {BT709} -f webm {MADE}"
    ),
    # One palette of all frames, so that what stands still does not flicker. The frames wait on the disk for
    # it: in memory they would be a gigabyte soon. Browsers show delays under 1/50 s as 1/10 s.
    ".gif": Codec(
        "-filter_complex [0:v]split[seen][kept];[seen]palettegen[palette] "
        f"-map [palette] -update 1 {PALETTE} -map [kept] -c:v ffv1 {FRAMES}",
        f"-i {FRAMES} -i {PALETTE} -lavfi paletteuse=dither=sierra2_4a:diff_mode=rectangle "
        f"-loop 0 -f gif {MADE}",
        fastest=50.0,
    ),
    # A fifth of a GIF of the same size, in all colours. Transparent frames would be drawn over each other.
    ".webp": Codec(f"-c:v libwebp_anim -quality 88 -compression_level 4 -loop 0 -f webp {MADE}", alpha=False),
    ".apng": Codec(f"-plays 0 -pred mixed -f apng {MADE}"),
}


class Encoder:
    """A running ffmpeg that leaves the file `MADE` in `folder`, which is to hold nothing else at the end."""

    def __init__(self, folder: Path, codec: Codec, size: tuple[int, int], fps: float, alpha: bool) -> None:
        self._folder = folder
        self._second = codec.second
        form = "rgba" if alpha else "rgb0"
        rate = str(Fraction(fps).limit_denominator(1001))
        frames = f"-f rawvideo -pix_fmt {form} -s {size[0]}x{size[1]} -r {rate} -i - "
        self._process = self._run(frames + codec.output)

    def add(self, rgba: Array) -> None:
        """One frame [height, width, 4] u8."""
        try:
            self._input.write(np.ascontiguousarray(rgba).data)
        except OSError as error:
            self.stop()
            raise self._failure() from error

    def finished(self) -> bool:
        """Close the input and look whether ffmpeg is done; OSError says why where it failed."""
        try:
            self._input.close()
        except OSError as error:
            self.stop()
            raise self._failure() from error
        status = self._process.poll()
        if status is None:
            return False
        if status:
            raise self._failure()
        if self._second:
            self._process, self._second = self._run(self._second), ""
            return False
        self._tidy()
        return True

    def stop(self) -> None:
        """End ffmpeg at once if it still runs."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):  # what was left to be written has no reader any more
            self._input.close()

    @property
    def _input(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _run(self, words: str) -> subprocess.Popen[bytes]:
        """Start ffmpeg in the folder. It is kept out of the terminal's Ctrl+C, which is ours to handle."""
        command = (_executable(), "-hide_banner", "-nostats", "-loglevel", "error", "-y", *words.split())
        with open(self._folder / LOG, "wb") as log:
            return subprocess.Popen(
                command,
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )

    def _failure(self) -> OSError:
        """What ffmpeg said last: why it failed."""
        lines = (self._folder / LOG).read_text("utf-8", "replace").strip().splitlines()
        return OSError(errno.EIO, lines[-1] if lines else "the encoder stopped")

    def _tidy(self) -> None:
        for name in (LOG, PALETTE, FRAMES):
            (self._folder / name).unlink(missing_ok=True)


def _executable() -> str:
    """ffmpeg: that of the package, or what `IMAGEIO_FFMPEG_EXE` names, or the system's."""
    import imageio_ffmpeg

    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        raise ResourceError("there is no ffmpeg for this system: install it to write films") from error
