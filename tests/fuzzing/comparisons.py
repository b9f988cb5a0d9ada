"""Compares documents by meaning and by bytes, and describes them."""

from __future__ import annotations

from viewer.compare.diff.comparing import compare
from viewer.compare.diff.description import description
from viewer.compare.diff.spans import span_differences
from viewer.scene.document import Document


def check_comparison(original: Document, document: Document) -> None:
    """Each difference has a name, and each span that differs a place; there is a text for git."""
    found = compare(original, document)
    assert found.summary and all(each.name for each in found.found), "a difference without a name"
    assert found.same == (not found.found), "the summary is not that of the differences"
    for span in span_differences(original, document):
        assert span.offset is not None or span.other_offset is not None, f"{span.path} is nowhere"
    assert any(description(document)), "nothing for git to compare"
