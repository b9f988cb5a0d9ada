"""Checks documents by all rules, and what the findings say."""

from __future__ import annotations

from viewer.check.checking import check
from viewer.scene.document import Document


def check_findings(document: Document) -> None:
    """Each finding says something, and its offset lies in its file."""
    sizes = {each.path: len(each.data) for each in (document, *document.attached)}
    for found in check(document):
        assert found.text, f"{found.rule}: nothing is said"
        size = sizes.get(found.file)
        if found.offset is not None and size is not None:
            assert 0 <= found.offset <= size, f"{found.rule}: {found.offset} of {size} bytes"
