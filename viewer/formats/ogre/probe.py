"""Probes of meshes and skeletons, without their readers."""

from __future__ import annotations

from viewer.formats.ogre.unsupported import refused_kind
from viewer.formats.ogre.versions import MESH, SKELETON, begins_as


def is_mesh(data: bytes, suffix: str) -> bool:
    """Whether a file is a mesh, by its version line or by its name only (it is then refused with a
    reason).
    """
    return begins_as(data, MESH) or refused_kind(data, suffix) == "mesh"


def is_skeleton(data: bytes, suffix: str) -> bool:
    """Whether a file is a skeleton, by its version line or by its name only (it is then refused with a
    reason).
    """
    return begins_as(data, SKELETON) or refused_kind(data, suffix) == "skeleton"
