"""Rules for the readers' messages with a topic: one rule for each topic."""

from __future__ import annotations

from viewer.check.rule import Rule, reported
from viewer.errors import Topic
from viewer.scene.finding import Severity

RULES = (
    Rule(
        "bytes/cut-off",
        Severity.ERROR,
        "The file declares more data than it has",
        reported(Topic.CUT),
        {
            "Urho3D": (
                "The engine reads zeros or unrelated bytes past the end of the file, and reports no error."
            ),
            "OGRE": "The file is not loaded, or the parts at its end are missing.",
            "WoW": "The client reads unrelated memory, or stops.",
            "": "The last parts are missing.",
        },
        "Copy the file again, in binary mode, or export it again.",
        "48 bytes needed, 20 left",
    ),
    Rule(
        "bytes/declared-length",
        Severity.NOTE,
        "A chunk declares a wrong length",
        reported(Topic.LENGTH),
        {
            "OGRE": (
                "OGRE reads chunks by their content and ignores the length. Only OGRE 14.6 and later "
                "compare the lengths in files of old versions, and refuse the file."
            ),
            "OGRE-Next": (
                "The engine reads chunks by their content and ignores the length. Its own tools write wrong "
                "lengths for meshes with levels of detail."
            ),
            "": "A program that uses the declared length does not find the next chunk.",
        },
        "Convert a mesh of OGRE with OgreMeshUpgrader, which writes the right lengths. Most exporters write "
        "wrong lengths.",
        "submesh (chunk 0x4000) declares 9102 bytes and has 4566, and 1 more",
    ),
    Rule(
        "bytes/program",
        Severity.WARNING,
        "A compiled program is damaged",
        reported(Topic.PROGRAM),
        {"Urho3D": "Direct3D refuses the shader: geometries with this shader are invisible."},
        "Delete the file, so that the engine compiles the shader again.",
        "the program declares 120 tokens but has 118",
    ),
    Rule(
        "m2/reference-outside",
        Severity.ERROR,
        "A reference leads out of the file",
        reported(Topic.REFERENCE),
        {"WoW": "The client reads unrelated memory, or stops."},
        "Export the model again: its offsets do not fit its bytes.",
        "40 items at 0x2F000 lie outside the file",
    ),
    Rule(
        "m2/unused-file",
        Severity.WARNING,
        "No model uses the file",
        reported(Topic.UNUSED),
        {
            "WoW": (
                "The client finds the files of views and keys by the name of their model. It never opens "
                "this file."
            )
        },
        "Name the file after its model, and put it beside the model.",
        "Hobgoblin.m2 has no sequence 60, variation 3 with external keys",
    ),
)
