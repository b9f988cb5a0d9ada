"""Rules for the readers' messages with a topic: one rule for each topic."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, error_found
from viewer.errors import ReportMessage, Topic
from viewer.scene.finding import Severity

PARTS = "WoW"
"""The family of formats in which attached documents are checked together with the document. In other
families they are checked separately.
"""


def messages_of(context: CheckContext) -> Iterator[ReportMessage]:
    """Yield the messages of the document and of its parts."""
    document = context.document
    parts = document.attached if context.family == PARTS else ()
    yield from document.report.messages
    for each in parts:
        yield from (message._replace(file=message.file or each.path) for message in each.report.messages)


def reported(*topics: Topic) -> Callable[[CheckContext], Iterator[Found]]:
    """Make the function of a rule that reports the readers' messages with one of `topics`."""

    def find(context: CheckContext) -> Iterator[Found]:
        for each in messages_of(context):
            if each.topic not in topics:
                continue
            if each.error is not None:
                yield error_found(each.error)
            else:
                yield Found(each.plain_text, file=each.file, offset=each.offset)

    return find


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
