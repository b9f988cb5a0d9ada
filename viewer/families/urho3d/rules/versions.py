"""Versions of Urho3D files that current engines refuse, or that only one fork reads.

Source: Urho3D and rbfx `Model.cpp` and `Animation.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.check.check_context import CheckContext
from viewer.check.rule import Found, RulePart

FORKED = ("UMD3", "UAN2")


def refused(context: CheckContext) -> Iterator[Found]:
    """Report versions that current engines refuse."""
    document = context.document
    if document.format == "Urho3D model" and document.version == "headerless":
        yield Found("the model has no magic: Urho3D before March 2011 writes it", offset=0)
    if document.format == "Urho3D shader" and "before 2014" in document.version:
        yield Found(f"version {document.version}: engines since February 2014 use another layout", offset=0)


def limited(context: CheckContext) -> Iterator[Found]:
    """Report versions that only rbfx reads."""
    if context.document.version.startswith(FORKED):
        yield Found(f"version {context.document.version}: only rbfx reads it", offset=0)


PARTS = (RulePart("bytes/version-refused", refused), RulePart("bytes/version-limited", limited))
