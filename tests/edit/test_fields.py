"""What an editor is told of a field."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.m2_files import model as m2_bytes
from tests.ogre_skeletons import rich_skeleton
from tests.packages import write_package
from tests.synthetic import model_bytes
from viewer.edit.fields import EditableField, editable_field
from viewer.edit.paths import node_at
from viewer.storage.documents import open_undressed

FLOAT = float(np.finfo(np.float32).max)


@pytest.mark.parametrize(
    ("name", "path", "field"),
    [
        ("a.mdl", "bones[1]/name", EditableField("text")),
        ("a.mdl", "bones[1]", EditableField("text")),
        ("a.mdl", "bones[1]/parent", EditableField("whole", 1, 0, 2)),
        ("a.mdl", "bones[1]/pose/position", EditableField("decimal", 3, -FLOAT, FLOAT)),
        ("a.mdl", "bones[1]/pose/rotation", EditableField("decimal", 4, -FLOAT, FLOAT, quaternion="wxyz")),
        (
            "a.mdl",
            "bones[1]/collision",
            EditableField("whole", 1, 0, 255, (("none", 0), ("sphere", 1), ("box", 2), ("both", 3))),
        ),
        ("a.skeleton", "bone[0]/rotation", EditableField("decimal", 4, -FLOAT, FLOAT, quaternion="xyzw")),
        (
            "a.skeleton",
            "blend mode/mode",
            EditableField("whole", 1, 0, 65535, (("average", 0), ("cumulative", 1))),
        ),
        ("a.m2", "bones[1]/parent", EditableField("whole", 1, -1, 3)),
        ("a.m2", "textures[0]/name", EditableField("text")),
        ("a.m2", "header/magic", EditableField("bytes", 4)),
        ("a.mdl", "bones/count", None),
        ("a.mdl", "bones[1]/pose", None),
        ("a.pak", "magic", None),
    ],
)
def test_a_field_says_what_it_takes(
    name: str, path: str, field: EditableField | None, tmp_path: Path
) -> None:
    (tmp_path / "a.mdl").write_bytes(model_bytes())
    (tmp_path / "a.skeleton").write_bytes(rich_skeleton())
    (tmp_path / "a.m2").write_bytes(m2_bytes())
    write_package(tmp_path).rename(tmp_path / "a.pak")
    document = open_undressed(tmp_path / name)
    assert editable_field(document, node_at(document.root, path)) == field


def test_flags_are_bits(tmp_path: Path) -> None:
    (tmp_path / "a.m2").write_bytes(m2_bytes())
    document = open_undressed(tmp_path / "a.m2")
    field = editable_field(document, node_at(document.root, "header/flags"))
    assert field is not None and field.flags and ("tilts along x", 1) in field.words
