"""A report of findings for the tests of its forms."""

from __future__ import annotations

from viewer.library.batch.check_report import CheckedFile, CheckReport
from viewer.scene.finding import Finding, Severity
from viewer.scene.items import BoneItem

BODY = Finding(
    "weights/sum",
    Severity.WARNING,
    "the weights of 1 of 4 vertices of <Body> & 'co' do not add up to 1",
    "models/Jack one.mdl",
    0x40,
    "vertices[3]",
    (BoneItem(1),),
    "The vertices move.",
    "Normalise.",
    32,
)
CONTROL = Finding(
    "skeleton/empty-name", Severity.NOTE, "bell\x07, nbsp\xa0, end\ufffe, \udcff", "models/Jack one.mdl"
)
BROKEN = Finding(
    "file/broken", Severity.ERROR, "the file ends early", "Data.pak::Models/ä.mdl", 0, "bones[0]"
)
REPORT = CheckReport(
    (
        CheckedFile("models/Jack one.mdl", (BODY, CONTROL), Severity.WARNING),
        CheckedFile("clean.mdl"),
        CheckedFile("Data.pak::Models/ä.mdl", (BROKEN, BROKEN, CONTROL)),
    ),
    known=2,
)
"""A file with a failure and a note, a clean one, and one in a package with the same finding twice."""
