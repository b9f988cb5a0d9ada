"""The rule for references that read the same bytes as different types."""

from __future__ import annotations

from pathlib import Path

from tests.check.m2_folder import told, write_model
from viewer.storage.documents import open_document


def redirected(path: Path, name: str, to: str, shift: int = 0, count: int | None = None) -> None:
    """Let a reference of the header lead to where another one leads."""
    root = open_document(path).root
    header = root.child("header")
    at, target = header.child(name).offset, header.child(to).target
    assert target is not None
    data = bytearray(path.read_bytes())
    if count is not None:
        data[at : at + 4] = count.to_bytes(4, "little")
    data[at + 4 : at + 8] = (target + shift).to_bytes(4, "little")
    path.write_bytes(data)


def test_data_of_two_kinds(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    redirected(path, "name", "vertices", 1)
    (found,) = told(path, "m2/overlap")
    assert found.text.startswith("name and vertices share 5 bytes at 0x")
    assert found.path == "name" and found.offset == open_document(path).root.child("vertices").offset + 1


def test_a_table_over_the_header(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    data = bytearray(path.read_bytes())
    data[0x0C:0x10] = (0x20).to_bytes(4, "little")
    path.write_bytes(data)
    (found,) = told(path, "m2/overlap")
    assert found.text == "name and the header share 5 bytes at 0x20"


def test_more_pairs_are_counted(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    redirected(path, "name", "vertices", 1)
    redirected(path, "bone_combos", "textures", 1)
    (found,) = told(path, "m2/overlap")
    assert found.text.endswith(", and 1 more such pairs")


def test_rows_of_one_kind_may_be_shared(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    redirected(path, "transparency_lookup", "bone_combos", 2, 2)
    assert told(path, "m2/overlap") == ()


def test_rows_that_lie_across_others(tmp_path: Path) -> None:
    path = write_model(tmp_path)
    redirected(path, "textures", "materials", 0, 1)
    (found,) = told(path, "m2/overlap")
    assert "materials" in found.text and "textures" in found.text
