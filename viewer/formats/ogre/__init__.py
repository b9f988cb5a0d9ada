"""The OGRE family: meshes and skeletons."""

from __future__ import annotations

from viewer.formats.ogre.load import is_mesh, is_skeleton, load_mesh, load_skeleton
from viewer.formats.registry import Format

FORMATS = (
    Format("OGRE mesh", (".mesh",), is_mesh, load_mesh),
    Format("OGRE skeleton", (".skeleton",), is_skeleton, load_skeleton, "part"),
)
