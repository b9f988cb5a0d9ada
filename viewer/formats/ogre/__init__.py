"""The OGRE family: meshes of OGRE and OGRE-Next (`.mesh`), and skeletons (`.skeleton`)."""

from __future__ import annotations

from viewer.formats.ogre.probe import is_mesh, is_next_mesh, is_skeleton
from viewer.formats.ogre.versions import BIG, LITTLE, MESH, NEXT_MESH, SKELETON
from viewer.formats.registry import Format, later
from viewer.scene import files

LOAD = "viewer.formats.ogre.load"

FORMATS = (
    Format(
        "OGRE mesh",
        (".mesh",),
        is_mesh,
        later(f"{LOAD}:load_mesh"),
        magics=(LITTLE + MESH + b"1", BIG + MESH + b"1"),
    ),
    Format(
        "OGRE-Next mesh",
        (".mesh",),
        is_next_mesh,
        later(f"{LOAD}:load_next_mesh"),
        magics=(LITTLE + NEXT_MESH, BIG + NEXT_MESH),
    ),
    Format(
        "OGRE skeleton",
        (".skeleton",),
        is_skeleton,
        later(f"{LOAD}:load_skeleton"),
        files.SKELETON,
        (LITTLE + SKELETON, BIG + SKELETON),
    ),
)
