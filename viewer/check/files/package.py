"""Rules for packages: checksums, shared bytes and hidden names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, Rule, listed, reported
from viewer.errors import Topic, printable
from viewer.scene.finding import Severity
from viewer.scene.package import GOOD, Package
from viewer.scene.shader import CompiledShader


def checksum(context: CheckContext) -> Iterator[Found]:
    """Report wrong checksums of packages and shaders. A game is left out: each of its archives can be checked
    by itself.
    """
    content = context.document.content
    if isinstance(content, Package) and not content.sources:
        yield from _package(context, content)
    if isinstance(content, CompiledShader) and content.expected_hash not in (None, content.element_hash):
        text = f"the hash of the inputs is {content.element_hash:08X}, not {content.expected_hash:08X}"
        yield Found(f"{text} as the program has them", offset=8)
    yield from reported(Topic.CHECKSUM)(context)


def _package(context: CheckContext, package: Package) -> Iterator[Found]:
    """Report wrong checksums of files and of the package. Files with a known good checksum are not read
    again.
    """
    known = " ".join(error.path for error in context.document.report.errors)
    wrong = 0
    for number in np.flatnonzero(package.verdicts != GOOD).tolist():
        error = package.verify(number)[1]
        if error is None or f"entries[{number}]" in known:
            continue
        wrong += 1
        yield Found(f"{printable(package.names[number])}: {error.why}", offset=error.offset)
    if not wrong and context.document.report.complete and not package.sound():
        yield Found("the checksum of the package does not fit its files", offset=package.start + 8)


def shared(context: CheckContext) -> Iterator[Found]:
    """Report files of a package that share bytes with other files of the package."""
    package = context.document.content
    if not isinstance(package, Package) or not len(package) or package.sources:
        return
    filled = np.flatnonzero(package.packed > 0)
    order = filled[np.lexsort((-package.packed[filled], package.offsets[filled]))]
    ends = np.maximum.accumulate((package.offsets + package.packed)[order])
    late = order[1:][package.offsets[order][1:] < ends[:-1]]
    if len(late):
        names = [printable(package.names[number]) for number in late[:8].tolist()]
        names += [""] * (len(late) - len(names))
        what = "1 file shares" if len(late) == 1 else f"{len(late)} files share"
        yield Found(f"{what} bytes with other files: {listed(names)}", offset=int(package.offsets[late[0]]))


def hidden(context: CheckContext) -> Iterator[Found]:
    """Report files of a package whose name equals the name of another file, or differs from it only in
    case.
    """
    package = context.document.content
    if not isinstance(package, Package):
        return
    known: dict[str, int] = {}
    for number, name in enumerate(package.names):
        first = known.setdefault(name.lower(), number)
        if first == number:
            continue
        same = package.names[first] == name
        how = (
            "has the name of an earlier file" if same else f"differs from {package.names[first]} only in case"
        )
        yield Found(f"{printable(name)} {printable(how)}", offset=int(package.offsets[number]))


RULES = (
    Rule(
        "bytes/checksum",
        Severity.ERROR,
        "A checksum does not fit the bytes",
        checksum,
        {
            "Urho3D": (
                "A server refuses a client whose package has a wrong checksum; when a package is loaded "
                "locally, its checksum is not checked. Direct3D 11 refuses a shader with a wrong checksum."
            ),
        },
        "For a package: make it again with PackageTool. For a compiled shader: delete it, so that it is "
        "compiled again.",
        "Models/Box.mdl: the checksum is 1A2B3C4D, the directory has 00000000",
    ),
    Rule(
        "bytes/shared",
        Severity.WARNING,
        "Files of a package share bytes",
        shared,
        {"Urho3D": "Several files are read from the same bytes: at least one of the files is likely wrong."},
        "Make the package again with PackageTool.",
        "2 files share bytes with other files: Models/A.mdl, Models/B.mdl",
    ),
    Rule(
        "bytes/hidden-file",
        Severity.WARNING,
        "A file of a package hides another file",
        hidden,
        {
            "Urho3D": (
                "If several files have the same name, only the last file is read. On Windows names that "
                "differ only in case are the same name."
            )
        },
        "Remove one of the files, or rename it.",
        "Models/box.mdl differs from Models/Box.mdl only in case",
    ),
)
