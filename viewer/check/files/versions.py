"""Rules for versions and byte orders: the engines that read a file. The families say which versions they
mean.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, reported
from viewer.errors import Topic
from viewer.scene.finding import Severity

BIG_ENDIAN = "big-endian"


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
        lambda context: iter(()),
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
        reported(Topic.PARTLY),
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
