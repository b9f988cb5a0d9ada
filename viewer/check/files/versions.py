"""Rules for versions and byte orders: the engines that read a file.

Sources: OGRE `OgreMeshSerializer.cpp` and its history (release 14.6 for `enablePre1_8Formats`); Urho3D and
rbfx `Model.cpp` and `Animation.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.files.reported import reported
from viewer.check.rule import Found, Rule
from viewer.errors import Topic
from viewer.formats.ogre.versions import MESH_VERSIONS, MeshVersion
from viewer.scene.finding import Severity

OGRE_RELEASES = {
    MeshVersion.V1_00: "no engine reads it now",
    MeshVersion.V1_10: "OGRE before 1.0 writes it",
    MeshVersion.V1_20: "OGRE before 1.0 writes it",
    MeshVersion.V1_30: "OGRE 1.0 to 1.2 write it",
    MeshVersion.V1_40: "OGRE 1.4 to 1.6 write it",
    MeshVersion.V1_41: "OGRE 1.7 writes it",
    MeshVersion.V1_8: "OGRE 1.8 and 1.9 write it",
}
FORKED = ("UMD3", "UAN2")
BIG_ENDIAN = "big-endian"


def _ogre(context: CheckContext) -> tuple[str, MeshVersion | None]:
    """The version of an OGRE mesh as text and as a member of the enum; empty and None for other files."""
    text = context.document.version.partition(",")[0]
    return (text, MESH_VERSIONS.get(text)) if context.document.format == "OGRE mesh" else ("", None)


def refused(context: CheckContext) -> Iterator[Found]:
    """Report versions that current engines refuse by default."""
    text, version = _ogre(context)
    if version is not None and version < MeshVersion.V1_8:
        yield Found(f"version {text}: {OGRE_RELEASES[version]}", offset=0)
    document = context.document
    if document.format == "Urho3D model" and document.version == "headerless":
        yield Found("the model has no magic: Urho3D before March 2011 writes it", offset=0)
    if document.format == "Urho3D shader" and "before 2014" in document.version:
        yield Found(f"version {document.version}: engines since February 2014 use another layout", offset=0)


def limited(context: CheckContext) -> Iterator[Found]:
    """Report versions that only some engines read, and versions that engines read but advise to upgrade."""
    text, version = _ogre(context)
    if version is MeshVersion.V1_8:
        yield Found(
            f"version {text}: {OGRE_RELEASES[version]}, later releases advise to upgrade it", offset=0
        )
    if context.document.version.startswith(FORKED):
        yield Found(f"version {context.document.version}: only rbfx reads it", offset=0)
    yield from reported(Topic.PARTLY)(context)


def big_endian(context: CheckContext) -> Iterator[Found]:
    """Report OGRE files with big-endian numbers."""
    if not context.document.version.endswith(BIG_ENDIAN):
        return
    buffers = context.shapes.vertex_buffers
    colored = any(element.semantic == "color" for buffer in buffers for element in buffer.elements)
    more = ", and its vertex colors are ambiguous" if colored else ""
    yield Found(f"the numbers of the file are big-endian{more}", offset=0)


RULES = (
    Rule(
        "bytes/version-unknown",
        Severity.ERROR,
        "No known engine has this version",
        reported(Topic.VERSION),
        {
            "OGRE": "OGRE has no reader for the version, and throws an exception.",
            "": "The engine refuses the file, or misreads it.",
        },
        "Export the file again with the exporter of your engine, or correct the version at the beginning.",
        "version [MeshSerializer_v1.999] is unknown; the file is read as the newest version",
    ),
    Rule(
        "bytes/version-refused",
        Severity.WARNING,
        "Current engines refuse this version",
        refused,
        {
            "OGRE": "OGRE 14.6 and later refuse versions before 1.8, unless the program calls "
            "MeshSerializer::enablePre1_8Formats(true); older releases upgrade such files while loading.",
            "Urho3D": "The engine logs that the file is not valid, and loads nothing.",
        },
        "Run OgreMeshUpgrader of OGRE 1.12, or export the file again.",
        "version [MeshSerializer_v1.40]: OGRE 1.4 to 1.6 write it",
    ),
    Rule(
        "bytes/version-limited",
        Severity.NOTE,
        "Only some engines read this version",
        limited,
        {
            "OGRE": "OGRE upgrades the mesh at each load, and warns in the log.",
            "Urho3D": "Urho3D and U3D refuse the file; rbfx reads it.",
            "WoW": (
                "Clients older than this version refuse the file. Rigscope checks only the parts that "
                "version 264 has."
            ),
        },
        "Convert the file if the engine that you use does not read it.",
        "version [MeshSerializer_v1.8]: OGRE 1.8 and 1.9 write it, later releases advise to upgrade it",
    ),
    Rule(
        "bytes/big-endian",
        Severity.NOTE,
        "Numbers are stored in big-endian byte order",
        big_endian,
        {
            "OGRE": (
                "OGRE converts all numbers while loading, so that loading takes longer. Releases up to 1.12 "
                "convert vertex colors too; later releases do not."
            ),
        },
        "Run OgreMeshUpgrader with -E little.",
        "the numbers of the file are big-endian",
    ),
)
