"""The writers of the formats of exported models."""

from __future__ import annotations

from viewer.export.model_file import WRITERS
from viewer.scene.choices import EXPORT_SUFFIXES


def test_every_format_has_a_writer() -> None:
    assert tuple(WRITERS) == EXPORT_SUFFIXES
