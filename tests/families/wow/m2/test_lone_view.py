"""A `.skin` that is opened by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import m2_files
from tests.m2_files import WRATH
from viewer.storage.documents import open_document


@pytest.mark.parametrize(
    ("name", "model", "said"),
    [
        ("Made00.skin", "Made.m2", "open Made.m2, which uses this view"),
        ("Made200.skin", "Made2.m2", "open Made2.m2, which uses this view"),
        ("Made00.skin", "Other.m2", "no model in its folder uses this view"),
        ("Made09.skin", "Made.m2", "no model in its folder uses this view"),
        ("Made.skin", "Made.m2", "no model in its folder uses this view"),
    ],
)
def test_a_lone_view_names_only_a_model_that_uses_it(
    tmp_path: Path, name: str, model: str, said: str
) -> None:
    (tmp_path / model).write_bytes(m2_files.model(WRATH))
    (tmp_path / name).write_bytes(m2_files.skin())
    (warning,) = open_document(tmp_path / name).report.warnings
    assert warning.endswith(said)
