"""What each engine does with formats of pictures that it may not read.

Source: Urho3D 1.7, `Image::BeginLoad`; OGRE 1.11 `FreeImageCodec` and 14 `STBIImageCodec`, whose codecs are
chosen by the suffix.
"""

from __future__ import annotations

from collections.abc import Mapping

FREE_IMAGE = "OGRE with FreeImage reads it; OGRE 1.12 and later, as usually built, does not"

TREATMENT: Mapping[str, Mapping[str, str]] = {
    "Urho3D": {
        "TIFF": "Urho3D reads no TIFF",
        "PCX": "Urho3D reads no PCX",
        "WEBP": "only versions of Urho3D after 1.7 read WebP",
        "KTX": "Urho3D reads it",
        "PVR": "Urho3D reads it",
    },
    "OGRE": {
        "TIFF": FREE_IMAGE,
        "PCX": FREE_IMAGE,
        "WEBP": "OGRE reads no WebP",
        "KTX": "OGRE reads it",
        "PVR": "OGRE reads it",
    },
}
"""For each engine, what it does with a format, by the name of the format. A format that is not listed is read
if Rigscope reads it.
"""
READ = frozenset(("Urho3D reads it", "OGRE reads it"))


def refusal(engine: str, encoding: str) -> str:
    """The reason why an engine may not read a picture with this encoding, such as `TIFF RGB`; empty if it
    reads the picture.
    """
    told = TREATMENT.get(engine, {}).get(encoding.partition(" ")[0], "")
    return "" if told in READ else told


def remark(engine: str, error: str) -> str:
    """The remark that an engine reads a picture that Rigscope does not read, by Rigscope's `error`; else
    empty.
    """
    named = (told for name, told in TREATMENT.get(engine, {}).items() if f"is a {name} " in error)
    return next((told for told in named if told in READ), "")
