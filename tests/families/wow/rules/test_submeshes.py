"""Rules for the submeshes of M2 views fire on models made to break them, and on no sound one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.m2_files import CLASSIC, WRATH, model, vertices, view
from viewer.check.checking import check_file
from viewer.families.wow.m2.layout.writer import skin_bytes
from viewer.families.wow.rules.submeshes import RULES
from viewer.storage.documents import open_document

IDS = [rule.id for rule in RULES]


def written(folder: Path, nested: bool, changed: dict[str, Any], **fields: Any) -> str:
    """A model whose view has these changes, in a file of its own if nested."""
    path = folder / "Made.m2"
    if nested:
        (folder / "Made00.skin").write_bytes(skin_bytes(WRATH, view() | changed))
        path.write_bytes(model(WRATH, **fields))
    else:
        path.write_bytes(model(CLASSIC, views=[view(), view() | changed], **fields))
    return str(path)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("limit", [0, 2, 53])
def test_a_sound_view_has_no_findings(tmp_path: Path, nested: bool, limit: int) -> None:
    """A limit of 0 is none."""
    assert check_file(written(tmp_path, nested, {"bone_limit": limit}), select=IDS) == ()


@pytest.mark.parametrize(("nested", "name"), [(False, "view 1"), (True, "Made00.skin")])
def test_more_bones_than_the_view_allows_are_told(tmp_path: Path, nested: bool, name: str) -> None:
    path = written(tmp_path, nested, {"bone_limit": 1})
    first, second = check_file(path, select=["skeleton/view-limit"])
    assert first.text == f"{name}: submesh 0 uses 2 bones; the view allows 1"
    assert second.path.endswith("submeshes[1]") and second.offset is not None
    assert second.file == (str(tmp_path / "Made00.skin") if nested else path)
    assert open_document(second.file).root.at(second.offset)[1].offset <= second.offset


def test_more_weights_than_the_submesh_declares_are_told(tmp_path: Path) -> None:
    many = vertices()
    many["weights"][4] = (100, 100, 55, 0)
    (found,) = check_file(written(tmp_path, True, {}, vertices=many), select=["weights/few-influences"])
    assert found.text == "Made00.skin: submesh 0 declares 1 influences; 1 of 3 vertices have up to 3"
    assert found.path == "submeshes[0]"
