"""The families that are built in. What the program needs to know of them before it imports one is listed here
as data, so that it starts fast; a test holds it equal to the families. No other place lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class BuiltIn(NamedTuple):
    """A built-in family: its package, and the name of its family.

    `kinds` has the kind of the files with a suffix, by suffix, in the order of the formats. `magics` are the
    first bytes of its formats and pictures. A place of the family has a file or folder whose folded name ends
    with one of `places`. Files with a suffix in `shared` are other programs' files unless they begin with one
    of the magics. `displays` are the suffixes of models that have displays. `look_keys` are the choices of a
    look, `item_slots` the slots of worn items, `clients` the known versions of the game.
    """

    name: str
    package: str
    kinds: Mapping[str, str]
    magics: tuple[bytes, ...]
    places: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    displays: tuple[str, ...] = ()
    look_keys: tuple[str, ...] = ()
    item_slots: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()


BUILT_IN = (
    BuiltIn(
        "Urho3D",
        "viewer.families.urho3d",
        {
            ".mdl": "model",
            ".ani": "animation",
            **dict.fromkeys((".vs3", ".ps3", ".vs4", ".ps4", ".vs2", ".ps2"), "shader"),
            ".asc": "script",
            ".pak": "package",
        },
        (
            *(b"UMDL", b"UMD2", b"UMD3", b"UANI", b"UAN2", b"USHD", b"ASBC"),
            *(b"UPAK", b"ULZ4", b"RPAK", b"RLZ4"),
        ),
        places=("coredata", "data.pak"),
    ),
    BuiltIn(
        "OGRE",
        "viewer.families.ogre",
        {".mesh": "model", ".skeleton": "skeleton", ".axp": "package"},
        (
            *(b"\0\x10[MeshSerializer_v1", b"\x10\0[MeshSerializer_v1"),
            *(b"\0\x10[MeshSerializer_v2.", b"\x10\0[MeshSerializer_v2."),
            *(b"\0\x10[Serializer_v", b"\x10\0[Serializer_v", b"AXPK"),
        ),
        places=(".axp", "data", "resources.cfg", "resources_d.cfg", "resources2.cfg", "bin", "dist"),
    ),
    BuiltIn(
        "WoW",
        "viewer.families.wow",
        {
            **dict.fromkeys((".m2", ".mdx"), "model"),
            **dict.fromkeys((".skin", ".skel", ".anim"), "part"),
            ".blp": "picture",
            ".dbc": "table",
            **dict.fromkeys((".mpq", ".w3m", ".w3x", ".w3n", ".sc2map", ".sc2mod"), "package"),
        },
        (
            *(b"MD20", b"MD21", b"SKIN", b"SKL1", b"AFM2", b"AFSA", b"AFSB"),
            *(b"BLP1", b"BLP2", b"WDBC", b"MPQ\x1a", b"MPQ\x1b"),
        ),
        places=(".mpq", "data"),
        shared=(".mdx",),
        displays=(".m2", ".mdx"),
        look_keys=("skin", "face", "hair", "hair_color", "facial_hair"),
        item_slots=(
            *("head", "shoulder", "shirt", "chest", "waist", "legs", "feet", "wrist", "hands", "back"),
            *("tabard", "main-hand", "off-hand", "ranged", "quiver"),
        ),
        clients=("1.12", "2.4.3", "3.3.5"),
    ),
)
