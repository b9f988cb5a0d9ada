"""The rule for the encoding of names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ogre_skeletons import bone, skeleton_bytes
from tests.synthetic import bone as urho_bone
from tests.synthetic import model_bytes
from viewer.check.checking import check_file

NAME = "骨头"
RULE = ["bytes/name-encoding"]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_names_of_a_skeleton(tmp_path: Path, encoding: str) -> None:
    data = skeleton_bytes(bone("root", 0), bone("ab", 1))
    path = tmp_path / "a.skeleton"
    path.write_bytes(data.replace(b"ab\n", NAME.encode(encoding) + b"\n"))
    found = check_file(str(path), select=RULE)
    if encoding == "utf-8":
        assert found == ()
        return
    assert found[0].text == f"1 name is in GB18030, not in UTF-8: {NAME}"
    assert (found[0].offset, found[0].path) == (data.index(b"ab\n"), "bone[1]/name")


def test_a_name_of_one_byte_a_letter(tmp_path: Path) -> None:
    path = tmp_path / "a.mdl"
    data = model_bytes(bones=[urho_bone("base", 0, 0, 0), urho_bone("Fuss", 0, 0.5, 0.5)])
    path.write_bytes(data.replace(b"Fuss\0", "Fuß\0".encode()))
    assert check_file(str(path), select=RULE) == ()
    path.write_bytes(data.replace(b"Fuss\0", "Fuß\0".encode("latin-1")))
    (found,) = check_file(str(path), select=RULE)
    assert found.text.endswith("1 name is in Windows-1252, not in UTF-8: Fuß")
