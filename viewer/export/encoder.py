"""The packaged ffmpeg as a process that frames are piped into, and its arguments for each format."""

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
    """The ffmpeg arguments of a format, separated by spaces.

    `output` follows the input of the frames and writes the file `MADE`; if there is a `second` run, `output`
    writes its input. `even`: only even sizes. `viewer.scene.film` lists the features of each format.
    """

    output: str
    second: str = ""
    even: bool = False


CODECS = {
    # CRF 18 looks like the original; browsers and messengers need yuv420p and the index in front.
    ".mp4": Codec(
        f"-c:v libx264 -preset fast -crf 18 -vf {TO_BT709},format=yuv420p {BT709} "
        f"-movflags +faststart -f mp4 {MADE}",
        even=True,
    ),
    ".webm": Codec(
        "-c:v libvpx-vp9 -crf 24 -b:v 0 -deadline good -cpu-used 5 -row-mt 1 "
        f"-vf {TO_BT709},format=yuva420p {BT709} -f webm {MADE}"
    ),
    # One palette for all frames, so that still parts do not flicker. The frames wait on the disk for it: in
    # memory they would soon take a gigabyte.
    ".gif": Codec(
        "-filter_complex [0:v]split[seen][kept];[seen]palettegen[palette] "
        f"-map [palette] -update 1 {PALETTE} -map [kept] -c:v ffv1 {FRAMES}",
        f"-i {FRAMES} -i {PALETTE} -lavfi paletteuse=dither=sierra2_4a:diff_mode=rectangle "
        f"-loop 0 -f gif {MADE}",
    ),
    # A fifth of the size of the same GIF, in full colour.
    ".webp": Codec(f"-c:v libwebp_anim -quality 88 -compression_level 4 -loop 0 -f webp {MADE}"),
    ".apng": Codec(f"-plays 0 -pred mixed -f apng {MADE}"),
}


class Encoder:
    """A running ffmpeg that leaves the file `MADE` in `folder`, which contains nothing else at the end."""

    def __init__(self, folder: Path, codec: Codec, size: tuple[int, int], fps: float, alpha: bool) -> None:
        self._folder = folder
        self._second = codec.second
        form = "rgba" if alpha else "rgb0"
        rate = str(Fraction(fps).limit_denominator(1001))
        frames = f"-f rawvideo -pix_fmt {form} -s {size[0]}x{size[1]} -r {rate} -i - "
        self._process = self._run(frames + codec.output)

    def add(self, rgba: Array) -> None:
        """Write one frame [height, width, 4] u8."""
        try:
            self._input.write(np.ascontiguousarray(rgba).data)
        except OSError as error:
            self.stop()
            raise self._failure() from error

    def finished(self) -> bool:
        """Close the input and return whether ffmpeg is done; OSError with the reason if it failed."""
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
        """Kill ffmpeg if it still runs."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):  # the rest of the input has no reader any more
            self._input.close()

    @property
    def _input(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _run(self, words: str) -> subprocess.Popen[bytes]:
        """Start ffmpeg in the folder, shielded from the terminal's Ctrl+C, which this program handles."""
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
        """ffmpeg's last message, which says why it failed."""
        lines = (self._folder / LOG).read_text("utf-8", "replace").strip().splitlines()
        return OSError(errno.EIO, lines[-1] if lines else "the encoder stopped")

    def _tidy(self) -> None:
        for name in (LOG, PALETTE, FRAMES):
            (self._folder / name).unlink(missing_ok=True)


def _executable() -> str:
    """The path of ffmpeg: `IMAGEIO_FFMPEG_EXE` if it is set, else the packaged ffmpeg, else the system's."""
    import imageio_ffmpeg

    try:
        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except RuntimeError as error:
        raise ResourceError("there is no ffmpeg for this system: install it to write films") from error
