"""The film formats: ffmpeg's encoder, container and options of each."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

FfmpegFilter = tuple[str, str]
"""The name of an ffmpeg filter, and its arguments."""

TO_BT709: FfmpegFilter = ("scale", "out_color_matrix=bt709:out_range=tv")
BT709 = {"colorspace": "bt709", "color_primaries": "bt709", "color_trc": "bt709", "color_range": "tv"}


class Codec(Struct, frozen=True):
    """The ffmpeg settings of a film format: the encoder `name` and the `container`, and the options of both.

    `filters` change each frame before it is encoded. `pixels` is the encoder's pixel format; if empty, the
    frames keep their format. With two `passes` the encoder needs all frames before it writes the first. A
    film that programs also show as a picture is `marked` as a view.
    `viewer.scene.choices` lists the features of each format.
    """

    name: str
    container: str
    pixels: str = ""
    filters: tuple[FfmpegFilter, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    container_options: Mapping[str, str] = field(default_factory=dict)
    passes: int = 1
    marked: bool = True


LOSSLESS = Codec("magicyuv", "nut", "gbrap")
"""Format of the temporary file that keeps the frames for the second pass. In memory the frames would soon
take a gigabyte.
"""

CODECS = {
    # CRF 18 looks like the original. Browsers and messengers need yuv420p and the index at the start of the
    # file.
    ".mp4": Codec(
        "libx264",
        "mp4",
        "yuv420p",
        (TO_BT709,),
        {"preset": "fast", "crf": "18", **BT709},
        {"movflags": "+faststart"},
        marked=False,
    ),
    ".webm": Codec(
        "libvpx-vp9",
        "webm",
        "yuva420p",
        (TO_BT709,),
        {"crf": "24", "b": "0", "deadline": "good", "cpu-used": "5", "row-mt": "1", **BT709},
        marked=False,
    ),
    # All frames share one palette, so that unmoved parts do not flicker.
    ".gif": Codec("gif", "gif", "pal8", container_options={"loop": "0"}, passes=2),
    # A WebP film is a fifth as large as the same film as GIF, and has full colour.
    ".webp": Codec("webp", "webp", passes=2),
    ".apng": Codec("apng", "apng", options={"pred": "mixed"}, container_options={"plays": "0"}),
}
