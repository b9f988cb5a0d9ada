"""Read the byte order and the version, a line of text, from the beginning of an OGRE file."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Literal

import numpy as np

from viewer.binary import Choice, Expression, Struct

U8, U16, U32 = np.dtype("u1"), np.dtype("<u2"), np.dtype("<u4")
F32 = np.dtype("<f4")
VEC3, QUATERNION = np.dtype((F32, (3,))), np.dtype((F32, (4,)))
WIDE_INDEX = Choice("wide != 0", {False: U16, True: U32})
WIDE_SHADOW_INDEX = Choice("shadow_wide != 0", {False: U16, True: U32})

LITTLE, BIG = b"\x00\x10", b"\x10\x00"
HEADER_ID = 0x1000
MESH, SKELETON = b"[MeshSerializer_v", b"[Serializer_v"


class MeshVersion(IntEnum):
    """The versions of a mesh in chronological order. LEGACY is OGRE-Next's version of v1.100."""

    V1_00 = 0
    V1_10 = 1
    V1_20 = 2
    V1_30 = 3
    V1_40 = 4
    V1_41 = 5
    V1_8 = 6
    V1_100 = 7
    LEGACY = 8


MESH_VERSIONS = {
    f"[MeshSerializer_v{text}]": version
    for text, version in zip(
        ("1.00", "1.10", "1.20", "1.30", "1.40", "1.41", "1.8", "1.100", "2.1 R0 LEGACYV1"),
        MeshVersion,
        strict=True,
    )
}
SKELETON_VERSIONS = ("[Serializer_v1.10]", "[Serializer_v1.80]")

NEXT_MESH = b"[MeshSerializer_v2."
NEXT_R0, NEXT_R1, NEXT_R2 = (f"[MeshSerializer_v2.1{text}]" for text in ("", " R1", " R2"))
NEXT_LEGACY = "[MeshSerializer_v2.1 R0 LEGACYV1]"
NEXT_VERSIONS = (NEXT_R0, NEXT_R1, NEXT_R2)
"""The versions of meshes of OGRE-Next."""


def version_of(record: Struct) -> MeshVersion:
    """Return the version of a record's mesh, or the newest version if the text of the version is unknown."""
    while record.outer is not None:
        record = record.outer
    return MESH_VERSIONS.get(str(record.version), MeshVersion.V1_100)


@cache
def since(version: MeshVersion) -> Expression:
    """Return the condition of a field that exists since `version`."""
    return Expression(f"version not in {_before(version)}", f"since {_number(version)}")


@cache
def before(version: MeshVersion) -> Expression:
    """Return the condition of a field that exists only before `version`."""
    return Expression(f"version in {_before(version)}", f"before {_number(version)}")


def _before(version: MeshVersion) -> tuple[str, ...]:
    """The texts of all versions before `version`."""
    return tuple(text for text, known in MESH_VERSIONS.items() if known < version)


def _number(version: MeshVersion) -> str:
    """The number of a version, such as `v1.41`."""
    text = next(text for text, known in MESH_VERSIONS.items() if known == version)
    return text.removeprefix("[MeshSerializer_").removesuffix("]")


def byte_order(data: bytes) -> Literal["<", ">"]:
    """Return the byte order, from the first two bytes."""
    return ">" if data.startswith(BIG) else "<"


def begins_as(data: bytes, *texts: bytes) -> bool:
    """Return whether the data begin with the header's number, in either byte order, and then one of `texts`.
    A truncated file may have only the first letters of the text.
    """
    begun = data[2 : 2 + max(map(len, texts))]
    return data[:2] in (LITTLE, BIG) and any(
        begun.startswith(text) or (len(begun) > 1 and text.startswith(begun)) for text in texts
    )
