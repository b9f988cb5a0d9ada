"""How the libraries of ffmpeg write each format of films."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

Filter = tuple[str, str]
"""The name of one of ffmpeg's filters, and its arguments."""

TO_BT709: Filter = ("scale", "out_color_matrix=bt709:out_range=tv")
BT709 = {"colorspace": "bt709", "color_primaries": "bt709", "color_trc": "bt709", "color_range": "tv"}


class Codec(Struct, frozen=True):
    """How ffmpeg's libraries write a format: the encoder `name` and the `container`, with their options.

    `filters` change each frame before. `pixels` is the encoder's pixel format; empty: that of the frames.
    With two `passes` all frames have to be known before the first is encoded. `viewer.scene.choices`
    lists the features of each format.
    """

    name: str
    container: str
    pixels: str = ""
    filters: tuple[Filter, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    container_options: Mapping[str, str] = field(default_factory=dict)
    passes: int = 1


KEPT = Codec("magicyuv", "nut", "gbrap")
"""The file of frames that wait for the second pass: in memory they would soon take a gigabyte."""

CODECS = {
    # CRF 18 looks like the original; browsers and messengers need yuv420p and the index in front.
    ".mp4": Codec(
        "libx264",
        "mp4",
        "yuv420p",
        (TO_BT709,),
        {"preset": "fast", "crf": "18", **BT709},
        {"movflags": "+faststart"},
    ),
    ".webm": Codec(
        "libvpx-vp9",
        "webm",
        "yuva420p",
        (TO_BT709,),
        {"crf": "24", "b": "0", "deadline": "good", "cpu-used": "5", "row-mt": "1", **BT709},
    ),
    # One palette for all frames, so that still parts do not flicker.
    ".gif": Codec("gif", "gif", "pal8", container_options={"loop": "0"}, passes=2),
    # A fifth of the size of the same GIF, in full colour.
    ".webp": Codec("webp", "webp", passes=2),
    ".apng": Codec("apng", "apng", options={"pred": "mixed"}, container_options={"plays": "0"}),
}
