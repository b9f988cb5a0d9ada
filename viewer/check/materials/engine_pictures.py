"""What each engine does with formats of pictures that it may not read.

Source: Urho3D 1.7, `Image::BeginLoad`; OGRE 1.11 `FreeImageCodec` and 14 `STBIImageCodec`, whose codecs are
chosen by the suffix.
"""

from __future__ import annotations

from collections.abc import Mapping

FREE_IMAGE = "OGRE with FreeImage reads it; OGRE 1.12 and later, as usually built, does not"

REFUSED: Mapping[str, Mapping[str, str]] = {
    "Urho3D": {
        "TIFF": "Urho3D reads no TIFF",
        "PCX": "Urho3D reads no PCX",
        "WEBP": "only versions of Urho3D after 1.7 read WebP",
    },
    "OGRE": {"TIFF": FREE_IMAGE, "PCX": FREE_IMAGE, "WEBP": "OGRE reads no WebP"},
}
"""For each engine, why it may not read a format that Rigscope reads, by the name of the format."""
READ = {"Urho3D": ("KTX", "PVR"), "OGRE": ("KTX", "PVR")}
"""For each engine, the formats that it reads and Rigscope does not."""


def refusal(engine: str, encoding: str) -> str:
    """The reason why an engine may not read a picture with this encoding, such as `TIFF RGB`; empty if it
    reads the picture.
    """
    return REFUSED.get(engine, {}).get(encoding.partition(" ")[0], "")


def remark(engine: str, error: str) -> str:
    """The remark that an engine reads a picture that Rigscope does not read, by Rigscope's `error`; else
    empty.
    """
    reads = any(f"is a {name} " in error for name in READ.get(engine, ()))
    return f"{engine} reads it" if reads else ""
