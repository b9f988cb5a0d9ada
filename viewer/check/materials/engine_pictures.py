"""What each engine does with formats of pictures that it may not read.

Source: Urho3D 1.7, `Image::BeginLoad`, which looks at the first bytes alone; OGRE 1.11 `FreeImageCodec` and
14 `STBIImageCodec`, and `Image::load`, which chooses the codec by the suffix; wowdev.wiki BLP.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

FREE_IMAGE = "OGRE with FreeImage reads it; OGRE 1.12 and later, as usually built, does not"

REFUSED: Mapping[str, Mapping[str, str]] = {
    "Urho3D": {
        "TIFF": "Urho3D reads no TIFF",
        "PCX": "Urho3D reads no PCX",
        "BLP": "Urho3D reads no BLP",
        "WEBP": "only versions of Urho3D after 1.7 read WebP",
    },
    "OGRE": {"TIFF": FREE_IMAGE, "PCX": FREE_IMAGE, "WEBP": "OGRE reads no WebP", "BLP": "OGRE reads no BLP"},
}
"""For each engine, why it may not read a format that Rigscope reads, by the name of the format."""
READ: Mapping[str, Mapping[str, str]] = {
    "Urho3D": {
        "KTX": "Urho3D reads its ETC and PVRTC pixels",
        "PVR": "Urho3D reads its ETC and PVRTC pixels",
    },
    "OGRE": {
        "KTX": "OGRE reads its ETC pixels",
        "PVR": "OGRE up to 1.11 reads it; later versions, as usually built, do not",
    },
}
"""For each engine, what it reads of formats that Rigscope does not read."""


def refusal(engine: str, encoding: str, path: str) -> str:
    """The reason why an engine may not read the picture at a path with this encoding, such as `TIFF RGB`;
    empty if it reads the picture.
    """
    form, suffix = encoding.partition(" ")[0], os.path.splitext(path)[1].lower()
    if engine == "OGRE" and suffix and (form == "DDS") != (suffix == ".dds"):
        return f"OGRE takes it for {suffix[1:].upper()} by its suffix, but it is {form}"
    if engine == "WoW" and suffix == ".blp" and not form.startswith("BLP"):
        return f"World of Warcraft reads only BLP, but it is {form}"
    return next((why for name, why in REFUSED.get(engine, {}).items() if form.startswith(name)), "")


def remark(engine: str, error: str) -> str:
    """The remark that an engine reads a picture that Rigscope does not read, by Rigscope's `error`; else
    empty.
    """
    return next((read for name, read in READ.get(engine, {}).items() if f"is a {name} " in error), "")
